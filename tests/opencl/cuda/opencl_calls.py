# SPDX-License-Identifier: Apache-2.0
"""Calls of OpenCL's functions with nothing but Python, for checks on machines that have no more."""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

NONE = (0, None, None)
"""No events to wait for, and none wanted."""
_MAKERS = ("clCreate", "clEnqueueMap")
_MAKES_NO_OBJECT = ("clCreateKernelsInProgram", "clCreateSubDevices")


class ClError(Exception):
    """A code that a function gave."""

    def __init__(self, name: str, code: int) -> None:
        super().__init__(f"{name} gives {code}")
        self.code = code


def _word(value: Any) -> Any:
    if isinstance(value, int):
        return ctypes.c_uint64(value & (1 << 64) - 1)
    if isinstance(value, list | tuple):
        return (ctypes.c_uint64 * max(len(value), 1))(*value)
    return value


class OpenCl:
    """The functions of a library, by name. What gives a code other than 0 raises `ClError`."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = self._library[name]
        makes = name.startswith(_MAKERS) and name not in _MAKES_NO_OBJECT
        function.restype = ctypes.c_uint64 if makes else ctypes.c_int32

        def call(*arguments: Any) -> Any:
            code = ctypes.c_int32(1)
            words = [_word(argument) for argument in arguments]
            result = function(*words, ctypes.byref(code)) if makes else function(*words)
            given = code.value if makes else result
            if given != 0:
                raise ClError(name, given)
            return result

        return call

    def code(self, name: str, *arguments: Any) -> int:
        """The code that a function gives."""
        try:
            getattr(self, name)(*arguments)
        except ClError as error:
            return error.code
        return 0

    def query(self, name: str, *arguments: Any) -> bytes:
        """The value of clGet...Info, whatever its size."""
        size = ctypes.c_size_t()
        getattr(self, name)(*arguments, 0, None, ctypes.byref(size))
        room = ctypes.create_string_buffer(size.value)
        getattr(self, name)(*arguments, size.value, room, None)
        return room.raw

    def number(self, name: str, *arguments: Any) -> int:
        """A value that is a number without a sign."""
        return int.from_bytes(self.query(name, *arguments), "little")

    def devices(self) -> list[int]:
        """All devices of the platform."""
        platform, count = ctypes.c_uint64(), ctypes.c_uint32()
        self.clIcdGetPlatformIDsKHR(1, ctypes.byref(platform), None)
        found = (ctypes.c_uint64 * 8)()
        self.clGetDeviceIDs(platform, 0xFFFFFFFF, 8, found, ctypes.byref(count))
        return list(found[: count.value])

    def name(self, device: int) -> str:
        return self.query("clGetDeviceInfo", device, 0x102B).rstrip(b"\0").decode()


class Session:
    """A context of a device, or of several, and a queue of the first one."""

    def __init__(self, cl: OpenCl, devices: Sequence[int], flags: int = 0, notify: Any = None) -> None:
        self.cl, self.device = cl, devices[0]
        self.context = cl.clCreateContext(None, len(devices), list(devices), notify, None)
        self.queue = cl.clCreateCommandQueue(self.context, self.device, flags)
        self.program = 0

    def build(self, source: str, options: str = "") -> None:
        """Build a program for the first device; its kernels are then those of `run`."""
        text = ctypes.c_char_p(source.encode())
        self.program = self.cl.clCreateProgramWithSource(self.context, 1, ctypes.byref(text), None)
        self.cl.clBuildProgram(self.program, 1, [self.device], options.encode(), None, None)

    def buffer(self, contents: Any, flags: int = 1 << 5) -> int:
        """A buffer of an array's size, with its contents unless `flags` say otherwise."""
        host = contents if flags & (1 << 5 | 1 << 3) else None
        return self.cl.clCreateBuffer(self.context, flags, ctypes.sizeof(contents), host)

    def kernel(self, name: str, *arguments: Any) -> int:
        """A kernel with its arguments: buffers, values of ctypes, bytes of local memory in a list."""
        made = self.cl.clCreateKernel(self.program, name.encode())
        for number, argument in enumerate(arguments):
            if isinstance(argument, list):
                self.cl.clSetKernelArg(made, number, argument[0], None)
            elif isinstance(argument, int):
                self.cl.clSetKernelArg(made, number, 8, [argument])
            else:
                self.cl.clSetKernelArg(made, number, ctypes.sizeof(argument), ctypes.byref(argument))
        return made

    def launch(
        self, kernel: int, size: Sequence[int], local: Sequence[int] | None = None, offset: Sequence[int] | None = None
    ) -> int:
        """Enqueue a launch. Returns its event."""
        event = ctypes.c_uint64()
        given = [list(each) if each is not None else None for each in (offset, size, local)]
        self.cl.clEnqueueNDRangeKernel(self.queue, kernel, len(size), *given, 0, None, ctypes.byref(event))
        return event.value

    def read(self, buffer: int, like: Any) -> Any:
        """The contents of a buffer, after all that was enqueued before."""
        result = type(like)()
        self.cl.clEnqueueReadBuffer(self.queue, buffer, 1, 0, ctypes.sizeof(result), result, *NONE)
        return result

    def write(self, buffer: int, contents: Any, offset: int = 0) -> None:
        self.cl.clEnqueueWriteBuffer(self.queue, buffer, 1, offset, ctypes.sizeof(contents), contents, *NONE)

    def status(self, event: int) -> int:
        """The status of an event: 0 if it is complete, negative after an error."""
        return int.from_bytes(self.cl.query("clGetEventInfo", event, 0x11D3), "little", signed=True)

    def times(self, event: int) -> list[int]:
        """When a command was queued, submitted, started and ended, in nanoseconds."""
        return [self.cl.number("clGetEventProfilingInfo", event, what) for what in range(0x1280, 0x1284)]
