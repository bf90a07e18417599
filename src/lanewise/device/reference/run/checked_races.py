# SPDX-License-Identifier: Apache-2.0
"""Races of a checked kernel, in shared and global memory; all are told, and the launch goes on.

Two accesses to the same byte race if they are by different work-items, one of them writes, not both are atomic, and
neither happens before the other (`happens_before.py`). This device runs one work-item after the other, so each access
is compared with those before it.

Some pairs don't count, as the guide to checks says (docs/checking.md): a plain read and an atomic operation; two writes
of the same value, of up to 8 bytes; within a warp, accesses of which one is volatile; a volatile read and a volatile
write that comes after a fence, which are a flag. Two atomic accesses by two work-groups race if one has the scope of
its work-group.

A byte has the last writes of its value, one for each work-item that wrote it, and the reads and atomic accesses since
(E. Pozniansky and A. Schuster, "MultiRace", 2007, keep the same). Words whose bytes have been accessed together share
one record.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, final

from lanewise.device.race_log import Race, RacedObject, RaceLog, RacingAccess
from lanewise.device.reference.arithmetic.indeterminate import Value
from lanewise.device.reference.memory.objects import Memory, is_shared, may_be_seen_by_others
from lanewise.device.reference.run.happens_before import Clock, HappensBefore
from lanewise.device.reference.run.work_item import WorkItem
from lanewise.ir.debug_info import Location

_WORD: Final = 4
WIDEST_VALUE: Final = 8
"""Bytes of a write up to which its value is compared with that of another one."""

READ: Final = "read"
WRITE: Final = "write"
ATOMIC: Final = "atomic operation"


class NotedAccess(NamedTuple):
    """An access in the program. `size` is 0 if it depends on the launch."""

    kind: str
    size: int
    place: Location | None
    is_volatile: bool = False
    order: str = ""
    """LLVM's word for the order of an atomic access, such as monotonic; "" for others."""
    is_wide: bool = True
    """An atomic access of a scope beyond the work-group."""


class _Event(NamedTuple):
    """An access that has happened."""

    item: WorkItem
    time: int
    access: NotedAccess
    is_flag: bool
    """A volatile access by a work-item that has executed a fence."""


class _Record:
    """Accesses to a byte, or to the bytes of a word."""

    __slots__ = ("atomics", "content", "reads", "writes")

    def __init__(self) -> None:
        self.writes: dict[WorkItem, _Event] = {}
        self.content: bytes | None = None
        """The value that they have written; None if it isn't known."""
        self.reads: dict[WorkItem, _Event] = {}
        self.atomics: dict[WorkItem, _Event] = {}

    def byte(self, number: int) -> "_Record":
        """A record of one of the bytes."""
        made = _Record()
        made.writes, made.reads, made.atomics = dict(self.writes), dict(self.reads), dict(self.atomics)
        made.content = self.content[number : number + 1] if self.content is not None else None
        return made


class _Part(NamedTuple):
    """The bytes of an access that share a record."""

    record: _Record
    start: int
    """Offset in the access."""
    size: int


