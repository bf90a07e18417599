# SPDX-License-Identifier: Apache-2.0
"""Execution of a graph: the parts of the captured streams concurrently, each in its order.

A part waits for another at the places where the capture waited for an event. All parts were recorded in one order in
which nothing waits for later work. Each part keeps that order and has a thread, so no two wait for each other.
"""

import threading
import weakref
from collections.abc import Sequence
from typing import Final, NamedTuple, final

from lanewise.streams.default_stream import DEFAULT_STREAM
from lanewise.streams.moment import Moment
from lanewise.streams.operations import Operation
from lanewise.streams.work_queue import WorkQueue


class Step(NamedTuple):
    """A node as a step of its part."""

    operation: Operation
    number: int
    after: tuple[int, ...]
    """Numbers of the nodes of other parts that must be done before it."""
    awaited: bool
    """True if a node of another part depends on it."""


@final
class Helpers:
    """Queues for the parts of a graph; their threads start at first use, and end with the graph."""

    def __init__(self, parts: int) -> None:
        self.lock: Final = threading.Lock()
        """Held while the graph runs: one execution at a time."""
        self.queues: Final = [WorkQueue(f"part {part} of a graph", blocking=False) for part in range(parts)]
        weakref.finalize(self, _close, self.queues).atexit = False


def _close(queues: Sequence[WorkQueue]) -> None:
    for queue in queues:
        queue.close()


@final
class Replay:
    """The work of a graph with one set of arguments."""

    def __init__(self, name: str, lanes: Sequence[Sequence[Step]], helpers: Helpers) -> None:
        self._name: Final = name
        self._lanes: Final = lanes
        self._helpers: Final = helpers

    @property
    def kind(self) -> str:
        return "graph"

    @property
    def name(self) -> str:
        return self._name

    def run(self) -> None:
        """Run all parts, the first one in this thread, in which no signal handler may run. Raises the exception of the
        first failing node; nodes that have not started by then are skipped."""
        with self._helpers.lock:
            first, *others = _parts(self._lanes)
            ends = [Moment() for _ in others]
            queues = self._helpers.queues[1:]
            for queue in queues:
                DEFAULT_STREAM.put(queue)  # starts the thread: if one can't, no part waits for its work
            for part, end, queue in zip(others, ends, queues, strict=True):
                DEFAULT_STREAM.put(queue, part, end)
            first.run()
            for end in ends:
                end.wait()
            if first.failures:
                raise first.failures[0]

    def run_for_host(self) -> None:
        """Run all parts. A signal handler that raises ends the wait, but not the work."""
        if len(self._lanes) == 1:
            self.run()
            return
        end = Moment()
        queue = self._helpers.queues[0]
        DEFAULT_STREAM.put(queue, self, end)
        end.wait()
        if end.failure is not None:
            queue.failure = None
        end.raise_failure()


@final
class _Part:
    """The part of one captured stream in one run."""

    def __init__(self, steps: Sequence[Step], reached: dict[int, Moment], failures: list[BaseException]) -> None:
        self._steps: Final = steps
        self._reached: Final = reached
        self.failures: Final = failures

    def run(self) -> None:
        for step in self._steps:
            for number in step.after:
                self._reached[number].wait()
            try:
                if not self.failures:
                    step.operation.run()
            except BaseException as failure:  # of any kind: raised when all parts have ended
                self.failures.append(failure)
            if step.awaited:
                self._reached[step.number].reach()


def _parts(lanes: Sequence[Sequence[Step]]) -> list[_Part]:
    reached = {step.number: Moment() for steps in lanes for step in steps if step.awaited}
    failures: list[BaseException] = []
    return [_Part(steps, reached, failures) for steps in lanes]
