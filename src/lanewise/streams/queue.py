# SPDX-License-Identifier: Apache-2.0
"""A queue of the host runtime, and the thread of Python that serves it.

Machine code in the queue runs without Python. Other work runs as a call in Python, in the same thread.

A signal handler may raise at any point of the thread that adds work, and an object may be collected at any point of any
thread. So adding work and waking the thread are one call into C, and `close` takes no lock of Python.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Protocol, final

from lanewise.errors import LaunchError
from lanewise.runtime import NativeLaunch
from lanewise.runtime.served_queue import IDLE, WORK, QueueSteps, ServedQueue, ServedWork
from lanewise.session import session_of_this_process
from lanewise.streams.failures import failure_of, keep_failure
from lanewise.streams.work_thread import WorkThread

_tokens: Final = itertools.count(1)
_MANY: Final = 32
"""Pieces of work after which a queue looks for those that have ended."""


class Work(Protocol):
    """Work for a queue's thread."""

    def run(self) -> None: ...

    def native(self) -> NativeLaunch | None:
        """The work as a launch that needs no Python; None if it is to be run."""
        ...


Posted = Work | NativeLaunch
"""Work as a queue has it: `native()` of it, unless that is None."""


def posted(work: Work) -> Posted:
    return work.native() or work


_steps: Final[dict[int, Posted]] = {}
"""QueueSteps of graphs, by their tokens."""


def name_steps(steps: Sequence[Posted]) -> list[int]:
    """Tokens of a graph's steps, until `forget_steps`."""
    tokens = [next(_tokens) for _ in steps]
    _steps.update(zip(tokens, steps, strict=True))
    return tokens


def forget_steps(tokens: Sequence[int]) -> None:
    for token in tokens:
        _steps.pop(token, None)


@final
class Queue:
    """Work in order. After a failure, further work is dropped until the failure is cleared; marks are still reached."""

    def __init__(self, name: str, blocking: bool) -> None:
        self.name: Final = name
        self.blocking: Final = blocking
        """True if it is in order with the default stream's work."""
        self.native: Final = ServedQueue(session_of_this_process().cache, blocking)
        self._reset()

    def _reset(self) -> None:
        self._dropping = threading.RLock()  # reentrant: what is dropped may have finalizers
        self._posted: dict[int, Posted] = {}
        self._graphs: dict[int, object] = {}
        self._kept: deque[tuple[int, int]] = deque()  # numbers and tokens of both
        self._working = threading.Lock()
        self._thread: threading.Thread | None = None

    # -- adding; the thread has been started -------------------------------------------------------------------

    def put(self, work: Work) -> None:
        """Add work."""
        token, native = next(_tokens), self.native
        launch = work.native()
        if launch is None:
            self._posted[token] = work
            self._keep(native.post(token), token)
        else:
            self._posted[token] = launch
            self._keep(native.post_launch(token, launch), token)

    def put_steps(self, steps: QueueSteps, graph: object) -> None:
        """Add the steps of a graph, which is kept until they have ended."""
        token = next(_tokens)
        self._graphs[token] = graph
        self._keep(steps.post([self.native]), token)

    def _keep(self, number: int, token: int) -> None:
        self._kept.append((number, token))
        if not len(self._kept) % _MANY:
            self.drop_done()

    def start(self, retire: Callable[[Queue], bool]) -> None:
        """Start the thread unless there is one. LaunchError if the system can't.

        The thread of a closed queue without work calls `retire`, which returns False if work has been added since.
        """
        if self._thread is not None:
            return
        thread = WorkThread(target=self._serve, args=(retire,), name=f"lanewise {self.name}", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            # A signal handler that raises while start() waits for the thread can leave start() failing to release a
            # lock: then the thread exists, and the handler's exception is the context.
            if thread in threading.enumerate():
                raise error.__context__ or error from None
            raise LaunchError(f"{self.name} gets no thread: {error}") from None
        self._thread = self._thread or thread

    # -- state -------------------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """True if there is work that has not ended."""
        return self.native.done < self.native.added

    @property
    def failure(self) -> BaseException | None:
        """The failure that stopped it; None again once it has been taken."""
        return failure_of(self.native.failure)

    def take_failure(self) -> BaseException | None:
        """The failure that stopped it; it goes on."""
        number = self.native.failure
        failure = failure_of(number)
        if number:
            self.native.clear(number)
        return failure

    def wait(self) -> None:
        """Wait until all present work has ended."""
        self.native.wait(self.native.added)
        self.drop_done()

    def drop_done(self) -> None:
        """Let go of work that has ended, and of its arguments."""
        kept = self._kept
        with self._dropping:
            done = self.native.done
            while kept and kept[0][0] <= done:
                token = kept.popleft()[1]
                self._posted.pop(token, None)
                self._graphs.pop(token, None)

    # -- the end -----------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Let the thread end when all work is done. May be called at any point of any thread."""
        self.native.close()

    def join(self) -> None:
        """Wait until a closed queue's thread has ended."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def forget(self) -> None:
        """Reset the queue in the child of a fork, without the thread and the work of the parent."""
        self._reset()

    def retired(self) -> None:
        """Let the next work start a new thread."""
        self._thread = None
        self._working = threading.Lock()

    # -- the thread --------------------------------------------------------------------------------------------

    def _serve(self, retire: Callable[[Queue], bool]) -> None:
        # A second thread exists if a signal arrived while the first one started; it has nothing to do.
        if not self._working.acquire(blocking=False):
            return
        self._thread = threading.current_thread()
        native, work, failure = self.native, ServedWork(), 0
        native.attach()
        while True:
            reason = native.serve(work, failure)
            failure = 0
            if reason == WORK:
                failure = self._do(work.token, work.launch)
            elif reason == IDLE:
                self.drop_done()
            elif retire(self):
                break
            else:
                native.attach()
        unreported = self.take_failure()
        if unreported is not None:
            raise unreported  # threading.excepthook prints it

    def _do(self, token: int, launch: int) -> int:
        """Do one piece of work; the number of its failure, or 0."""
        try:
            work = self._posted.get(token) or _steps[token]
            if not isinstance(work, NativeLaunch):
                work.run()
            else:
                work.finish(launch)
        except BaseException as failure:  # of any kind: it is raised when the host waits for the queue
            return keep_failure(failure, self.native.forgotten_failures())
        return 0
