# SPDX-License-Identifier: Apache-2.0
"""A queue of work and the thread that runs it, one piece after the other.

A signal handler may raise at any point of the thread that adds work, and an object may be collected at any point of any
thread. So adding work and waking the thread are one call into C, and `close` takes no lock.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from operator import call
from queue import SimpleQueue
from typing import Any, Final, Protocol, cast, final

from lanewise.errors import LaunchError
from lanewise.streams.moment import Moment

_call: Final = cast("Callable[[Callable[[Any], object], Any], object]", call)


class Work(Protocol):
    """Work for a queue's thread."""

    def run(self) -> None: ...


@final
class WorkThread(threading.Thread):
    """The thread of a queue. Only its type is used: it identifies the current thread."""


@final
class WorkQueue:
    """Work in order. After a failure, further work is dropped until the failure is cleared; moments are still
    reached."""

    def __init__(self, name: str, blocking: bool) -> None:
        self.name: Final = name
        self.blocking: Final = blocking
        """True if it is in order with the default stream's work."""
        self.failure: BaseException | None = None
        """The failure that stopped it; None again once it has been reported."""
        self._closed = False
        self._reset()

    def _reset(self) -> None:
        self._pending: deque[Work | Moment] = deque()
        self._wake: SimpleQueue[None] = SimpleQueue()
        self._working = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """True if there is work that has not ended."""
        return bool(self._pending)

    @property
    def calm(self) -> bool:
        """True if there is neither work nor a failure."""
        return not self._pending and self.failure is None

    def put(self, *work: Work | Moment, retire: Callable[[WorkQueue], bool]) -> None:
        """Add work at the end, and start the thread if there is none.

        The thread of a closed queue without work calls `retire`, which returns False if work has been added since.
        LaunchError if the system can't start a thread; then nothing is added.
        """
        if self._thread is None:
            self._start(retire)
        steps: tuple[Callable[[Any], object], ...] = (self._pending.extend, self._wake.put)
        any(map(_call, steps, (work, None)))  # both, as one call into C

    def _start(self, retire: Callable[[WorkQueue], bool]) -> None:
        thread = WorkThread(target=self._work, args=(retire,), name=f"lanewise {self.name}", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            # A signal handler that raises while start() waits for the thread can leave start() failing to release a
            # lock: then the thread exists, and the handler's exception is the context.
            if thread in threading.enumerate():
                raise error.__context__ or error from None
            raise LaunchError(f"{self.name} gets no thread: {error}") from None
        self._thread = self._thread or thread

    def close(self) -> None:
        """Let the thread end when all work is done. May be called at any point of any thread."""
        self._closed = True
        self._wake.put(None)

    def join(self) -> None:
        """Wait until a closed queue's thread has ended."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def forget(self) -> None:
        """Reset the queue in the child of a fork, without the thread and the work of the parent."""
        self.failure = None
        self._reset()

    def _work(self, retire: Callable[[WorkQueue], bool]) -> None:
        # A second thread exists if a signal arrived while the first one started; it has nothing to do.
        if not self._working.acquire(blocking=False):
            return
        self._thread = threading.current_thread()
        while True:
            while self._pending:
                self._do_first()
            if not self._closed:
                self._wake.get()
            elif retire(self):
                break
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure  # not reported yet: threading.excepthook prints it

    def _do_first(self) -> None:
        work = self._pending[0]
        if isinstance(work, Moment):
            self._pending.popleft()  # before the release, so that a waiting thread doesn't find the queue busy
            work.reach(self.failure)
            return
        try:
            if self.failure is None:
                work.run()
        except BaseException as failure:  # of any kind: it is raised when the host waits for the queue
            self.failure = failure
        finally:
            self._pending.popleft()

    def retired(self) -> None:
        """Let the next work start a new thread."""
        self._thread = None
        self._working = threading.Lock()
