# SPDX-License-Identifier: Apache-2.0
"""lanewise.h for the tests, by ctypes. It imports nothing of lanewise: scripts load it in processes of their own."""

from __future__ import annotations

import ctypes
import enum
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Extent = tuple[int, int, int]
ONE: Extent = (1, 1, 1)


class Result(enum.IntEnum):
    SUCCESS = 0
    INVALID = 1
    NO_MEMORY = 2
    NOT_READY = 3
    NO_KERNEL = 4
    BAD_GEOMETRY = 5
    BAD_POINTER = 6
    LAUNCH_FAILED = 7
    WORK_FAILED = 8
    NOT_PERMITTED = 9
    NO_THREAD = 10


class Memory(enum.IntEnum):
    ANY = 0
    DEVICE = 1
    HOST = 2
    MANAGED = 3
    REGISTERED = 4
    VARIABLE = 5


NON_BLOCKING = 1
WAITED_FOR = 4
NO_TIMING = 1
COOPERATIVE = 1


class Allocation(ctypes.Structure):
    _fields_ = (
        ("address", ctypes.c_void_p),
        ("bytes", ctypes.c_uint64),
        ("kind", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
    )


class Launch(ctypes.Structure):
    _fields_ = (
        ("kernel", ctypes.c_void_p),
        ("args", ctypes.c_void_p),
        ("grid", ctypes.c_uint32 * 3),
        ("block", ctypes.c_uint32 * 3),
        ("dynamic_shared", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
    )


class Box(ctypes.Structure):
    _fields_ = (("bytes", ctypes.c_uint64), ("rows", ctypes.c_uint64), ("planes", ctypes.c_uint64))


class Pitch(ctypes.Structure):
    _fields_ = (("row", ctypes.c_uint64), ("plane", ctypes.c_uint64))


class Status(ctypes.Structure):
    """Its first fields; the texts are left out."""

    _fields_ = (
        ("kind", ctypes.c_uint32),
        ("line", ctypes.c_uint32),
        ("block", ctypes.c_uint32 * 3),
        ("thread", ctypes.c_uint32 * 3),
        ("rest", ctypes.c_char * (80 - 32 + 3 * 1024)),
    )


class Kind(enum.IntEnum):
    """Kinds of failures, of enum lw_kind."""

    TRAP = 1
    STUCK = 12


SIZES = {"lw_allocation": Allocation, "lw_kernel_launch": Launch, "lw_box": Box, "lw_pitch": Pitch, "lw_status": Status}

FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
DROPPED = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
HOOK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Launch), ctypes.POINTER(Status))

