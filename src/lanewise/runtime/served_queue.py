# SPDX-License-Identifier: Apache-2.0
"""Queues of work that threads of Python serve: the Python side of `queue/served.h`.

Machine code in a queue runs without Python's lock. For all other work, the serving thread comes back to Python.

Adding work is one call into C that keeps Python's lock: a signal handler may raise before it or after it.
"""

import ctypes
import functools
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, final

from lanewise.cache import Cache
from lanewise.runtime.build import queue_library
from lanewise.runtime.library import load
from lanewise.runtime.native_launch import NativeLaunch

_SLICE_NS: Final = 50_000_000
"""Time after which a wait returns to Python, for its signal handlers."""

_NON_BLOCKING: Final = 1
_ORIGIN: Final = 2


class ServedWork(ctypes.Structure):
    """struct lw_served_work: work for the serving thread."""

    _fields_ = (("token", ctypes.c_uint64), ("launch", ctypes.c_int64))
    token: int
    launch: int


class _Blame(ctypes.Structure):
    """struct lw_blame."""

    _fields_ = (("queue", ctypes.c_void_p), ("failure", ctypes.c_uint64))
    queue: int | None
    failure: int


class _Step(ctypes.Structure):
    """struct lw_step."""

    _fields_ = (
        ("core", ctypes.c_void_p),
        ("request", ctypes.c_char_p),
        ("args", ctypes.c_char_p),
        ("token", ctypes.c_uint64),
        ("after", ctypes.c_void_p),
        ("num_after", ctypes.c_uint32),
        ("lane", ctypes.c_uint32),
    )


# enum lw_served_result: why serving came back to Python.
WORK: Final = 0
IDLE: Final = 1
ENDED: Final = 2

# Results of lw_origin_begin.
_NO_MEMORY: Final = 2
_NOT_READY: Final = 3
_FAILED: Final = 8


class Blame(NamedTuple):
    """A failure that work without a stream would inherit."""

    queue: int
    """Address of the queue that has failed."""
    failure: int


