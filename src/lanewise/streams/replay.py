# SPDX-License-Identifier: Apache-2.0
"""Execution of a graph: the parts of the captured streams concurrently, each in its order.

A part waits for another at the places where the capture waited for an event. All parts were recorded in one order in
which nothing waits for later work. Each part keeps that order and has a queue, so no two wait for each other.
"""

import os
import threading
import weakref
from collections.abc import Sequence
from typing import Final, NamedTuple, final

from lanewise.runtime import NativeLaunch
from lanewise.runtime.served_queue import QueueStep, QueueSteps
from lanewise.streams.default_stream import DEFAULT_STREAM
from lanewise.streams.failures import again
from lanewise.streams.operations import KernelLaunch, Operation
from lanewise.streams.queue import Queue, forget_steps, name_steps, posted


class Step(NamedTuple):
    """A node as a step of its part."""

    operation: Operation
    part: int
    after: tuple[int, ...]
    """Indices of the steps of other parts that must be done before it."""


@final
class Helpers:
    """Queues for the parts of a graph; their threads start at first use, and end with the graph."""

    def __init__(self, parts: int) -> None:
        self.parts: Final = parts
        self.lock = threading.Lock()
        """Held while the graph runs: one execution at a time."""
        self._queues: list[Queue] = []
        _all_helpers.add(self)

    @property
    def queues(self) -> list[Queue]:
        if not self._queues:
            self._queues = [Queue(f"part {part} of a graph", blocking=False) for part in range(self.parts)]
            weakref.finalize(self, _close, self._queues).atexit = False
        return self._queues


_all_helpers: Final[weakref.WeakSet[Helpers]] = weakref.WeakSet()


def _free_locks() -> None:
    """Let graphs run that run in the parent of a fork: its executions are not the child's."""
    for helpers in _all_helpers:
        helpers.lock = threading.Lock()


os.register_at_fork(after_in_child=_free_locks)


def _close(queues: Sequence[Queue]) -> None:
    for queue in queues:
        queue.close()


@final
class Replay:
    """The work of a graph with one set of arguments."""

    def __init__(self, name: str, steps: Sequence[Step], helpers: Helpers) -> None:
        """`steps`: all of them, each after those that it waits for."""
        self._name: Final = name
        self._operations: Final = [step.operation for step in steps]
        self._helpers: Final = helpers
        works = [posted(step.operation) for step in steps]
        tokens = name_steps(works)
        weakref.finalize(self, forget_steps, tokens).atexit = False
        self._steps: Final = QueueSteps(
            [
                QueueStep(token, work if isinstance(work, NativeLaunch) else None, step.part, step.after)
                for token, work, step in zip(tokens, works, steps, strict=True)
            ]
        )
        self.is_final: Final = not any(isinstance(work, KernelLaunch) and work.may_become_native for work in works)
        """False if code of a kernel was not loaded yet: then a later replay may do with less Python."""

    @property
    def kind(self) -> str:
        return "graph"

    @property
    def name(self) -> str:
        return self._name

    def native(self) -> NativeLaunch | None:
        return None

    @property
    def has_parts(self) -> bool:
        """True if the work is that of several streams."""
        return self._helpers.parts > 1

    def put(self, queue: Queue) -> None:
        """Add the work to a queue, if it has no parts. `DEFAULT_STREAM.prepare` has been called."""
        if self._operations:
            queue.put_steps(self._steps, self)

    def run(self) -> None:
        """Run the work and wait for it. Raises the exception of the first failing part; work that comes after a failing
        node is skipped. A signal handler that raises ends the wait for parts, but not their work."""
        if self.has_parts:
            self._run_parts()
            return
        for operation in self._operations:
            operation.run()

    def _run_parts(self) -> None:
        queues = self._helpers.queues
        with self._helpers.lock:
            for queue in queues:  # of a launch whose wait was interrupted
                queue.wait()
                queue.take_failure()
            with DEFAULT_STREAM.lock:
                for queue in queues:
                    DEFAULT_STREAM.prepare(queue)
                self._steps.post([queue.native for queue in queues])
            for queue in queues:
                queue.wait()
            failures = [queue.take_failure() for queue in queues]
        for failure in failures:
            if failure is not None:
                raise again(failure)
