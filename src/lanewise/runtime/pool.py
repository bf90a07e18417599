# SPDX-License-Identifier: Apache-2.0
"""Pools of threads that run launches: the Python side of the runtime core.

A launch is one foreign call in the common case. It releases Python's lock, runs for at most 50 ms, and returns, so that
Python can run its signal handlers. It is called again until the launch has ended.
"""

from __future__ import annotations

import ctypes
import os
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, final

from lanewise.cache import Cache
from lanewise.config import MAX_THREADS, watchdog
from lanewise.errors import Error
from lanewise.runtime.build import core_library
from lanewise.runtime.caches import last_level_cache_bytes
from lanewise.runtime.guarded_memory import GuardedMemory, declare
from lanewise.runtime.library import load
from lanewise.runtime.native_launch import core
from lanewise.runtime.status import SUCCESS, Access, Failure, Known, Outcome
from lanewise.runtime.trial import Trial

Extent = tuple[int, int, int]
"""A size in x, y and z."""

# struct lw_request of lanewise_rt.h.
_REQUEST = struct.Struct("@P2Q8IP")
_COOPERATIVE: Final = 1
_FLUSH_DENORMALS: Final = 2

CREW_STACK_BYTES: Final = 256 << 10
"""Stack of each work-group of a cooperative launch."""

CREW_BYTES: Final = 1 << 30
"""Limit on memory for the stacks and arenas of a cooperative launch, whose work-groups are all resident at the same
time."""