_POINTER, _U32, _U64, _OUT = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.POINTER(ctypes.c_void_p)
_NODE = (ctypes.POINTER(_U64), _U64, ctypes.POINTER(_U64))
_COPY = (_POINTER, Pitch, _POINTER, Pitch, Box)
_FILL = (_POINTER, Pitch, _U32, _U32, Box)
_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "lw_memory_allocate": (_U64, _U32, _U32, _OUT),
    "lw_memory_free": (_POINTER, _U32),
    "lw_memory_register": (_POINTER, _U64, _U32, _U32),
    "lw_memory_unregister": (_POINTER,),
    "lw_memory_find": (_POINTER, ctypes.POINTER(Allocation)),
    "lw_memory_nearest": (_POINTER, ctypes.POINTER(Allocation)),
    "lw_image_add": (_POINTER,),
    "lw_image_remove": (_POINTER,),
    "lw_image_find": (ctypes.c_char_p,),
    "lw_image_kernel": (_POINTER, ctypes.c_char_p),
    "lw_image_variable": (_POINTER, ctypes.c_char_p),
    "lw_variable_move": (_POINTER, ctypes.c_char_p, _POINTER),
    "lw_queue_create": (_U32, ctypes.c_int32, _OUT),
    "lw_queue_destroy": (_POINTER,),
    "lw_queue_flags_of": (_POINTER,),
    "lw_queue_priority": (_POINTER,),
    "lw_queue_launch": (_POINTER, ctypes.POINTER(Launch)),
    "lw_queue_copy": (_POINTER, *_COPY),
    "lw_queue_fill": (_POINTER, *_FILL),
    "lw_queue_call": (_POINTER, FUNCTION, _POINTER, _POINTER),
    "lw_queue_synchronize": (_POINTER,),
    "lw_queue_query": (_POINTER,),
    "lw_queue_failure": (_POINTER, ctypes.POINTER(Status), ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(_U32)),
    "lw_queue_clear_failure": (_POINTER,),
    "lw_set_failure_hook": (_POINTER,),
    "lw_flush_output": (ctypes.c_int32,),
    "lw_event_create": (_U32, _OUT),
    "lw_event_destroy": (_POINTER,),
    "lw_event_record": (_POINTER, _POINTER),
    "lw_queue_wait": (_POINTER, _POINTER),
    "lw_event_synchronize": (_POINTER,),
    "lw_event_query": (_POINTER,),
    "lw_event_elapsed": (ctypes.POINTER(ctypes.c_float), _POINTER, _POINTER),
    "lw_capture_begin": (_POINTER,),
    "lw_capture_end": (_POINTER, _OUT),
    "lw_is_captured": (_POINTER,),
    "lw_graph_create": (_OUT,),
    "lw_graph_copy": (_POINTER, _OUT),
    "lw_graph_destroy": (_POINTER,),
    "lw_graph_size": (_POINTER,),
    "lw_graph_add_launch": (_POINTER, ctypes.POINTER(Launch), *_NODE),
    "lw_graph_add_copy": (_POINTER, *_COPY, *_NODE),
    "lw_graph_add_fill": (_POINTER, *_FILL, *_NODE),
    "lw_graph_add_call": (_POINTER, FUNCTION, _POINTER, *_NODE),
    "lw_graph_launch": (_POINTER, _POINTER),
    "test_image": (),
    "other_image": (_U32, ctypes.c_char_p),
    "play_together": (ctypes.c_uint, _U32),
    "where_managed_is": (),
}
_RESULTS: dict[str, Any] = {
    "lw_image_find": _POINTER,
    "lw_image_kernel": _POINTER,
    "lw_image_variable": _POINTER,
    "lw_default_queue": _POINTER,
    "lw_explanation": ctypes.c_char_p,
    "lw_memory_used": _U64,
    "lw_printed_bytes": _U64,
    "lw_graph_size": _U64,
    "test_image": _POINTER,
    "other_image": _POINTER,
    "where_managed_is": _POINTER,
}


class Gate:
    """A flag that kernels wait for."""

    def __init__(self) -> None:
        self._cell = ctypes.c_uint32(0)

    @property
    def address(self) -> int:
        return ctypes.addressof(self._cell)

    def open(self) -> None:
        self._cell.value = 1


