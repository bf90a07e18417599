# SPDX-License-Identifier: Apache-2.0
"""The default stream, and the order common to all streams of the process.

Work without a stream is CUDA's legacy default stream. It starts when all earlier work of blocking streams is done, and
their later work starts when it is done. Here it is also synchronous for the host: the calling thread runs it. Two
threads' work without a stream may overlap, as with CUDA's per-thread default streams.

One lock decides what is earlier and what is later. Work waits only for earlier work, so there is no cycle of waits.
While no stream has a thread, work without a stream takes no lock: it is only counted.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar, final

from lanewise.errors import LaunchError
from lanewise.streams.moment import Moment
from lanewise.streams.work_queue import Work, WorkQueue, WorkThread

P = ParamSpec("P")
R = TypeVar("R")

_ONE: Final = (None,)
_POLL: Final = 0.0002
"""Seconds between two tests if work that started before the first stream had a thread has ended."""


@final
class DefaultStream:
    """State common to the streams of a process."""

    def __init__(self) -> None:
        self.lock = threading.RLock()  # reentrant, since a signal handler or a finalizer may launch
        """Held while work is placed in the common order."""
        self._alone = True  # no queue has a thread, and nothing is captured
        self._counted: list[None] = []  # one element per piece of work that started while that was so
        self._running: list[_Running] = []  # all other work
        self._queues: dict[WorkQueue, None] = {}  # that have a thread
        self._captured: list[str] = []  # blocking streams that are being captured
        self._hooked = False

    # -- work without a stream ---------------------------------------------------------------------------------

    def run(self, work: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
        """Run work in its order, in this thread. LaunchError if a blocking stream has failed or is captured."""
        counted = self._counted
        counted += _ONE  # no call, so that no signal handler can raise between here and `try`
        try:
            if self._alone:
                return work(*arguments, **named)
        finally:
            counted.pop()
        refuse_in_host_function()
        running = _Running()
        with running.gate:
            self._wait_for_blocking_streams(running)
            return work(*arguments, **named)

    def _wait_for_blocking_streams(self, running: _Running) -> None:
        with self.lock:
            if self._captured:
                raise LaunchError(
                    f"the default stream can't be used while {self._captured[0]}, a blocking stream, is being captured "
                    "(cudaErrorStreamCaptureImplicit); capture a stream made with blocking=False, or work in a stream"
                )
            self._running = [other for other in self._running if other.gate.locked()]
            if any(other.thread == running.thread for other in self._running):
                return  # a signal handler, or the output of a launch: within this thread's other work
            self._running.append(running)
            before = [(queue, self._put_moment(queue)) for queue in self._queues if queue.blocking and not queue.calm]
        for queue, moment in before:
            moment.wait()
            if moment.failure is not None:
                raise LaunchError(
                    f"the default stream waits for {queue.name}, which has failed: {moment.failure}"
                ) from moment.failure

    def _put_moment(self, queue: WorkQueue) -> Moment:
        moment = Moment()
        if queue.busy:
            queue.put(moment, retire=self._retire)
        else:
            moment.reach(queue.failure)
        return moment

    # -- work in queues ----------------------------------------------------------------------------------------

    def put(self, queue: WorkQueue, *work: Work | Moment) -> None:
        """Place work in its queue and, if that is blocking, after the present work of the default stream."""
        with self.lock:
            if not self._hooked:
                atexit.register(self.finish)
                os.register_at_fork(after_in_child=self._forget)
                self._hooked = True
            self._queues[queue] = None
            self._alone = False
            queue.put(*(self._before_now() if queue.blocking else ()), *work, retire=self._retire)

    def _before_now(self) -> list[Work]:
        before: list[Work] = [running for running in self._running if running.gate.locked()]
        if self._counted:
            before.append(_AllEnded(self._counted))
        return before

    def _retire(self, queue: WorkQueue) -> bool:
        with self.lock:
            if queue.busy:
                return False
            self._queues.pop(queue, None)
            queue.retired()
            self._alone = not (self._queues or self._captured)
            return True

    def synchronize_all(self) -> None:
        """Wait until all present work of all queues is done. Raises the failure of one of them."""
        refuse_in_host_function()
        with self.lock:
            moments = [self._put_moment(queue) for queue in self._queues]
        for moment in moments:
            moment.wait()
        for moment in moments:
            moment.raise_failure()

    # -- captures ----------------------------------------------------------------------------------------------

    def begin_capture(self, name: str) -> None:
        """Record the start of a capture of a blocking stream."""
        self._captured.append(name)
        self._alone = False

    def end_capture(self, name: str) -> None:
        self._captured.remove(name)
        self._alone = not (self._queues or self._captured)

    # -- the process -------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Wait for all work of all queues, at the end of the process; unreported failures are printed."""
        with self.lock:
            queues = list(self._queues)
        for queue in queues:
            queue.close()
        for queue in queues:
            queue.join()

    def _forget(self) -> None:
        self.lock = threading.RLock()
        for queue in self._queues:
            queue.forget()
        self._queues.clear()
        self._running.clear()
        self._counted.clear()
        self._alone = not self._captured


@final
class _Running:
    """A piece of the default stream's work. In a queue, it waits until that work has ended."""

    def __init__(self) -> None:
        self.gate: Final = threading.Lock()
        """Held by its thread from before it is visible to others until it has ended."""
        self.thread: Final = threading.get_ident()

    def run(self) -> None:
        with self.gate:
            pass


@final
class _AllEnded:
    """Waits for the work of the default stream that was only counted: it started before any queue had a thread."""

    def __init__(self, counted: list[None]) -> None:
        self._counted: Final = counted

    def run(self) -> None:
        while self._counted:
            time.sleep(_POLL)


def refuse_in_host_function() -> None:
    """Raise LaunchError in a host function that runs in a stream: waiting for that stream, it would wait for itself."""
    if isinstance(threading.current_thread(), WorkThread):
        raise LaunchError("a host function in a stream can't launch, copy or wait (cudaErrorNotPermitted)")


DEFAULT_STREAM: Final = DefaultStream()
"""The instance of this process."""

in_default_stream: Final = DEFAULT_STREAM.run
