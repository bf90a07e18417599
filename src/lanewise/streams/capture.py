# SPDX-License-Identifier: Apache-2.0
"""A capture in progress: records the work of streams, with the dependencies of each piece.

Source: CUDA C++ Programming Guide, "Creating a Graph Using Stream Capture".
"""

from typing import Any, Final, Generic, NamedTuple, TypeVar, final

from lanewise.errors import LaunchError
from lanewise.streams.nodes import Node, WorkStream
from lanewise.streams.operations import Operation

S = TypeVar("S", bound=WorkStream)


class Place(NamedTuple):
    """The place of an event that was recorded in a captured stream."""

    capture: "Capture[Any]"
    nodes: tuple[Node, ...]
    """The last nodes of the stream at that time."""


@final
class Capture(Generic[S]):
    """The work recorded so far from the streams of one capture."""

    def __init__(self, origin: S) -> None:
        self.ended = False
        self._nodes: Final[list[Node]] = []
        self._origin: Final = origin
        self._ends: Final[dict[S, tuple[Node, ...]]] = {origin: ()}  # dependencies of the next node of each

    @property
    def streams(self) -> tuple[S, ...]:
        """All participating streams, the origin first."""
        return tuple(self._ends)

    def add(self, stream: S, operation: Operation) -> None:
        node = Node(operation, self._ends[stream], self.streams.index(stream))
        self._nodes.append(node)
        self._ends[stream] = (node,)

    def place(self, stream: S) -> Place:
        """The stream's current place."""
        return Place(self, self._ends[stream])

    def follow(self, stream: S, place: Place) -> None:
        """Order the stream's further work after `place`. A stream that was not part of the capture becomes one."""
        self._ends[stream] = tuple(dict.fromkeys((*self._ends.get(stream, ()), *place.nodes)))

    def end(self) -> tuple[Node, ...]:
        """All nodes, each after its dependencies.

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