class _Status(ctypes.Structure):
    """struct lw_status of lanewise_rt.h."""

    _fields_ = (
        ("kind", ctypes.c_uint32),
        ("line", ctypes.c_uint32),
        ("block", ctypes.c_uint32 * 3),
        ("thread", ctypes.c_uint32 * 3),
        ("output_bytes", ctypes.c_uint64),
        ("address", ctypes.c_uint64),
        ("signal", ctypes.c_uint32),
        ("access", ctypes.c_uint32),
        ("known", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("instruction", ctypes.c_uint64),
        ("caller", ctypes.c_uint64),
        ("message", ctypes.c_char * 1024),
        ("file", ctypes.c_char * 1024),
        ("function", ctypes.c_char * 1024),
    )
    kind: int
    line: int
    block: ctypes.Array[ctypes.c_uint32]
    thread: ctypes.Array[ctypes.c_uint32]
    output_bytes: int
    address: int
    signal: int
    access: int
    known: int
    reserved: int
    instruction: int
    caller: int
    message: bytes
    file: bytes
    function: bytes


@final
class Pool:
    """A pool of threads, started with the first work. Any thread may launch at any time.

    The child of a fork starts with new threads. Pools live as long as the process.
    """

    __slots__ = ("_handle", "_library", "_num_threads", "_start", "core")

    def __init__(self, num_threads: int, cache: Cache) -> None:
        """A pool of 1 to 1024 threads, the launching one included; `cache` keeps the compiled core."""
        self._library = library = _load_core(cache)
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        library.lw_pool_create.restype = pointer
        library.lw_pool_create.argtypes = (ctypes.c_uint32,)
        library.lw_pool_set_threads.argtypes = (pointer, ctypes.c_uint32)
        library.lw_start.restype = number
        library.lw_start.argtypes = (pointer, ctypes.c_char_p, ctypes.c_char_p)
        library.lw_resume.argtypes = (pointer, number, ctypes.c_uint64)
        library.lw_cancel.argtypes = (pointer, number)
        library.lw_status_of.argtypes = (pointer, number, pointer)
        library.lw_take_output.argtypes = (pointer, number, pointer)
        library.lw_release.argtypes = (pointer, number)
        library.lw_abandon.argtypes = (pointer,)
        library.lw_set_cache_bytes.argtypes = (ctypes.c_uint64,)
        library.lw_trial_begin.restype = None
        library.lw_trial_begin.argtypes = (pointer, pointer, ctypes.c_uint64)
        library.lw_start_detached.argtypes = (pointer, pointer, ctypes.c_int32)
        declare(library)
        self.set_cache_bytes(last_level_cache_bytes())
        self._num_threads = _checked_threads(num_threads)
        watchdog()  # short launches never read the setting: an invalid one is reported here
        handle = library.lw_pool_create(num_threads)
        if not handle:
            raise MemoryError("no memory for a pool of threads")
        # A foreign argument that is a ctypes object already isn't converted again at each call.
        self._handle = pointer(handle)
        self._start = library.lw_start
        self.core: Final = core(_address(library.lw_start), handle, _address(library.lw_abandon))
        """Address of the struct lw_core that queues launch by."""

    @property
    def num_threads(self) -> int:
        """Threads that work on a launch, the launching one included."""
        return self._num_threads

    def set_num_threads(self, num_threads: int) -> None:
        """Change the number of threads, 1 to 1024, for launches from now on."""
        self._num_threads = _checked_threads(num_threads)
        self._library.lw_pool_set_threads(self._handle, num_threads)

    def set_cache_bytes(self, bytes_: int) -> None:
        """Set the size of the last-level caches. In all pools, launches that store more may use non-temporal stores."""
        self._library.lw_set_cache_bytes(bytes_)

    def launch(
        self,
        function: int,
        grid: Extent,
        block: Extent,
        args: bytes,
        arena_bytes: int,
        dynamic_shared: int = 0,
        timeout: float | None = None,
        cooperative: bool = False,
        flush_denormals: bool = False,
        trial: int = 0,
        meanwhile: Callable[[], None] | None = None,
    ) -> Outcome:
        """Run the work-group function (`lw_group_fn`) at address `function` over `grid`, and wait.

        `args` are the packed kernel arguments, `arena_bytes` is the size of each thread's arena, and `dynamic_shared`
        the size in bytes that the function receives. `timeout` is in seconds; after it, the launch ends within 0.1 s,
        wherever its work-groups are. `cooperative`: all work-groups are resident at the same time, in at most
        `CREW_BYTES`. `flush_denormals`: denormal numbers count as 0. `trial`: the address of a `Trial`, of another code
        that may run some work-groups; 0 for none. `meanwhile` is called every 50 ms that the launch takes. The caller
        has checked the extents: each is at least 1 and below 2^32. If all threads of a launch without a timeout wait in
        loops for a change that nobody makes, it ends with `Failure.STUCK`, after the time of
        `lanewise.config.watchdog`.

        The outcome of a success without output is the object `SUCCESS`. An exception from a signal handler, such as
        KeyboardInterrupt, ends the launch and propagates.
        """
        flags = cooperative * _COOPERATIVE
        request = packed_request(
            function, grid, block, len(args), arena_bytes, dynamic_shared, flush_denormals, flags, trial
        )
        try:
            # The number is negative while the pool runs as many launches as it can hold.
            while (number := self._start(self._handle, request, args)) < 0:
                pass
            return SUCCESS if number == 0 else self._finish(number, timeout, meanwhile)
        except BaseException:
            # A signal handler may raise at any point, even before `number` has its value.
            self._library.lw_abandon(self._handle)
            raise

    def finish(self, number: int, timeout: float | None = None, meanwhile: Callable[[], None] | None = None) -> Outcome:
        """Wait for a launch that a queue has begun in this thread, by its number. Otherwise as `launch`."""
        try:
            return self._finish(number, timeout, meanwhile)
        except BaseException:
            self._library.lw_abandon(self._handle)
            raise

    def allocate(self, nbytes: int, zeroed: bool) -> GuardedMemory:
        """Memory between pages that can't be accessed. Launches of this pool check the bytes next to it."""
        return GuardedMemory(self._library, nbytes, zeroed)

    def start_detached(self, words: Sequence[str], variables: Mapping[str, str], connection: int) -> bool:
        """Start the program words[0], with these words and variables, to work for this process: no wait for children
        returns it, and no signal tells of its end. It has the socket `connection` as its descriptor 3, and nothing else
        of this process. False if it can't be started."""
        named = [f"{name}={value}" for name, value in variables.items()]
        texts = [(ctypes.c_char_p * (len(each) + 1))(*map(os.fsencode, each)) for each in (words, named)]
        return self._library.lw_start_detached(*texts, connection) > 0

    def cancel(self) -> None:
        """End all launches that run in this pool; they return with `Failure.CANCELLED`."""
        self._library.lw_cancel(self._handle, 0)

    def new_trial(self, long_ns: int = 0) -> Trial:
        """A trial in which launches of this pool may take part; `long_ns` as for `Trial`."""
        return Trial(self._library.lw_trial_begin, long_ns)

    def _finish(self, number: int, timeout: float | None, meanwhile: Callable[[], None] | None = None) -> Outcome:
        library, handle = self._library, self._handle
        end = None if timeout is None else time.monotonic() + timeout
        late = False
        # A launch that has a timeout ends by that.
        patience = round((watchdog() or 0) * 1e9) if timeout is None else 0
        if meanwhile is not None:
            meanwhile()
        while not library.lw_resume(handle, number, patience):
            if meanwhile is not None:
                meanwhile()
            if end is not None and not late and time.monotonic() >= end:
                library.lw_cancel(handle, number)
                late = True
        status = _Status()
        library.lw_status_of(handle, number, ctypes.byref(status))
        output = ctypes.create_string_buffer(status.output_bytes)
        library.lw_take_output(handle, number, output)
        library.lw_release(handle, number)
        failure = Failure(status.kind)
        outcome = Outcome(
            Failure.TIMED_OUT if late and failure is Failure.CANCELLED else failure,
            (status.block[0], status.block[1], status.block[2]),
            (status.thread[0], status.thread[1], status.thread[2]),
            status.message.decode(errors="replace"),
            status.file.decode(errors="replace"),
            status.line,
            status.function.decode(errors="replace"),
            output.raw,
            status.address,
            status.signal,
            Access(status.access),
            Known(status.known),
            status.instruction,
            status.caller,
        )
        return SUCCESS if outcome == SUCCESS else outcome


def packed_request(
    function: int,
    grid: Extent,
    block: Extent,
    args_bytes: int,
    arena_bytes: int,
    dynamic_shared: int,
    flush_denormals: bool,
    flags: int = 0,
    trial: int = 0,
) -> bytes:
    """The struct lw_request of a launch."""
    flags |= flush_denormals * _FLUSH_DENORMALS
    return _REQUEST.pack(function, arena_bytes, args_bytes, *grid, *block, dynamic_shared, flags, trial)


def _load_core(cache: Cache) -> ctypes.CDLL:
    source = core_library(cache)
    try:
        return load(source)
    except OSError:
        # Another process has evicted it since: it is compiled again.
        return load(core_library(cache))


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _checked_threads(num_threads: int) -> int:
    if not 1 <= num_threads <= MAX_THREADS:
        raise Error(f"a pool has 1 to {MAX_THREADS} threads, not {num_threads}")
    return num_threads
