# SPDX-License-Identifier: Apache-2.0
"""Events: places in streams, for waiting and for measuring time."""

from __future__ import annotations

from typing import final

from lanewise.errors import LaunchError
from lanewise.runtime.served_queue import Mark, mark_now
from lanewise.session import session_of_this_process
from lanewise.streams.capture import Place
from lanewise.streams.default_stream import DEFAULT_STREAM
from lanewise.streams.failures import raise_failure_before
from lanewise.streams.nodes import WorkStream, is_stream
from lanewise.streams.work_thread import refuse_in_host_function


@final
class Event:
    """A place in a stream: after all work that the stream had when the event was last recorded.

        begin, end = lw.Event(), lw.Event()
        begin.record(s); k.launch(64, 256, (y, x), stream=s); end.record(s)
        end.synchronize(); print(end.elapsed(begin), "ms")

    An event that was never recorded is done. LaunchError for one in a capture, except to wait for it in a stream of
    that capture.
    """

    def __init__(self) -> None:
        self.recorded: Mark | Place | None = None
        """The place where it was recorded."""

    def __repr__(self) -> str:
        match self.recorded:
            case None:
                return "<event, not recorded>"
            case Mark():
                return f"<event, {'done' if self.recorded.reached else 'not done'}>"
            case Place():
                return "<event in a capture>"

    def record(self, stream: WorkStream | None = None) -> None:
        """Record it after all present work of `stream`; None: the default stream, whose work is then done."""
        if stream is not None:
            if not is_stream(stream):
                raise LaunchError(f"record: stream must be an lw.Stream or None, not {stream!r}")
            stream.record(self)
            return
        self.recorded = DEFAULT_STREAM.run(mark_now, session_of_this_process().cache)

    def synchronize(self) -> None:
        """Wait until the work before it is done. Raises the failure of that work, which the stream raises as well."""
        refuse_in_host_function()
        mark = self._mark("synchronize")
        if mark is not None:
            mark.wait()
            raise_failure_before(mark)

    def query(self) -> bool:
        """True if the work before it is done. Raises the failure of that work."""
        mark = self._mark("query")
        if mark is None or not mark.reached:
            return mark is None
        raise_failure_before(mark)
        return True

    def elapsed(self, start: Event) -> float:
        """Milliseconds from `start` to this event, as cudaEventElapsedTime(&ms, start, this). LaunchError if one of
        them is not recorded or not done."""
        return (self._time("the event") - start._time("the start")) / 1e6

    def _time(self, what: str) -> int:
        mark = self._mark("elapsed")
        if mark is None:
            raise LaunchError(f"elapsed: {what} was never recorded (cudaErrorInvalidResourceHandle)")
        time_ns = mark.time_ns
        if not time_ns:
            raise LaunchError(f"elapsed: {what} is not done (cudaErrorNotReady); synchronize() waits for it")
        return time_ns

    def _mark(self, what: str) -> Mark | None:
        if isinstance(self.recorded, Place):
            raise LaunchError(
                f"{what}: the event was recorded in a captured stream, so nothing will ever be done before it "
                "(cudaErrorCapturedEvent)"
            )
        return self.recorded
