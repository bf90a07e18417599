# SPDX-License-Identifier: Apache-2.0
"""The default stream, and the order that all streams of the process share.

Work without a stream is CUDA's legacy default stream: it begins when all work that blocking streams have been given
before is done, and work that they are given later begins when it is done. Here it is synchronous for the host as well:
the calling thread does it. Two threads' work without a stream may overlap, as with CUDA's per-thread default streams.

One lock decides what is before and what is later. Everything waits only for what was before it, so nothing waits in a
circle. While no stream has a thread, work without one takes no lock: it is only counted.
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
"""Seconds between two looks at whether the work that began before the first stream had a thread has ended."""


@final
class DefaultStream:
    """What the streams of a process have in common."""

    def __init__(self) -> None:
        self.lock = threading.RLock()  # reentrant, since a signal handler or a finalizer may launch
        """Held while work is given its place among all other."""
        self._alone = True  # no queue has a thread, and nothing is captured
        self._counted: list[None] = []  # an element for each piece of work that began while that was so
        self._running: list[_Running] = []  # all other work
        self._queues: dict[WorkQueue, None] = {}  # that have a thread
        self._captured: list[str] = []  # blocking streams that are being captured
        self._hooked = False

    # -- work without a stream ---------------------------------------------------------------------------------

    def run(self, work: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
        """Do it in its order, in this thread. LaunchError where a blocking stream has failed or is captured."""
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
                return  # a signal handler, or what a launch prints to: in the middle of this thread's other work
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
        """Give work its place: in its queue and, if that is blocking, behind what the default stream does now."""
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
        """Wait until all work that queues have now is done. Raises what one of them has failed with."""
        refuse_in_host_function()
        with self.lock:
            moments = [self._put_moment(queue) for queue in self._queues]
        for moment in moments:
            moment.wait()
        for moment in moments:
            moment.raise_failure()

    # -- captures ----------------------------------------------------------------------------------------------

    def begin_capture(self, name: str) -> None:
        """A blocking stream is captured from now on."""
        self._captured.append(name)
        self._alone = False

    def end_capture(self, name: str) -> None:
        self._captured.remove(name)
        self._alone = not (self._queues or self._captured)

    # -- the process -------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Wait for all work of all queues, at the end of the process; failures that nobody was told of are shown."""
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
    """A piece of the default stream's work. In a queue, it waits for that work."""

    def __init__(self) -> None:
        self.gate: Final = threading.Lock()
        """Held by its thread from before anybody knows of it until it has ended."""
        self.thread: Final = threading.get_ident()

    def run(self) -> None:
        with self.gate:
            pass


@final
class _AllEnded:
    """Waits for the work of the default stream that was only counted: it began before any queue had a thread."""

    def __init__(self, counted: list[None]) -> None:
        self._counted: Final = counted

    def run(self) -> None:
        while self._counted:
            time.sleep(_POLL)


def refuse_in_host_function() -> None:
    """LaunchError in a host function that runs in a stream: waiting for that stream, it would wait for itself."""
    if isinstance(threading.current_thread(), WorkThread):
        raise LaunchError("a host function in a stream can't launch, copy or wait (cudaErrorNotPermitted)")


DEFAULT_STREAM: Final = DefaultStream()
"""The one of this process."""

in_default_stream: Final = DEFAULT_STREAM.run
