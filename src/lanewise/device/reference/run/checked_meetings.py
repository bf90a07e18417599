# SPDX-License-Identifier: Apache-2.0
"""Barriers that work-items of a checked kernel don't come to together, and masks that name lanes that never come.

Each work-item tells before it waits at a barrier, before an operation of the warp with a mask, and when it ends
(`checks/barriers.py`). It has a number for each slot: how often it has come to the code behind the barriers of that
slot, which all paths lead to.

A barrier is complete when each work-item of the group waits at one or has ended. It is at fault if they wait at several
ones, if one that has ended has a greater number than those that wait, for it has gone past them, or, if the barrier is
strict, if any has ended. An operation with a mask is complete when each lane of the mask has come to one of the same
kind with the same mask, or has ended. It is at fault if one that has ended has a greater number.
"""

import struct
from typing import Final, NamedTuple, final

from lanewise.device.reference.memory.objects import Memory
from lanewise.device.reference.run.work_item import WorkItem
from lanewise.ir.check_report import (
    ABSENT,
    COUNTS,
    ELSEWHERE,
    ENDS,
    FAULT_BYTES,
    JOINS,
    KEPT,
    KINDS,
    PAST,
    PLACE_BYTES,
    RETURNED,
    SLOTS,
    STRICT,
)  # fmt: skip

_WARP: Final = 32
_MASK: Final = 0xFFFFFFFF


class _Arrival(NamedTuple):
    item: WorkItem
    site: int
    slot: int
    visits: int
    is_strict: bool


class _Operation(NamedTuple):
    kind: int
    mask: int
    came: dict[int, _Arrival]
    """The arrivals, by lane."""


@final
class CheckedMeetings:
    """The work-items of the group that runs."""

    def __init__(self, memory: Memory) -> None:
        self._memory: Final = memory
        self._report = 0
        self.begin_group()

    def begin_group(self) -> None:
        self._waiting: list[_Arrival] = []
        self._ended: dict[int, WorkItem] = {}
        self._counts: dict[tuple[int, int], int] = {}
        self._operations: dict[int, list[_Operation]] = {}

    def tell(self, item: WorkItem, report: int, site: int, flags: int, mask: int, count: int) -> None:
        """Take what a work-item tells: the arguments of `CHECK_MEETING`."""
        self._report = report
        kind, slot = flags & KINDS, flags >> 8 & SLOTS - 1
        arrival = _Arrival(item, site, slot, count, bool(flags & STRICT))
        if kind == JOINS:
            self._join(arrival, flags >> 16, mask & _MASK)
        elif kind == COUNTS:
            self._counts[slot, item.number] = count
        elif kind == ENDS:
            self._ended[item.number] = item
            self._settle_all(item.warp)
            self._complete(item)
        else:
            self._waiting.append(arrival)
            self._complete(item)

    def none_can_go_on(self) -> None:
        """Tell of the operations of warps that wait for lanes which never come."""
        for operations in self._operations.values():
            for operation in operations:
                self._settle(operation, everyone=True)
        self._operations.clear()

    # -- barriers ----------------------------------------------------------------------------------------------

    def _complete(self, item: WorkItem) -> None:
        total = item.ntid_x * item.ntid_y * item.ntid_z
        if not self._waiting or len(self._waiting) + len(self._ended) < total:
            return
        waiting, self._waiting = self._waiting, []
        sites = sorted({each.site for each in waiting})
        here = [each for each in waiting if each.site == sites[0]]
        first = min(here, key=lambda each: each.item.number)
        if len(sites) > 1:
            other = min((each for each in waiting if each.site == sites[1]), key=lambda each: each.item.number)
            self._tell_barrier(first, ELSEWHERE, len(here), len(waiting) - len(here), other.item, other.site)
            return
        past = [n for n in sorted(self._ended) if self._counts.get((first.slot, n), 0) > first.visits]
        if past:
            self._tell_barrier(first, PAST, len(here), len(past), self._ended[past[0]], first.site)
        elif first.is_strict and self._ended:
            leader = self._ended[min(self._ended)]
            self._tell_barrier(first, RETURNED, len(here), len(self._ended), leader, first.site)

    def _tell_barrier(self, first: _Arrival, what: int, here: int, others: int, leader: WorkItem, site: int) -> None:
        number = others << 48 | here << 32 | leader.number << 16 | site
        self._write(first.item, first.site, what, number)

    # -- operations of the warp --------------------------------------------------------------------------------

    def _join(self, arrival: _Arrival, kind: int, mask: int) -> None:
        operations = self._operations.setdefault(arrival.item.warp, [])
        lane = arrival.item.lane
        found = next((o for o in operations if (o.kind, o.mask) == (kind, mask) and lane not in o.came), None)
        if found is None:
            if any((o.kind, o.mask) == (kind, mask) and o.came[min(o.came)].site == arrival.site for o in operations):
                return  # lanes are missing there already
            found = _Operation(kind, mask, {})
            operations.append(found)
        found.came[lane] = arrival
        self._settle_all(arrival.item.warp)

    def _settle_all(self, warp: int) -> None:
        operations = self._operations.get(warp, [])
        self._operations[warp] = [each for each in operations if not self._settle(each)]

    def _settle(self, operation: _Operation, *, everyone: bool = False) -> bool:
        """True if no lane is to come any more. `everyone`: nobody will."""
        first = operation.came[min(operation.came)]
        base, total = first.item.warp * _WARP, first.item.ntid_x * first.item.ntid_y * first.item.ntid_z
        named = [n for n in range(_WARP) if operation.mask >> n & 1 and base + n < total]
        missing = [lane for lane in named if lane not in operation.came]
        alive = [lane for lane in missing if base + lane not in self._ended]
        if alive and not everyone:
            return False
        absent = [n for n in missing if n in alive or self._counts.get((first.slot, base + n), 0) > first.visits]
        if absent:
            self._write(first.item, first.site, ABSENT, sum(1 << lane for lane in absent) << 32 | operation.mask)
        return True

    # -- the report --------------------------------------------------------------------------------------------

    def _write(self, item: WorkItem, site: int, what: int, number: int) -> None:
        base = self._report + site * PLACE_BYTES
        place = self._memory.find(base, PLACE_BYTES, 8, "store")
        at = base - place.base
        count = int.from_bytes(place.data[at : at + 8], "little")
        place.data[at : at + 8] = (count + 1).to_bytes(8, "little")
        if count < KEPT:
            who = (item.ctaid_x, item.ctaid_y, item.ctaid_z, item.tid_x, item.tid_y, item.tid_z)
            fault = struct.pack("<7I4xQ", *who, what, number)
            start = at + 8 + count * FAULT_BYTES
            place.data[start : start + FAULT_BYTES] = fault
