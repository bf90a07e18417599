# SPDX-License-Identifier: Apache-2.0
"""The protocol by which work-items that meet are told of to what looks for races."""

from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias

from lanewise.device.reference.run.work_item import WorkItem

Arrived: TypeAlias = Any
"""The accesses of a work-item before it arrived at a barrier, as `Meets` records them for those that wait there."""


class Meets(Protocol):
    """The order of the accesses of work-items: `Races`, or `CheckedRaces` of a checked kernel."""

    def begin_group(self) -> None:
        """Record that a work-group starts."""
        ...

    def all_meet(self, items: Iterable[WorkItem]) -> None:
        """Record a barrier of the group, whose work-items are given, also those that have ended."""
        ...

    def some_meet(self, items: Iterable[WorkItem]) -> None:
        """Record an operation of the warp, by those that take part together."""
        ...

    def arrive(self, item: WorkItem) -> Arrived:
        """Record that a work-item has come to a barrier of some warps, and goes on."""
        ...

    def some_leave_barrier(self, items: Iterable[WorkItem], arrived: Iterable[Arrived]) -> None:
        """Record a barrier of some warps that is complete, by those that have waited and those that have arrived."""
        ...

    def lanes_meet(self, operation: str, items: Iterable[WorkItem]) -> None:
        """Record an operation without a mask, of the lanes that happen to be converged."""
        ...

    def come_to_grid(self, item: WorkItem, turn: int) -> None:
        """Record that a work-item waits for all work-groups, for the `turn`-th time, from 0."""
        ...

    def leave_grid(self, item: WorkItem, turn: int) -> None:
        """Record that it goes on."""
        ...
