# SPDX-License-Identifier: Apache-2.0
"""Slot coalescing: saved values share one element per work-item, so that they need not be copied at each barrier.

    for (...) {                               Without              Shared
        tile[i] = in[...];                    entrance of %sum     all in one place: %sum, its next value (%next), and
        barrier();                            %sum itself          both entrances. Nothing is copied any more; the last
        sum = sum + tile[...];                %next                region of the loop has nothing left to do.
        barrier();                            entrance of the
    }                                         phi after the loop

A saved slot is that of a value, or of a phi's entrance (`live_values.py`). Slots connected by phis get the same element
if that loses nothing:

    1. Both are of one type, and saved per work-item.
    2. No region loads either late: all others are loaded at the start of a work-item, before it stores anything.
    3. When one is written, the other is not needed any more, or holds the same value. A slot is written when a region
       makes its value, and at a region's end if it leaves a phi its value.

A phi's value at a region's end is not written if it is there already (`keeps_entrance`). Only then is a slot read at
the end, so other writes of the region to it count.

This is the coalescing of copies when leaving SSA form, on regions in place of instructions. After B. Boissinot et al.,
Revisiting Out-of-SSA Translation for Correctness, Code Quality, and Efficiency (CGO 2009), where live ranges that meet
may be one if they hold the same value.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, final

from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value
from lanewise.workgroup.regions.live_values import LiveValues
from lanewise.workgroup.regions.regions import Destination, Region, RegionGraph

MAX_PAIRS: Final = 4096
"""Limit on pairs of slots that are tested for coalescing, per kernel."""


class SavedSlot(NamedTuple):
    """A place for a value that is saved: the value itself, or the entrance of a phi."""

    use: str
    """"value" or "entrance"."""
    value: Instruction


class _Leaving(NamedTuple):
    """The exit of a region from one of its blocks, with the values that phis get there."""

    region: Region
    source: Block
    destination: Destination
    phis: dict[Instruction, Value]


@final
class SlotCoalescing:
    """The representative of each saved slot, among those that share its place."""

    def __init__(self, graph: RegionGraph, live_values: LiveValues) -> None:
        self._graph: Final = graph
        self._live_values: Final = live_values
        self._groups: Final[dict[SavedSlot, list[SavedSlot]]] = {}
        self._leavings: Final = list(_leavings(graph))
        self._live_before: Final = self._live()
        self._live_after: Final = {region: self._live_out(region) for region in graph}
        self._pairs = 0
        for phi in live_values.entrances:
            entrance = SavedSlot("entrance", phi)
            if live_values.entrance_in_array(phi):
                for other in self._connected(phi):
                    self._join(entrance, other)

    def place(self, slot: SavedSlot) -> SavedSlot:
        """The first of the slots that share a place."""
        return self._group(slot)[0]

    def keeps_value(self, phi: Instruction) -> bool:
        """Return whether the phi's value, at the start of its region, already is in its place."""
        return self._group(SavedSlot("entrance", phi)) is self._group(SavedSlot("value", phi))

    def keeps_entrance(self, phi: Instruction, value: Value, region: Region) -> bool:
        """Return whether a phi's value at the end of `region` already is in its entrance, and nothing else is stored
        there."""
        if not isinstance(value, Instruction):
            return False
        group = self._group(SavedSlot("entrance", phi))
        if SavedSlot("value", value) not in group:
            return False
        others = (slot.value for slot in group if slot.use == "value" and slot.value is not value)
        return not any(self._writes(region, other) for other in others)

    # -- groups ------------------------------------------------------------------------------------------------

    def _group(self, slot: SavedSlot) -> list[SavedSlot]:
        return self._groups.setdefault(slot, [slot])

    def _connected(self, phi: Instruction) -> Iterator[SavedSlot]:
        """Values that a phi is or gets, if they are saved like its entrance (1, 2). Results of barriers are left out:
        the region after the barrier stores them, and they are saved per work-item only if some region loads them late.
        """
        live_values = self._live_values
        for value in (phi, *(value for value, _ in phi.incoming())):
            if not isinstance(value, Instruction) or value.type is not phi.type:
                continue
            if value in live_values.slots and live_values.in_array(value) and value not in live_values.forced:
                yield SavedSlot("value", value)

    def _join(self, a: SavedSlot, b: SavedSlot) -> None:
        first, second = self._group(a), self._group(b)
        if first is second:
            return
        self._pairs += len(first) * len(second)
        if self._pairs <= MAX_PAIRS and not any(self._conflict(x, y) for x in first for y in second):
            first += second
            self._groups.update(dict.fromkeys(second, first))

    # -- what is live ------------------------------------------------------------------------------------------

    def _live(self) -> dict[Region, set[Instruction]]:
        """Values that are needed, from their places, at the start of each region or after it."""
        live: dict[Region, set[Instruction]] = {}
        for region in self._graph:
            used = self._live_values.live_ins[region]
            live[region] = set(self._live_values.slots.intersection((*used.early, *used.late)))
        changed = True
        while changed:
            changed = False
            for leaving in reversed(self._leavings):
                before = live[leaving.region]
                for target in leaving.destination.targets():
                    for value in live[self._graph.regions[target]] - before:
                        if not leaving.region.makes_before(value, leaving.source):
                            before.add(value)
                            changed = True
        return live

    def _live_out(self, region: Region) -> set[Instruction]:
        """Values that are needed after a region, wherever it leads."""
        starts = (start for destination in region.destinations for start in destination.targets())
        return {value for start in starts for value in self._live_before[self._graph.regions[start]]}

    def _writes(self, region: Region, value: Instruction) -> bool:
        """The region may write the value to its place: it makes it, or a phi at its start gets it somewhere else."""
        if value.op == "phi" and value.parent is region.start:
            return not self.keeps_value(value)
        return value.parent in region.inside

    # -- conflicts (3) -----------------------------------------------------------------------------------------

    def _conflict(self, a: SavedSlot, b: SavedSlot) -> bool:
        if a.use == b.use == "value":
            return self._values_conflict(a.value, b.value)
        if a.use == b.use:
            return self._entrances_conflict(a.value, b.value)
        entrance, value = (a, b) if a.use == "entrance" else (b, a)
        return self._entrance_and_value_conflict(entrance.value, value.value)

    def _values_conflict(self, a: Instruction, b: Instruction) -> bool:
        for region, needed in self._live_after.items():
            if (b in needed and a.parent in region.inside) or (a in needed and b.parent in region.inside):
                return True
        return False

    def _entrances_conflict(self, a: Instruction, b: Instruction) -> bool:
        for leaving in self._leavings:
            if a in leaving.phis and b in leaving.phis and leaving.phis[a] is not leaving.phis[b]:
                return True
        return False

    def _entrance_and_value_conflict(self, phi: Instruction, value: Instruction) -> bool:
        for leaving in self._leavings:
            if phi in leaving.phis and leaving.phis[phi] is not value:
                targets = leaving.destination.targets()
                if any(value in self._live_before[self._graph.regions[target]] for target in targets):
                    return True
        return False


def _leavings(graph: RegionGraph) -> Iterator[_Leaving]:
    for region in graph:
        for (source, _), destination in region.leaving.items():
            yield _Leaving(region, source, destination, dict(destination.entering(source)))
