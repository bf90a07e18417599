# SPDX-License-Identifier: Apache-2.0
"""Calls of OpenCL's functions in the platform's library, without a loader: `cl.clFinish(queue)`.

Numbers and pointers are passed as words of 64 bits. A function that returns a code other than 0 raises `ClError`, and
so does one that creates an object and gives a code at its last argument, which is added here.
"""

import ctypes
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

GIVES_OBJECTS = frozenset(
    {
        "clCloneKernel",
        "clCreateBuffer",
        "clCreateBufferWithProperties",
        "clCreateCommandBufferKHR",
        "clCreateCommandQueue",
        "clCreateCommandQueueWithProperties",
        "clCreateContext",
        "clCreateContextFromType",
        "clCreateImage",
        "clCreateImage2D",
        "clCreateImage3D",
        "clCreateImageWithProperties",
        "clCreateKernel",
        "clCreatePipe",
        "clCreateProgramWithBinary",
        "clCreateProgramWithBuiltInKernels",
        "clCreateProgramWithIL",
        "clCreateProgramWithILKHR",
        "clCreateProgramWithSource",
        "clCreateSampler",
        "clCreateSamplerWithProperties",
        "clCreateSubBuffer",
        "clCreateUserEvent",
        "clDeviceMemAllocINTEL",
        "clEnqueueMapBuffer",
        "clEnqueueMapImage",
        "clHostMemAllocINTEL",
        "clLinkProgram",
        "clSharedMemAllocINTEL",
    }
)


class ClError(Exception):
    """A code that a function gave."""

    def __init__(self, name: str, code: int) -> None:
        super().__init__(f"{name}: {code}")
        self.code = code


def word(value: Any) -> Any:
    """An argument in the form that it is passed in."""
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    if isinstance(value, int):
        return ctypes.c_uint64(value & (1 << 64) - 1)
    if isinstance(value, list | tuple):
        return (ctypes.c_uint64 * max(len(value), 1))(*value)
    return value


class Interface:
    """The functions of a library, by name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._library = ctypes.CDLL(str(path))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = self._library[name]
        makes = name in GIVES_OBJECTS
        function.restype = ctypes.c_uint64 if makes else ctypes.c_int32

        def call(*arguments: Any) -> Any:
            code = ctypes.c_int32(1)
            words = [word(argument) for argument in arguments]
            result = function(*words, ctypes.byref(code)) if makes else function(*words)
            given = code.value if makes else result
            if given != 0:
                raise ClError(name, given)
            return result if makes else None

        return call

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

    def status(self, event: int) -> int:
        """The status of an event: CL_COMPLETE is 0, errors are negative."""
        return int.from_bytes(self.query("clGetEventInfo", event, 0x11D3), "little", signed=True)


class Session:
    """A context of the CPU with a queue, and shorter forms of what most tests do."""

    def __init__(self, cl: Interface, flags: int = 0, notify: Any = None) -> None:
        self.cl = cl
        self.platform, self.device = first_device(cl)
        self.context: int = cl.clCreateContext(None, 1, [self.device], notify, None)
        self.queue: int = cl.clCreateCommandQueue(self.context, self.device, flags)

    def buffer(self, array: Any, flags: int = 1 << 5) -> int:
        """A buffer with the contents of an array (CL_MEM_COPY_HOST_PTR)."""
        return int(self.cl.clCreateBuffer(self.context, flags, array.nbytes, array))

    def program(self, source: str, options: str = "") -> int:
        """A program that has been built."""
        text = ctypes.c_char_p(source.encode())
        program: int = self.cl.clCreateProgramWithSource(self.context, 1, ctypes.byref(text), None)
        self.cl.clBuildProgram(program, 0, None, options.encode(), None, None)
        return program

    def kernel(self, source: str, name: str, *arguments: Any, options: str = "") -> int:
        """A kernel of a program of its own, with its arguments: buffers, arrays as values, bytes of local memory in a
        list."""
        kernel: int = self.cl.clCreateKernel(self.program(source, options), name.encode())
        self.set(kernel, *arguments)
        return kernel

    def set(self, kernel: int, *arguments: Any) -> None:
        for number, argument in enumerate(arguments):
            if isinstance(argument, list):
                self.cl.clSetKernelArg(kernel, number, argument[0], None)
            elif isinstance(argument, np.ndarray | np.generic):
                value = np.array(argument)
                self.cl.clSetKernelArg(kernel, number, value.nbytes, value)
            else:
                self.cl.clSetKernelArg(kernel, number, 8, [argument])

    def run(
        self,
        kernel: int,
        size: Sequence[int],
        local: Sequence[int] | None = None,
        offset: Sequence[int] | None = None,
        waits: Sequence[int] = (),
        event: Any = None,
    ) -> None:
        """A launch, enqueued."""
        self.cl.clEnqueueNDRangeKernel(
            self.queue, kernel, len(size), offset, list(size), local, len(waits), list(waits) or None, event
        )

    def read(self, buffer: int, like: Any) -> Any:
        """The contents of a buffer, after all that was enqueued before."""
        result = np.empty_like(like)
        self.cl.clEnqueueReadBuffer(self.queue, buffer, 1, 0, result.nbytes, result, 0, None, None)
        return result

    def event(self, name: str, *arguments: Any) -> int:
        """The event of an enqueued command."""
        event = ctypes.c_uint64()
        getattr(self.cl, name)(*arguments, ctypes.byref(event))
        return event.value


def first_device(cl: Interface) -> tuple[int, int]:
    """The platform and its device."""
    platform, device = ctypes.c_uint64(), ctypes.c_uint64()
    cl.clIcdGetPlatformIDsKHR(1, ctypes.byref(platform), None)
    cl.clGetDeviceIDs(platform, 0xFFFFFFFF, 1, ctypes.byref(device), None)
    return platform.value, device.value
