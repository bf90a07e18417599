# SPDX-License-Identifier: Apache-2.0
"""Nodes of graphs, and the protocol of the streams that they are captured in.

Events, captures and graphs know streams by this protocol only: the class Stream knows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, final

from lanewise.errors import LaunchError
from lanewise.streams.operations import KernelLaunch, Operation

if TYPE_CHECKING:
    from lanewise.streams.queue import Queue


class WorkStream(Protocol):
    """A stream, as `lw.Stream`."""

    @property
    def name(self) -> str: ...

    @property
    def capturing(self) -> bool: ...

    @property
    def queue(self) -> Queue: ...

    def enqueue(self, operation: Operation) -> None: ...

    def record(self, event: Any) -> None: ...


def is_stream(value: object) -> bool:
    """True for a stream: nothing else takes work."""
    return hasattr(value, "enqueue")


@final
class Node:
    """One piece of a graph's work."""

    def __init__(self, operation: Operation, dependencies: tuple[Node, ...], lane: int) -> None:
        self._operation = operation
        self.dependencies: Final = dependencies
        """The nodes that must be done before it."""
        self._lane: Final = lane
        self.revision = 0
        """Number of changes of the arguments."""

    def __repr__(self) -> str:
        return f"<node: {self.kind}{self.name and ' ' + self.name}>"

    @property
    def kind(self) -> str:
        """ "kernel", "copy", "fill", "host function" or "graph"."""
        return self._operation.kind

    @property
    def name(self) -> str:
        """Name of the kernel, the user's function or the graph; otherwise empty."""
        return self._operation.name

    @property
    def lane(self) -> int:
        """Number of the stream that it was captured in; 0 is the origin of the capture."""
        return self._lane

    @property
    def operation(self) -> Operation:
        return self._operation

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Arguments of a kernel. Setting them changes later launches of the graph; LaunchError if they don't fit, or
        the node is not a kernel."""
        return self._kernel().arguments

    @arguments.setter
    def arguments(self, arguments: Sequence[Any]) -> None:
        self._operation = self._kernel().with_arguments(arguments)
        self.revision += 1

    def _kernel(self) -> KernelLaunch:
        if not isinstance(self._operation, KernelLaunch):
            raise LaunchError(f"only a kernel's node has arguments; this is a {self.kind}")
        return self._operation