class _Library:
    """The functions of the library. Waits give Python's lock away, other functions keep it."""

    def __init__(self, cache: Cache) -> None:
        source = queue_library(cache)
        try:
            waiting = load(source)
        except OSError:
            waiting = load(queue_library(cache))  # another process has evicted it since
        short = ctypes.PyDLL(waiting._name, handle=waiting._handle)
        pointer, u64, i32, u32 = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int32, ctypes.c_uint32

        def function(library: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Any:
            found = library[name]
            found.restype, found.argtypes = result, arguments
            return found

        self.create = function(short, "lw_served_create", pointer, u32)
        self.close = function(short, "lw_served_close", None, pointer)
        self.release = function(short, "lw_served_release", None, pointer)
        self.post = function(short, "lw_served_post", u64, pointer, u64)
        self.post_request = function(
            short, "lw_served_post_request", u64, pointer, u64, pointer, ctypes.c_char_p, ctypes.c_char_p
        )
        self.wait = function(short, "lw_served_wait", u64, pointer, pointer, i32)
        self.post_steps = function(short, "lw_served_post_steps", u64, pointer, pointer, u64, pointer)
        self.attach = function(short, "lw_served_attach", None, pointer)
        self.serve = function(waiting, "lw_served_serve", i32, pointer, u64, pointer)
        self.added = function(short, "lw_served_added", u64, pointer)
        self.done = function(short, "lw_served_done", u64, pointer)
        self.await_queue = function(waiting, "lw_served_await", i32, pointer, u64, u64)
        self.failure = function(short, "lw_served_failure", u64, pointer)
        self.clear = function(short, "lw_served_clear", None, pointer, u64)
        self.forgotten = function(short, "lw_forgotten_failure", u64)
        self.mark = function(short, "lw_served_mark", pointer, pointer)
        self.mark_now = function(short, "lw_mark_now", pointer)
        self.release_mark = function(short, "lw_mark_release", None, pointer)
        self.mark_reached = function(short, "lw_mark_reached", i32, pointer)
        self.mark_time = function(short, "lw_mark_time", u64, pointer)
        self.mark_failure = function(short, "lw_mark_failure", u64, pointer)
        self.await_mark = function(waiting, "lw_mark_await", i32, pointer, u64)
        self.origin_begin = function(waiting, "lw_origin_begin", i32, pointer, u64, pointer)
        self.origin_is_idle = function(short, "lw_origin_is_idle", i32, pointer)
        self.origin_end = function(short, "lw_origin_end", None, pointer)


@functools.cache
def _library(cache: Cache) -> _Library:
    return _Library(cache)


class _Owner(weakref.ref[Any]):
    """A reference to the owner of a thing in the library."""

    __slots__ = ("address", "release")
    address: int
    release: Callable[[int], None]


_owners: Final[set[_Owner]] = set()
_gone: Final[deque[_Owner]] = deque()


def _own(owner: object, address: int, release: Callable[[int], None]) -> None:
    """Release the thing at `address` some time after its owner is gone. A `__del__` would be Python code, in which an
    exception from a signal handler, such as KeyboardInterrupt, is lost."""
    while _gone:
        gone = _gone.popleft()
        _owners.discard(gone)
        gone.release(gone.address)
    reference = _Owner(owner, _gone.append)
    reference.address, reference.release = address, release
    _owners.add(reference)


class _Handle:
    """A queue of the library, which is given up after its last reference is gone."""

    __slots__ = ("__weakref__", "address", "library", "pointer")

    def __init__(self, cache: Cache, flags: int) -> None:
        self.library: Final = _library(cache)
        self.address: Final[int] = self.library.create(flags) or 0
        if not self.address:
            raise MemoryError("no memory for a queue")
        _own(self, self.address, self.library.release)
        # A foreign argument that is a ctypes object already isn't converted again at each call.
        self.pointer: Final = ctypes.c_void_p(self.address)


@final
class Mark:
    """A place in a queue: the end of the work that it had when the mark was made.

    In the child of a fork, marks of the parent's queues are reached: that work is not the child's.
    """

    __slots__ = ("__weakref__", "_library", "address")

    def __init__(self, library: _Library, address: int | None) -> None:
        self._library: Final = library
        self.address: Final[int] = address or 0
        if not self.address:
            raise MemoryError("no memory for a mark")
        _own(self, self.address, library.release_mark)

    @property
    def reached(self) -> bool:
        return bool(self._library.mark_reached(self.address))

    @property
    def time_ns(self) -> int:
        """Time when it was reached; 0 if it was not, in this process."""
        return self._library.mark_time(self.address)

    @property
    def failure(self) -> int:
        """The failure of the work before it, as `ServedQueue.failure`."""
        return self._library.mark_failure(self.address)

    def wait(self) -> None:
        """Return when it is reached. Signals are handled meanwhile, so that KeyboardInterrupt ends the wait."""
        while not self._library.await_mark(self.address, _SLICE_NS):
            pass


def mark_now(cache: Cache) -> Mark:
    """A mark of this moment."""
    library = _library(cache)
    return Mark(library, library.mark_now())


@final
class ServedQueue:
    """Work in order, for a thread that calls `serve`. Pieces of work have tokens, numbers other than 0 that its user
    chooses, and their place as a number, which counts from 1."""

    __slots__ = ("_handle", "_library", "_pointer")

    def __init__(self, cache: Cache, blocking: bool) -> None:
        """`blocking`: in order with the work of origins."""
        self._handle: Final = _Handle(cache, 0 if blocking else _NON_BLOCKING)
        self._library: Final = self._handle.library
        self._pointer: Final = self._handle.pointer

    @property
    def address(self) -> int:
        """Identifies it in a `Blame`."""
        return self._handle.address

    # -- work --------------------------------------------------------------------------------------------------

    def post(self, token: int) -> int:
        """Add work that the serving thread does in Python; its number."""
        return _number(self._library.post(self._pointer, token))

    def post_launch(self, token: int, launch: NativeLaunch) -> int:
        """Add machine code; its number. If it fails, prints, or takes long, the serving thread gets it as work."""
        posted = self._library.post_request(self._pointer, token, launch.core, launch.request, launch.args)
        return _number(posted)

    def wait_for(self, mark: Mark, order_only: bool = False) -> None:
        """Delay further work until `mark` is reached. If the work before that failed, so does this queue's, unless
        `order_only`."""
        _number(self._library.wait(self._pointer, mark.address, order_only))

    def mark(self) -> Mark:
        """The end of the present work."""
        return Mark(self._library, self._library.mark(self._pointer))

    # -- serving -----------------------------------------------------------------------------------------------

    def attach(self) -> None:
        """Begin to serve, in this thread."""
        self._library.attach(self._pointer)

    def serve(self, work: ServedWork, failure: int) -> int:
        """Do machine code in this thread until there is `work` for Python, or another reason to come back: `WORK`,
        `IDLE` if nothing came for a while and work has ended, `ENDED`. `failure`: 0, or a
        number of its own for why the work that the last call returned has failed."""
        return self._library.serve(self._pointer, failure, ctypes.byref(work))

    def close(self) -> None:
        """Let serving end when all work is done. May be called at any point of any thread."""
        self._library.close(self._pointer)

    # -- state -------------------------------------------------------------------------------------------------

    @property
    def added(self) -> int:
        """Number of the last work."""
        return self._library.added(self._pointer)

    @property
    def done(self) -> int:
        """Number up to which all work has ended."""
        return self._library.done(self._pointer)

    def wait(self, number: int) -> None:
        """Return when the work up to `number` has ended. Signals are handled meanwhile."""
        while not self._library.await_queue(self._pointer, number, _SLICE_NS):
            pass

    @property
    def failure(self) -> int:
        """The failure that stopped it: its own, or that of work that it waited for; 0 if there is none, `NO_MEMORY` if
        there was no memory for its name."""
        return self._library.failure(self._pointer)

    def clear(self, failure: int) -> None:
        """Let the queue go on, if `failure` is what stopped it."""
        self._library.clear(self._pointer, failure)

    def forgotten_failures(self) -> list[int]:
        """Failures that no queue and no mark knows of any more; each is told once."""
        return list(iter(self._library.forgotten, 0))


class QueueStep(NamedTuple):
    """A piece of work of several queues."""

    token: int
    launch: NativeLaunch | None
    """The work as machine code; None: the serving thread does it in Python."""
    lane: int
    """Index of its queue."""
    after: tuple[int, ...]
    """Indices of earlier steps of other queues that must be done before it."""


@final
class QueueSteps:
    """Work that is added to queues as a whole, again and again."""

    def __init__(self, steps: Sequence[QueueStep]) -> None:
        self._steps: Final = (_Step * len(steps))()
        self._numbers: Final = (ctypes.c_uint64 * len(steps))()
        self._kept: Final[list[object]] = []
        for to, step in zip(self._steps, steps, strict=True):
            to.token, to.lane, to.num_after = step.token, step.lane, len(step.after)
            if step.after:
                after = (ctypes.c_uint64 * len(step.after))(*step.after)
                to.after = ctypes.addressof(after)
                self._kept.append(after)
            if step.launch is not None:
                to.core, to.request, to.args = step.launch.core, step.launch.request, step.launch.args
                self._kept.append(step.launch)

    def post(self, queues: Sequence[ServedQueue]) -> int:
        """Add all steps; the number of the last one in its queue. MemoryError."""
        count = len(self._steps)
        if not count:
            return 0
        addresses = (ctypes.c_void_p * len(queues))(*(queue.address for queue in queues))
        library = queues[0]._library  # pyright: ignore[reportPrivateUsage] : of this file
        if library.post_steps(addresses, self._steps, count, self._numbers) != count:
            raise MemoryError("no memory for the work of a graph")
        return self._numbers[count - 1]


@final
class Origin:
    """The default stream of one thread: work that the thread does itself, in order with all blocking queues."""

    __slots__ = ("_blame", "_handle", "end")

    def __init__(self, cache: Cache) -> None:
        self._handle: Final = _Handle(cache, _ORIGIN)
        self._blame: Final = _Blame()
        self.end: Final[Callable[[], None]] = functools.partial(self._handle.library.origin_end, self._handle.pointer)
        """Let later work of blocking queues go on. It has no code in Python, at whose entry a signal handler could
        raise before the work has ended."""

    def is_idle(self) -> bool:
        """False between `begin` and `end`."""
        return bool(self._handle.library.origin_is_idle(self._handle.pointer))

    def begin(self) -> Blame | None:
        """Wait for the present work of all blocking queues, and hold their later work back until `end`. The result is
        a failure of such a queue. Signals are handled meanwhile; `end` is to be called after an exception, too."""
        handle, blame = self._handle, self._blame
        begin = handle.library.origin_begin
        while (result := begin(handle.pointer, _SLICE_NS, ctypes.byref(blame))) == _NOT_READY:
            pass
        if result == _NO_MEMORY:
            raise MemoryError("no memory for the order of streams")
        return Blame(blame.queue or 0, blame.failure) if result == _FAILED else None


def _number(number: int) -> int:
    if not number:
        raise MemoryError("no memory for work in a queue")
    return number
