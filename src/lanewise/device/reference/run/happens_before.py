# SPDX-License-Identifier: Apache-2.0
"""Happens-before: the order of accesses that synchronisation makes, whatever order this device ran them in.

Barriers, synchronisations of the grid and operations of the warp order everything that their work-items did before them
with everything after. A fence followed by an atomic access that writes *releases*: who reads that value, or one that
atomic operations have made of it, by an atomic access, and then executes a fence, is ordered after it. An atomic access
with an order of its own needs no fence. A fence or atomic access of the scope of a work-group only counts within it.
A barrier counts as the fence of the reader, since CUDA's own samples rely on that. Volatile accesses count as atomic
ones without an order.

Method: vector clocks (L. Lamport, CACM 1978; C. Fidge, 1988), one for each work-item, with one time for all, which
advances at each synchronisation. A clock holds, for each other work-item, the time before which its accesses are known.
Sources of the rules: PTX ISA, "Memory Consistency Model"; C++, [atomics.order] and [atomics.fences].
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, final

from lanewise.device.reference.run.work_item import Triple, WorkItem

Clock = Mapping[WorkItem, int]
"""Work-item -> the time before which its accesses are known. Never changed: work-items that have met share one."""


class Audience(NamedTuple):
    """The work-items that a release may order: the work-group of the one that releases, or all."""

    block: Triple
    is_wide: bool

    def includes(self, block: Triple, is_wide: bool) -> bool:
        """True for a read in `block`, with a scope that is wider than a work-group if `is_wide`."""
        return self.block == block or (self.is_wide and is_wide)


Releases = dict[Audience, Clock]


class _Known:
    """Facts about the order of one work-item."""

    __slots__ = ("pending", "released", "seen")

    def __init__(self) -> None:
        self.seen: Clock = {}
        self.released: Releases = {}
        """Its clock at its last fences."""
        self.pending: Releases = {}
        """Clocks of what it has read, which its next fence makes its own."""


@final
class HappensBefore:
    """The order of all work-items of a launch."""

    def __init__(self) -> None:
        self.time = 1
        self._known: Final[dict[WorkItem, _Known]] = {}
        self._locations: Final[dict[tuple[object, int], Releases]] = {}
        """Releases that an atomic read of a location may read."""

    def is_before(self, other: WorkItem, time: int, item: WorkItem) -> bool:
        """True if what `other` did at a time is ordered before what `item` does now."""
        return other is item or self._of(item).seen.get(other, 0) > time

    def meet(self, items: Iterable[WorkItem]) -> None:
        """Order all that these work-items have done before all that they will do."""
        members = list(items)
        for item in members:
            self._acquire(item, is_wide=True)
        joined = _joined(self._of(item).seen for item in members)
        self.time += 1
        joined.update(dict.fromkeys(members, self.time))
        for item in members:
            self._of(item).seen = joined

    def publish(self, item: WorkItem) -> Clock:
        """The clock of a work-item, with all that it has done itself."""
        self.time += 1
        return {**self._of(item).seen, item: self.time}

    def learn(self, item: WorkItem, clock: Clock) -> None:
        """Order what is in a clock before all that a work-item will do."""
        known = self._of(item)
        known.seen = _joined((known.seen, clock))

    def fence(self, item: WorkItem, *, is_wide: bool) -> None:
        self._acquire(item, is_wide=is_wide)
        self._of(item).released[Audience(item.block, is_wide)] = self.publish(item)

    def access(
        self, item: WorkItem, location: tuple[object, int], order: str, *, is_wide: bool, reads: bool, writes: bool
    ) -> None:
        """Record an atomic access. `order` is LLVM's word, such as acq_rel."""
        before = self._locations.get(location, {})
        known = self._of(item)
        if reads:
            for audience, clock in before.items():
                if audience.includes(item.block, is_wide):
                    _add(known.pending, Audience(audience.block, audience.is_wide and is_wide), clock)
            if order in ("acquire", "acq_rel", "seq_cst"):
                self._acquire(item, is_wide=is_wide)
        if writes:
            mine = {
                Audience(item.block, audience.is_wide and is_wide): clock for audience, clock in known.released.items()
            }
            if order in ("release", "acq_rel", "seq_cst"):
                mine[Audience(item.block, is_wide)] = self.publish(item)
            after: Releases = dict(before) if reads else {}
            for audience, clock in mine.items():
                _add(after, audience, clock)
            self._locations[location] = after

    def has_released(self, item: WorkItem) -> bool:
        """True if a work-item has executed a fence."""
        return bool(self._of(item).released)

    def _acquire(self, item: WorkItem, *, is_wide: bool) -> None:
        known = self._of(item)
        for audience in [each for each in known.pending if each.includes(item.block, is_wide)]:
            self.learn(item, known.pending.pop(audience))

    def _of(self, item: WorkItem) -> _Known:
        found = self._known.get(item)
        if found is None:
            found = self._known[item] = _Known()
        return found


def _add(releases: Releases, audience: Audience, clock: Clock) -> None:
    releases[audience] = _joined((releases.get(audience, {}), clock))


def _joined(clocks: Iterable[Clock]) -> dict[WorkItem, int]:
    """The later of the times for each work-item."""
    joined: dict[WorkItem, int] = {}
    for clock in {id(each): each for each in clocks}.values():
        for item, time in clock.items():
            if time > joined.get(item, 0):
                joined[item] = time
    return joined