class Host:
    """The runtime and the tests' kernels. Attributes are the functions of lanewise.h, without `lw_`."""

    def __init__(self, path: Path | str) -> None:
        self.library = ctypes.CDLL(str(path))
        for name, arguments in _ARGUMENTS.items():
            getattr(self.library, name).argtypes = arguments
        for name, result in _RESULTS.items():
            getattr(self.library, name).restype = result
        self.image: int = self.library.test_image()
        assert self.image_add(self.image) == 0
        self._queues: list[int] = []
        self._memory: list[int] = []
        self._kept: list[object] = []  # functions that work may still call

    def __getattr__(self, name: str) -> Any:
        return getattr(self.library, name if name in _ARGUMENTS else f"lw_{name}")

    def tidy(self) -> None:
        """Wait for all work, drop failures, and give back what a test has made."""
        for queue in (*self._queues, self.default_queue()):
            self.queue_synchronize(queue)
            self.queue_clear_failure(queue)
        for queue in self._queues:
            self.queue_destroy(queue)
        for address in self._memory:
            assert self.memory_free(address, Memory.ANY) in (0, Result.INVALID)
        self._queues, self._memory, self._kept = [], [], []
        self.set_failure_hook(None)
        self.allow_host_pointers(0)

    @property
    def explanation(self) -> str:
        return self.library.lw_explanation().decode()

    # -- things of a test ------------------------------------------------------------------------------------------

    def queue(self, flags: int = 0, priority: int = 0) -> int:
        handle = ctypes.c_void_p()
        assert self.queue_create(flags, priority, ctypes.byref(handle)) == 0
        self._queues.append(handle.value or 0)
        return handle.value or 0

    def event(self, flags: int = 0) -> int:
        handle = ctypes.c_void_p()
        assert self.event_create(flags, ctypes.byref(handle)) == 0
        return handle.value or 0

    def graph(self) -> int:
        handle = ctypes.c_void_p()
        assert self.graph_create(ctypes.byref(handle)) == 0
        return handle.value or 0

    def end_capture(self, queue: int) -> tuple[int, int]:
        """The result and the graph."""
        handle = ctypes.c_void_p()
        result = self.capture_end(queue, ctypes.byref(handle))
        return result, handle.value or 0

    def allocate(self, nbytes: int, kind: int = Memory.DEVICE, flags: int = 0) -> int:
        handle = ctypes.c_void_p()
        assert self.memory_allocate(nbytes, kind, flags, ctypes.byref(handle)) == 0
        self._memory.append(handle.value or 0)
        return handle.value or 0

    def words(self, count: int) -> tuple[int, ctypes.Array[ctypes.c_uint64]]:
        """Address and contents of `count` zeros that kernels may access."""
        address = self.allocate(8 * count)
        view = (ctypes.c_uint64 * count).from_address(address)
        ctypes.memset(address, 0, 8 * count)
        return address, view

    def find(self, address: int) -> Allocation | None:
        found = Allocation()
        return found if self.memory_find(address, ctypes.byref(found)) else None

    # -- work ------------------------------------------------------------------------------------------------------

    def request(
        self,
        symbol: str,
        *arguments: int,
        grid: Extent = ONE,
        block: Extent = ONE,
        dynamic_shared: int = 0,
        flags: int = 0,
        image: int | None = None,
    ) -> Launch:
        kernel = self.image_kernel(image or self.image, symbol.encode())
        assert kernel
        packed = ctypes.create_string_buffer(struct.pack(f"{len(arguments)}Q", *arguments))
        made = Launch(kernel, ctypes.addressof(packed), grid, block, dynamic_shared, flags)
        self._kept.append(packed)
        return made

    def launch(self, queue: int, symbol: str, *arguments: int, **geometry: Any) -> Result:
        return Result(self.queue_launch(queue, ctypes.byref(self.request(symbol, *arguments, **geometry))))

    def hold(self, queue: int, gate: Gate) -> None:
        """Let the queue wait until the gate is open. The gate stays until the kernel has seen that."""
        self._kept.append(gate)
        assert self.launch(queue, "await_gate", gate.address) == 0

    def call(self, queue: int, function: Callable[[], int], dropped: Callable[[], None] | None = None) -> Result:
        called = FUNCTION(lambda _: function())
        given_up = DROPPED(lambda _: dropped()) if dropped is not None else None
        self._kept += [called, given_up]
        address = None if given_up is None else ctypes.cast(given_up, ctypes.c_void_p)
        return Result(self.queue_call(queue, called, address, None))

    def copy(self, queue: int, target: int, source: int, nbytes: int) -> Result:
        flat = Pitch(nbytes, nbytes)
        return Result(self.queue_copy(queue, target, flat, source, flat, Box(nbytes, 1, 1)))

    def hook(self, function: Callable[[int, Launch, Status], None]) -> None:
        hook = HOOK(lambda queue, launch, status: function(queue, launch.contents, status.contents))
        self._kept.append(hook)
        self.set_failure_hook(ctypes.cast(hook, ctypes.c_void_p))

    def failure(self, queue: int) -> tuple[Result, str | None, Status, int]:
        status, kernel, returned = Status(), ctypes.c_char_p(), ctypes.c_uint32()
        result = self.queue_failure(queue, ctypes.byref(status), ctypes.byref(kernel), ctypes.byref(returned))
        name = kernel.value.decode() if kernel.value is not None else None
        return Result(result), name, status, returned.value

    def log(self, entries: int = 1000) -> Log:
        return Log(self, entries)

    def node(self, after: Sequence[int] = ()) -> tuple[Any, int, Any]:
        """The last three arguments of lw_graph_add_...: the third gets the node's number."""
        return (ctypes.c_uint64 * len(after))(*after), len(after), ctypes.byref(ctypes.c_uint64())


class Log:
    """Numbers in the order in which kernels or functions wrote them."""

    def __init__(self, host: Host, entries: int) -> None:
        self._host = host
        self.address, self._words = host.words(entries + 1)

    @property
    def entries(self) -> list[int]:
        return list(self._words[1 : 1 + self._words[0]])

    def note(self, queue: int, value: int) -> Result:
        return self._host.launch(queue, "note", self.address, value)

    def request(self, value: int) -> Launch:
        return self._host.request("note", self.address, value)
