# SPDX-License-Identifier: Apache-2.0
"""A capture under way: what streams are given is written down, with what each piece must follow.

Source: CUDA C++ Programming Guide, "Creating a Graph Using Stream Capture".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, final

from lanewise.errors import LaunchError
from lanewise.streams.graph import Node
from lanewise.streams.operations import Operation

if TYPE_CHECKING:
    from lanewise.streams.stream import Stream


class Place(NamedTuple):
    """What an event stands for that was recorded in a captured stream."""

    capture: Capture
    nodes: tuple[Node, ...]
    """The last ones of the stream at that time."""


@final
class Capture:
    """What the streams of one capture have been given so far."""

    def __init__(self, origin: Stream) -> None:
        self.ended = False
        self._nodes: Final[list[Node]] = []
        self._origin: Final = origin
        self._ends: Final[dict[Stream, tuple[Node, ...]]] = {origin: ()}  # what the next node of each must follow

    @property
    def streams(self) -> tuple[Stream, ...]:
        """All that take part, the first one first."""
        return tuple(self._ends)

    def add(self, stream: Stream, operation: Operation) -> None:
        node = Node(operation, self._ends[stream], self.streams.index(stream))
        self._nodes.append(node)
        self._ends[stream] = (node,)

    def place(self, stream: Stream) -> Place:
        """Where the stream is now."""
        return Place(self, self._ends[stream])

    def follow(self, stream: Stream, place: Place) -> None:
        """What the stream is given from now on must follow `place`. A stream that was not part of the capture is."""
        self._ends[stream] = tuple(dict.fromkeys((*self._ends.get(stream, ()), *place.nodes)))

    def end(self) -> tuple[Node, ...]:
        """All nodes, in an order that has each behind what it follows.

        LaunchError for work in a stream that the first one has not waited for.
        """
        self.ended = True
        joined = set(self._ends[self._origin])
        for node in reversed(self._nodes):
            if node in joined:
                joined.update(node.dependencies)
        for stream, ends in self._ends.items():
            if not joined.issuperset(ends):
                raise LaunchError(
                    f"{stream.name} takes part in the capture of {self._origin.name}, which has not waited for the "
                    "end of its work (cudaErrorStreamCaptureUnjoined): record an event in it and let "
                    f"{self._origin.name} wait for that"
                )
        return tuple(self._nodes)
