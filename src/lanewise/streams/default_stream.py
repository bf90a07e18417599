# SPDX-License-Identifier: Apache-2.0
"""The default stream, and the order common to all streams of the process.

Work without a stream is CUDA's legacy default stream. It starts when all earlier work of blocking streams is done, and
their later work starts when it is done. Here it is also synchronous for the host: the calling thread runs it. Two
threads' work without a stream may overlap, as with CUDA's per-thread default streams.

The order is that of the host runtime's queues: each thread has an origin there (`runtime/queue/origin.c`). While no
stream has a thread, work without a stream takes no lock and asks no queue: it is only counted.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar, final

from lanewise.errors import LaunchError
from lanewise.streams.work_thread import refuse_in_host_function

if TYPE_CHECKING:
    from lanewise.runtime import NativeLaunch
    from lanewise.runtime.served_queue import Blame, Origin
    from lanewise.streams.queue import Queue

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
        """Held while work is added to queues."""
        self._alone = True  # no queue has a thread, and nothing is captured
        self._counted: list[None] = []  # one element per piece of work that started while that was so
        self._origins = threading.local()
        self._queues: dict[Queue, None] = {}  # that have a thread
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
        if self._captured:
            raise self._while_captured()
        origin = self._origin()
        begun = False
        try:
            begun = origin.is_idle()
            if begun:  # otherwise a signal handler, or the output of a launch: within this thread's other work
                self._raise_blame(origin.begin())
            return work(*arguments, **named)
        finally:
            if begun:
                origin.end()

    def _origin(self) -> Origin:
        """The origin of this thread."""
        origin: Origin | None = getattr(self._origins, "origin", None)
        if origin is None:
            from lanewise.runtime.served_queue import Origin  # while streams exist only
            from lanewise.session import session_of_this_process

            origin = self._origins.origin = Origin(session_of_this_process().cache)
        return origin

    def _while_captured(self) -> LaunchError:
        return LaunchError(
            f"the default stream can't be used while {self._captured[0]}, a blocking stream, is being captured "
            "(cudaErrorStreamCaptureImplicit); capture a stream made with blocking=False, or work in a stream"
        )

    def _raise_blame(self, blame: Blame | None) -> None:
        if blame is None:
            return
        from lanewise.streams.failures import failure_of  # while streams exist only

        with self.lock:
            name = next((queue.name for queue in self._queues if queue.native.address == blame.queue), "a stream")
        failure = failure_of(blame.failure)
        raise LaunchError(f"the default stream waits for {name}, which has failed: {failure}") from failure

    # -- work in queues ----------------------------------------------------------------------------------------

    def prepare(self, queue: Queue) -> None:
        """Make `queue` ready for work, which the caller adds before it gives `lock` back.

        The queue gets its thread. If it is blocking, it waits for work of the default stream that is only counted.
        """
        if not self._hooked:
            atexit.register(self.finish)
            os.register_at_fork(after_in_child=self._forget)
            self._hooked = True
        self._queues[queue] = None
        self._alone = False
        queue.start(self._retire)
        if queue.blocking and self._counted:
            queue.put(_AllEnded(self._counted))

    def _retire(self, queue: Queue) -> bool:
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
            ends = [(queue, queue.native.added) for queue in self._queues]
        for queue, number in ends:
            queue.native.wait(number)
        for queue, _ in ends:
            queue.drop_done()
            if queue.failure is not None:
                from lanewise.streams.failures import again

                raise again(queue.failure)

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
        self._counted = []  # not cleared: whoever forks within counted work takes its own element out
        self._alone = not self._captured


@final
class _AllEnded:
    """Waits for the work of the default stream that was only counted: it started before any queue had a thread."""

    def __init__(self, counted: list[None]) -> None:
        self._counted: Final = counted

    def run(self) -> None:
        while self._counted:
            time.sleep(_POLL)

    def native(self) -> NativeLaunch | None:
        return None


DEFAULT_STREAM: Final = DefaultStream()
"""The instance of this process."""

in_default_stream: Final = DEFAULT_STREAM.run