@final
class CheckedRaces:
    """The accesses of a launch. `named` says which object an address is in, and at which offset; None: one of which
    nothing is told."""

    def __init__(self, memory: Memory, log: RaceLog, named: Callable[[int], tuple[RacedObject, int] | None]) -> None:
        self._memory: Final = memory
        self._log: Final = log
        self._named: Final = named
        self._order: Final = HappensBefore()
        self._words: Final[dict[tuple[object, int], _Record]] = {}
        self._bytes: Final[dict[tuple[object, int], _Record]] = {}
        """Records of the bytes of words that have been accessed in part."""
        self._grid: Final[list[Clock]] = []
        """The clock of all that came to each synchronisation of the grid."""

    # -- what orders -------------------------------------------------------------------------------------------

    def begin_group(self) -> None:
        """Start a work-group. Nothing orders it with those that have run."""

    def all_meet(self, items: Iterable[WorkItem]) -> None:
        self._order.meet(items)

    some_meet = all_meet

    def lanes_meet(self, operation: str, items: Iterable[WorkItem]) -> None:
        """Record an operation of the lanes that happen to be converged: votes order them, since Volta nothing else."""
        if operation.startswith("vote"):
            self._order.meet(items)

    def come_to_grid(self, item: WorkItem, turn: int) -> None:
        """Record that a work-item waits for all work-groups, for the `turn`-th time."""
        if turn == len(self._grid):
            self._grid.append({})
        self._grid[turn] = {**self._grid[turn], **_later(self._grid[turn], self._order.publish(item))}

    def leave_grid(self, item: WorkItem, turn: int) -> None:
        self._order.learn(item, self._grid[turn])

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
        space = item.block if is_shared(address) else None
        if access.order or access.is_volatile:
            self._order.access(
                item, (space, address), access.order, is_wide=access.is_wide, reads=access.kind != WRITE,
                writes=access.kind != READ and writes,
            )  # fmt: skip
        now = _Event(item, self._order.time, access, access.is_volatile and self._order.has_released(item))
        is_told = False
        for part in self._parts(space, address, size):
            earlier = None if is_told else next(self._racing(part, now, content), None)
            if earlier is not None:
                self._tell(now, earlier, address + part.start)
                is_told = True
            _keep(part, now, content)

    def _parts(self, space: object, address: int, size: int) -> Iterator[_Part]:
        end = address + size
        for word in range(address // _WORD * _WORD, end, _WORD):
            first, last = max(word, address), min(word + _WORD, end)
            whole = self._words.get((space, word))
            if (space, word) not in self._bytes and last - first == _WORD:
                if whole is None:
                    whole = self._words[space, word] = _Record()
                yield _Part(whole, word - address, _WORD)
                continue
            if (space, word) not in self._bytes:
                for number in range(_WORD):
                    self._bytes[space, word + number] = _Record() if whole is None else whole.byte(number)
            for byte in range(first, last):
                yield _Part(self._bytes[space, byte], byte - address, 1)

    def _racing(self, part: _Part, now: _Event, content: bytes | None) -> Iterator[_Event]:
        """The accesses to a part that this one races with."""
        record, access = part.record, now.access
        events: list[_Event] = []
        if not _writes_again(part, content):
            events += record.writes.values()
        if access.kind != READ:
            events += record.atomics.values()
        if access.kind == WRITE and not access.order:
            events += record.reads.values()
        return (each for each in events if self._is_race(each, now))

    def _is_race(self, before: _Event, now: _Event) -> bool:
        a, b = before.access, now.access
        same_group = before.item.block == now.item.block
        if self._order.is_before(before.item, before.time, now.item):
            return False
        if a.order and b.order and (same_group or (a.is_wide and b.is_wide)):
            return False
        if a.is_volatile and b.is_volatile and (before.is_flag if a.kind == WRITE else now.is_flag):
            return False
        return not ((a.is_volatile or b.is_volatile) and same_group and before.item.warp == now.item.warp)

    def _tell(self, now: _Event, earlier: _Event, byte: int) -> None:
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


def _keep(part: _Part, now: _Event, content: bytes | None) -> None:
    record, kind = part.record, now.access.kind
    if now.access.order:
        record.atomics[now.item] = now
    elif kind == READ:
        record.reads[now.item] = now
    elif _writes_again(part, content):
        record.writes[now.item] = now
    else:
        record.writes, record.reads, record.atomics = {now.item: now}, {}, {}
        record.content = _of(part, content)


def _writes_again(part: _Part, content: bytes | None) -> bool:
    """True for a write of the value that the last writes had."""
    return content is not None and part.record.content == _of(part, content)


def _of(part: _Part, content: bytes | None) -> bytes | None:
    return content[part.start : part.start + part.size] if content is not None else None


def _described(event: _Event) -> RacingAccess:
    item, access = event.item, event.access
    return RacingAccess(access.kind, access.size, access.place, item.block, (item.tid_x, item.tid_y, item.tid_z))


def _later(one: Clock, other: Clock) -> Clock:
    return {item: time for item, time in other.items() if time > one.get(item, 0)}
