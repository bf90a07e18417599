# SPDX-License-Identifier: Apache-2.0
"""Happens-before: the order of accesses that synchronisation makes, whatever order this device ran them in.

Barriers, synchronisations of the grid and operations of the warp order everything that their work-items did before them
with everything after. A fence followed by an atomic access that writes *releases*: who reads that value, or one that
atomic operations have made of it, by an atomic access, and then executes a fence, is ordered after it. An atomic access
with an order of its own needs no fence. A fence or atomic access of the scope of a work-group only counts within it.
Volatile accesses count as atomic ones without an order.

Two idioms of CUDA's own samples count, too. A barrier is as good as the reader's fence. What work-items have fenced is
released by any of those that they have met since: all write and execute a fence, a barrier follows, and one of them
tells the other work-groups by an atomic operation.

Method: vector clocks (`clocks.py`), with one time for all, which advances at each synchronisation.
Sources of the rules: PTX ISA, "Memory Consistency Model"; C++, [atomics.order] and [atomics.fences].
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, final

from lanewise.device.reference.run.clocks import NOTHING, Clock, at, joined, time_of
from lanewise.device.reference.run.work_item import Triple, WorkItem

_ACQUIRING: Final = ("acquire", "acq_rel", "seq_cst")
_RELEASING: Final = ("release", "acq_rel", "seq_cst")


class OrderFacts(NamedTuple):
    """Knowledge that work-items hand on when they meet."""

    seen: Clock = NOTHING
    fenced: Clock = NOTHING
    """The part of it that fences have made visible, at least to the work-group."""
    fenced_for_all: Clock = NOTHING
    """The part of it that fences have made visible to all work-groups."""


class _Known:
    """OrderFacts about the order of one work-item, with clocks of what it has read, which are to be acquired."""

    __slots__ = ("facts", "pending", "pending_from_all")

    def __init__(self) -> None:
        self.facts = OrderFacts()
        self.pending: Clock = NOTHING
        """The releases of its own work-group."""
        self.pending_from_all: Clock = NOTHING
        """The releases for all work-groups, which take a fence beyond the work-group, or a barrier."""


class _Releases:
    """Clocks that an atomic read of a location learns."""

    __slots__ = ("for_all", "within")

    def __init__(self) -> None:
        self.for_all: Clock = NOTHING
        self.within: dict[Triple, Clock] = {}
        """The releases of each work-group, as its own work-items read them."""


@final
class HappensBefore:
    """The order of all work-items of a launch."""

    def __init__(self) -> None:
        self.time = 1
        self._known: Final[defaultdict[WorkItem, _Known]] = defaultdict(_Known)
        self._locations: Final[defaultdict[object, dict[int, _Releases]]] = defaultdict(dict)
        """Address space -> address -> releases that may be read there. None is the space that all share."""
        self._released_within: Final[set[_Releases]] = set()
        """Locations with releases within work-groups that run."""

    def begin_group(self) -> None:
        """Forget what only the work-groups before have to know, which have ended."""
        self._known.clear()
        for releases in self._released_within:
            releases.within.clear()
        self._released_within.clear()
        for space in [each for each in self._locations if each is not None]:
            del self._locations[space]

    def is_before(self, other: WorkItem, time: int, item: WorkItem) -> bool:
        """True if what `other` did at a time is ordered before what `item` does now."""
        return other is item or time_of(other, self._known[item].facts.seen) > time

    # -- meetings ----------------------------------------------------------------------------------------------

    def meet(self, items: Sequence[WorkItem], arrived: Iterable[OrderFacts] = (), *, is_barrier: bool) -> None:
        """Order all that these work-items of a group have done, and what has `arrived`, before all they will do."""
        if not items:
            return
        if is_barrier:
            for item in items:
                self._acquire(item, is_wide=True)
        self.time += 1
        met = joined_facts([*(self._known[item].facts for item in items), *arrived])
        met = met._replace(seen=joined((met.seen, at(items, self.time))))
        for item in items:
            self._known[item].facts = met

    def publish(self, item: WorkItem) -> OrderFacts:
        """The facts of a work-item, with all that it has done itself."""
        self.time += 1
        facts = self._known[item].facts
        return facts._replace(seen=joined((facts.seen, at([item], self.time))))

    def learn(self, item: WorkItem, facts: OrderFacts) -> None:
        """Order what others have published before all that a work-item will do, by a barrier."""
        self._acquire(item, is_wide=True)
        known = self._known[item]
        known.facts = joined_facts((known.facts, facts))

    # -- fences and atomic accesses ----------------------------------------------------------------------------

    def fence(self, item: WorkItem, *, is_wide: bool) -> None:
        """Record a fence; `is_wide`: of a scope beyond the work-group."""
        self._acquire(item, is_wide=is_wide)
        seen = self.publish(item).seen
        known = self._known[item]
        known.facts = OrderFacts(seen, seen, seen if is_wide else known.facts.fenced_for_all)

    def access(
        self,
        item: WorkItem,
        space: object,
        address: int,
        order: str,
        *,
        is_wide: bool,
        reads: bool,
        writes: bool,
    ) -> None:
        """Record an atomic access in an address space. `order` is LLVM's word, such as acq_rel."""
        known, before = self._known[item], self._locations[space].get(address)
        if reads and before is not None:
            known.pending = joined((known.pending, before.within.get(item.block, NOTHING)))
            if is_wide:
                known.pending_from_all = joined((known.pending_from_all, before.for_all))
        if reads and order in _ACQUIRING:
            self._acquire(item, is_wide=is_wide)
        if writes:
            if not reads:
                self._locations[space].pop(address, None)
            self._release(item, space, address, is_wide=is_wide, is_now=order in _RELEASING)

    def _release(self, item: WorkItem, space: object, address: int, *, is_wide: bool, is_now: bool) -> None:
        """Add to a location what a work-item has fenced, or, if `is_now`, all that it has seen and done."""
        _, within, for_all = self._known[item].facts
        if is_now:
            within = for_all = self.publish(item).seen
        if within:
            releases = self._locations[space].setdefault(address, _Releases())
            releases.within[item.block] = joined((releases.within.get(item.block, NOTHING), within))
            self._released_within.add(releases)
            if is_wide:
                releases.for_all = joined((releases.for_all, for_all))

    def has_released(self, item: WorkItem) -> bool:
        """True if a work-item has executed a fence, or met one that had."""
        return bool(self._known[item].facts.fenced)

    def _acquire(self, item: WorkItem, *, is_wide: bool) -> None:
        """Order what a work-item has read of releases before all that it will do."""
        known = self._known[item]
        seen = joined((known.facts.seen, known.pending, known.pending_from_all if is_wide else NOTHING))
        if seen is not known.facts.seen:
            known.facts = known.facts._replace(seen=seen)
        known.pending = NOTHING
        if is_wide:
            known.pending_from_all = NOTHING


def joined_facts(all_facts: Iterable[OrderFacts]) -> OrderFacts:
    """All that some work-items know; at least one is given."""
    distinct = {id(facts): facts for facts in all_facts}.values()
    seen, fenced, fenced_for_all = zip(*distinct, strict=True)
    return OrderFacts(joined(seen), joined(fenced), joined(fenced_for_all))
