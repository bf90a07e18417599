# SPDX-License-Identifier: Apache-2.0
"""Races of a checked kernel, in shared and global memory; all are told, and the launch goes on.

Two accesses to the same byte race if they are by different work-items, one of them writes, not both are atomic, and
neither happens before the other (`happens_before.py`). This device runs one work-item after the other, so each access
is compared with those before it, of which `access_records.py` keeps what is needed.

Some pairs don't count, as the guide to checks says (docs/checking.md): a plain read and an atomic operation; two writes
of the same value, of up to 8 bytes; within a warp, accesses of which one is volatile; a volatile read and a volatile
write that comes after a fence, which are a flag. Two atomic accesses by two work-groups race if one writes and one has
the scope of its work-group.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Final, final

from lanewise.device.race_log import Race, RacedObject, RaceLog, RacingAccess
from lanewise.device.reference.arithmetic.indeterminate import Value
from lanewise.device.reference.memory.objects import Memory, is_shared, may_be_seen_by_others
from lanewise.device.reference.run.access_records import (
    READ,
    WRITE,
    AccessEvent,
    AccessRecords,
    NotedAccess,
    RecordPart,
)
from lanewise.device.reference.run.happens_before import HappensBefore, OrderFacts, joined_facts
from lanewise.device.reference.run.work_item import Triple, WorkItem


@final
class CheckedRaces:
    """The accesses of a launch. `named` says which object an address is in, and at which offset; None: one of which
    nothing is told."""

    def __init__(self, memory: Memory, log: RaceLog, named: Callable[[int], tuple[RacedObject, int] | None]) -> None:
        self._memory: Final = memory
        self._log: Final = log
        self._named: Final = named
        self._order: Final = HappensBefore()
        self._global: Final = AccessRecords()
        self._shared: Final[defaultdict[Triple, AccessRecords]] = defaultdict(AccessRecords)
        """Records of the work-groups that have not ended."""
        self._grid: Final[list[list[OrderFacts]]] = []
        """Facts that those who came to each synchronisation of the grid have published."""

    # -- what orders -------------------------------------------------------------------------------------------

    def begin_group(self) -> None:
        """Start a work-group, with shared memory of its own. Nothing orders it with those before, which have ended."""
        self._shared.clear()
        self._order.begin_group()

    def all_meet(self, items: Iterable[WorkItem]) -> None:
        self._order.meet([*items], is_barrier=True)

    def some_meet(self, items: Iterable[WorkItem]) -> None:
        self._order.meet([*items], is_barrier=False)

    def lanes_meet(self, operation: str, items: Iterable[WorkItem]) -> None:
        """Record an operation of the lanes that happen to be converged: votes order them, since Volta nothing else."""
        if operation.startswith("vote"):
            self.some_meet(items)

    def arrive(self, item: WorkItem) -> OrderFacts:
        return self._order.publish(item)

    def some_leave_barrier(self, items: Iterable[WorkItem], arrived: Iterable[OrderFacts]) -> None:
        self._order.meet([*items], arrived, is_barrier=True)

    def come_to_grid(self, item: WorkItem, turn: int) -> None:
        """Record that a work-item waits for all work-groups, for the `turn`-th time."""
        if turn == len(self._grid):
            self._grid.append([])
        self._grid[turn].append(self._order.publish(item))

    def leave_grid(self, item: WorkItem, turn: int) -> None:
        if len(self._grid[turn]) > 1:  # the first one that leaves
            self._grid[turn] = [joined_facts(self._grid[turn])]
        self._order.learn(item, self._grid[turn][0])

    def fence(self, item: WorkItem, is_wide: bool) -> None:
        self._order.fence(item, is_wide=is_wide)

    # -- accesses ----------------------------------------------------------------------------------------------

    def note(
        self,
        item: WorkItem,
        access: NotedAccess,
        address: Value,
        size: int,
        content: bytes | None = None,
        *,
        writes: bool = True,
    ) -> None:
        """Record an access that was made. `content` is what it has written, where a second write of it is to be
        recognised. `writes`: the atomic access has written."""
        if not may_be_seen_by_others(address):
            return
        block = item.block if is_shared(address) else None
        if not access.is_plain:
            self._order.access(
                item, block, address, access.order, is_wide=access.is_wide, reads=access.kind != WRITE,
                writes=access.kind != READ and writes,
            )  # fmt: skip
        now = AccessEvent(item, self._order.time, access, access.is_volatile and self._order.has_released(item))
        records = self._global if block is None else self._shared[block]
        is_told = False
        for part in records.parts(address, size, content):
            earlier = None if is_told else self._rival(part, now)
            if earlier is not None:
                self._tell(now, earlier, address + part.start)
                is_told = True
            part.keep(now)

    def _rival(self, part: RecordPart, now: AccessEvent) -> AccessEvent | None:
        """An access to a part that this one races with."""
        return next((each for each in part.rivals(now.access) if self._is_race(each, now)), None)

    def _is_race(self, before: AccessEvent, now: AccessEvent) -> bool:
        a, b = before.access, now.access
        same_group = before.item.block == now.item.block
        if not _may_race(a, b) or self._order.is_before(before.item, before.time, now.item):
            return False
        if a.order and b.order and (same_group or (a.is_wide and b.is_wide)):
            return False
        if a.is_volatile and b.is_volatile and {a.kind, b.kind} == {READ, WRITE}:
            write = before if a.kind == WRITE else now
            if write.is_flag:
                return False
        return not ((a.is_volatile or b.is_volatile) and same_group and before.item.warp == now.item.warp)

    def _tell(self, now: AccessEvent, earlier: AccessEvent, byte: int) -> None:
        found = self._named(byte)
        if found is not None:
            object_, offset = found
            self._log.add(Race(_described(now), _described(earlier), object_, offset))

    def content(self, address: Value, size: int) -> bytes | None:
        """The bytes at an address; None if there are none, or other work-items don't see them."""
        if not may_be_seen_by_others(address):
            return None
        found = self._memory.find(address, size, 1, "store")
        start = address - found.base
        return bytes(found.data[start : start + size])


def _may_race(a: NotedAccess, b: NotedAccess) -> bool:
    """True if the kinds of two accesses make a race: one writes, and they aren't a plain read and an atomic access."""
    if a.kind == READ:
        return b.kind != READ and (bool(a.order) or not b.order)
    return b.kind != READ or bool(b.order) or not a.order


def _described(event: AccessEvent) -> RacingAccess:
    item, access = event.item, event.access
    return RacingAccess(access.kind, access.size, access.place, item.block, (item.tid_x, item.tid_y, item.tid_z))
