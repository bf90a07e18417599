# SPDX-License-Identifier: Apache-2.0
"""Graphs: work that is captured once and launched many times."""

from __future__ import annotations

from typing import final

from lanewise.errors import LaunchError
from lanewise.runtime.served_queue import Mark
from lanewise.streams.default_stream import DEFAULT_STREAM
from lanewise.streams.nodes import Node, WorkStream, is_stream
from lanewise.streams.replay import Helpers, Replay, Step


@final
class Graph:
    """The result of `with stream.capture() as graph:`: the work of that block, recorded but not run.

    graph.launch(stream)    runs it, in its order; independent work may run concurrently
    graph.launch()          runs it in the default stream: it is done when the call returns
    graph.nodes             its pieces; a kernel's arguments can be changed

    Launches of one graph run one after the other, whatever their streams. Error: LaunchError.
    """

    def __init__(self) -> None:
        self._nodes: tuple[Node, ...] | None = None
        self._last: Mark | None = None  # end of the last launch
        self._helpers: Helpers | None = None
        self._replay: tuple[int, Replay] | None = None  # as of a sum of revisions

    def __repr__(self) -> str:
        return "<graph that is being captured>" if self._nodes is None else f"<graph of {len(self._nodes)} nodes>"

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, each after its dependencies. LaunchError while it is captured."""
        if self._nodes is None:
            raise LaunchError("the graph's capture has not ended, or has failed")
        return self._nodes

    def complete(self, nodes: tuple[Node, ...]) -> None:
        """Store the nodes at the end of the capture."""
        self._nodes = nodes
        self._helpers = Helpers(1 + max((node.lane for node in nodes), default=0))

    def launch(self, stream: WorkStream | None = None) -> None:
        """Run the work in `stream`, after the last launch of this graph. In a captured stream, it becomes a node."""
        replay = self._current()
        if stream is None:
            DEFAULT_STREAM.run(self._launch_and_wait, replay)
            return
        if not is_stream(stream):
            raise LaunchError(f"graph.launch: stream must be an lw.Stream or None, not {stream!r}")
        with DEFAULT_STREAM.lock:
            if stream.capturing:
                stream.enqueue(replay)
                return
            queue = stream.queue
            DEFAULT_STREAM.prepare(queue)
            if self._last is not None:
                queue.native.wait_for(self._last, order_only=True)
            if replay.has_parts:
                queue.put(replay)
            else:
                replay.put(queue)
            self._last = queue.native.mark()

    def _launch_and_wait(self, replay: Replay) -> None:
        with DEFAULT_STREAM.lock:
            before = self._last
        if before is not None:
            before.wait()
        replay.run()

    def _current(self) -> Replay:
        """The work with the current arguments."""
        nodes = self.nodes
        revision = sum(node.revision for node in nodes)
        if self._replay is None or self._replay[0] != revision or not self._replay[1].is_final:
            assert self._helpers is not None
            self._replay = revision, Replay(repr(self), _steps(nodes), self._helpers)
        return self._replay[1]


def _steps(nodes: tuple[Node, ...]) -> list[Step]:
    """The work of all captured streams, with the dependencies on other ones."""
    number = {node: index for index, node in enumerate(nodes)}
    return [
        Step(node.operation, node.lane, tuple(number[d] for d in node.dependencies if d.lane != node.lane))
        for node in nodes
    ]
