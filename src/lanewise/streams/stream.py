# SPDX-License-Identifier: Apache-2.0
"""Streams: work in order, concurrent with the host."""

from __future__ import annotations

import contextlib
import itertools
import weakref
from collections.abc import Callable, Generator
from typing import Final, final

from lanewise.device.base import Device
from lanewise.errors import LaunchError
from lanewise.streams.capture import Capture, Place
from lanewise.streams.default_stream import DEFAULT_STREAM
from lanewise.streams.event import Event
from lanewise.streams.failures import again
from lanewise.streams.graph import Graph
from lanewise.streams.operations import HostFunction, Operation
from lanewise.streams.queue import Queue
from lanewise.streams.work_thread import refuse_in_host_function

_numbers: Final = itertools.count(1)


@final
class Stream:
    """Work that runs in order, concurrently with the host and other streams.

        s = lw.Stream()
        k.launch(64, 256, (y, x), stream=s)     returns at once
        s.synchronize()                         waits; raises what failed

    `device`: the device of its launches; None: the default device. `blocking`: in order with the default stream, like
    CUDA's streams, unless they are made with cudaStreamNonBlocking.

    A failure stops the stream: later work is dropped, and so is that of streams that wait for it, until `synchronize()`
    has raised the failure. A stream without references still completes its work.
    """

    def __init__(self, device: Device | str | None = None, blocking: bool = True) -> None:
        self.device: Final = device
        self.name: Final = f"stream {next(_numbers)}"
        self.queue: Final = Queue(self.name, blocking)
        """Its work, for graphs that are launched in it."""
        self._capture: Capture[Stream] | None = None
        weakref.finalize(self, self.queue.close).atexit = False

    def __repr__(self) -> str:
        return f"<{self.name}{'' if self.blocking else ', non-blocking'}{', captured' if self.capturing else ''}>"

    @property
    def blocking(self) -> bool:
        """True if it is in order with the default stream."""
        return self.queue.blocking

    @property
    def capturing(self) -> bool:
        """True if its work is recorded, not run."""
        return self._capture is not None

    # -- work --------------------------------------------------------------------------------------------------

    def enqueue(self, operation: Operation) -> None:
        """Add work at the end."""
        refuse_in_host_function()
        with DEFAULT_STREAM.lock:
            if self._capture is not None:
                self._capture.add(self, operation)
                return
            DEFAULT_STREAM.prepare(self.queue)
            self.queue.put(operation)

    def callback(self, function: Callable[..., object], *arguments: object) -> None:
        """Call `function(*arguments)` after all present work, in the stream's thread: cudaLaunchHostFunc.

        The function can't launch, copy or wait for streams: LaunchError. An exception from it fails the stream.
        """
        if not callable(function):
            raise LaunchError(f"callback: expected a function, not {function!r}")
        self.enqueue(HostFunction(function, *arguments))

    # -- order -------------------------------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Wait until all work is done. Raises a failure once; after that, the stream is like a new one.

        KeyboardInterrupt ends the wait; the work goes on.
        """
        self._refuse_captured("synchronize")
        refuse_in_host_function()
        self.queue.wait()
        failure = self.queue.take_failure()
        if failure is not None:
            raise again(failure)

    def query(self) -> bool:
        """True if all work is done. Raises a failure, which `synchronize()` raises again."""
        self._refuse_captured("query")
        busy = self.queue.busy
        failure = self.queue.failure  # read after `busy`: a queue that has failed is no longer busy
        if failure is not None:
            raise again(failure)
        return not busy

    def record(self, event: Event) -> None:
        """Record `event` after all present work."""
        if not isinstance(event, Event):  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
            raise LaunchError(f"record: expected an lw.Event, not {event!r}")
        refuse_in_host_function()
        with DEFAULT_STREAM.lock:
            if self._capture is not None:
                event.recorded = self._capture.place(self)
                return
            DEFAULT_STREAM.prepare(self.queue)
            event.recorded = self.queue.native.mark()

    def wait(self, event: Event) -> None:
        """Delay work added from now on until the work before `event`, as last recorded, is done; the host doesn't wait.
        An event that was never recorded has no effect. If that work fails, so does this stream.

        An event of a captured stream makes this one part of the capture.
        """
        if not isinstance(event, Event):  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
            raise LaunchError(f"wait: expected an lw.Event, not {event!r}")
        refuse_in_host_function()
        with DEFAULT_STREAM.lock:
            recorded = event.recorded
            if isinstance(recorded, Place):
                self._follow(recorded)
            elif self._capture is not None:
                raise LaunchError(
                    f"{self.name} is being captured and can't wait for work outside of the capture "
                    "(cudaErrorStreamCaptureIsolation)"
                )
            elif recorded is not None and (not recorded.reached or recorded.failure):
                DEFAULT_STREAM.prepare(self.queue)
                self.queue.native.wait_for(recorded)

    # -- captures ----------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def capture(self) -> Generator[Graph]:
        """`with stream.capture() as graph:` records the stream's work in the block instead of running it.

        A stream that waits for an event of this one takes part, and this one must wait for it before the end.
        LaunchError if a rule of CUDA is broken; after an exception in the block there is no graph.
        """
        refuse_in_host_function()
        graph = Graph()
        with DEFAULT_STREAM.lock:
            if self._capture is not None:
                raise LaunchError(f"{self.name} is being captured already (cudaErrorIllegalState)")
            capture: Capture[Stream] = Capture(self)
            self._take_part(capture)
        try:
            yield graph
        finally:
            with DEFAULT_STREAM.lock:
                capture.ended = True
                for stream in capture.streams:
                    stream._leave()
        graph.complete(capture.end())

    def _take_part(self, capture: Capture[Stream]) -> None:
        self._capture = capture
        if self.blocking:
            DEFAULT_STREAM.begin_capture(self.name)

    def _leave(self) -> None:
        self._capture = None
        if self.blocking:
            DEFAULT_STREAM.end_capture(self.name)

    def _follow(self, place: Place) -> None:
        if place.capture.ended:
            raise LaunchError(
                "wait: the event was recorded in a capture that has ended, so nothing will ever be done before it "
                "(cudaErrorCapturedEvent)"
            )
        if self._capture is None:
            self._take_part(place.capture)
        elif self._capture is not place.capture:
            raise LaunchError(f"{self.name} and the event are in two captures (cudaErrorStreamCaptureMerge)")
        place.capture.follow(self, place)

    def _refuse_captured(self, what: str) -> None:
        if self._capture is not None:
            raise LaunchError(
                f"{what}: {self.name} is being captured, so its work is not being done "
                "(cudaErrorStreamCaptureUnsupported)"
            )
