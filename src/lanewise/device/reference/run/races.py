# SPDX-License-Identifier: Apache-2.0
"""Races in shared memory: two work-items of a group access the same bytes, one of them changes the bytes, and nothing
orders the two accesses.

Accesses are ordered by a barrier of the group. For the work-items that take part together, an operation of the warp or
a volatile access of shared memory orders them, too. Volatile accesses themselves are in lock-step and not checked. Nor
is a work-item that has executed an atomic operation or a fence since the last barrier: its order is known to the
program only. A store of the value already there has no visible effect. So a work-item may read a value that it, or one
that it has met, has stored, even if others have stored the same since.

Method: the vector clocks of FastTrack (Flanagan and Freund, 2009), but with one clock that advances at each meeting. An
access at time t is visible to work-items that have met its work-item, perhaps through others, at a time after t. For
each place, the last reads of two work-items are kept. Accesses of fewer than four bytes are recorded apart from wider
ones, so a race between an int and one of its bytes goes unnoticed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Final, final

from lanewise.device.reference.faults import Fault
from lanewise.device.reference.memory.objects import Memory, describe_place
from lanewise.device.reference.run.work_item import WorkItem

_WORD: Final = 4

Event = tuple[WorkItem, int, int]
"""An access: its work-item, its time, and the number of its place in the program."""


class _Cell:
    """Accesses to a byte or word since the last barrier."""

    __slots__ = ("read", "read_before", "writes")

    def __init__(self) -> None:
        self.writes: dict[int, Event] = {}
        """The last store of the current value by each work-item that stored it, by number of the work-item."""
        self.read: Event | None = None
        """The last read, and the last one of another work-item."""
        self.read_before: Event | None = None

    def read_by(self, event: Event) -> None:
        if (read := self.read) is not None and read[0] is not event[0]:
            self.read_before = read
        self.read = event


@final
class Races:
    """The accesses of the work-group that runs. `place_of` names a place in the program by its number."""

    def __init__(self, memory: Memory) -> None:
        self.place_of: Callable[[int], str | None] = lambda number: None
        self._memory: Final = memory
        self._words: Final[defaultdict[int, _Cell]] = defaultdict(_Cell)
        self._bytes: Final[defaultdict[int, _Cell]] = defaultdict(_Cell)
        """Accesses by address: of words, and of what is narrower or at no multiple of a word."""
        self._time = 1
        self._since = 1
        """Time of the last barrier."""

    # -- what orders -------------------------------------------------------------------------------------------

    def begin_group(self) -> None:
        self._time += 1
        self._since = self._time
        self._words.clear()
        self._bytes.clear()

    def all_meet(self, items: Iterable[WorkItem]) -> None:
        """Record a barrier of the group."""
        self.begin_group()

    def some_meet(self, items: Iterable[WorkItem]) -> None:
        """Make all accesses of these work-items so far visible to each of them."""
        self.some_leave_barrier(items, ())

    def arrive(self, item: WorkItem) -> dict[int, int]:
        self._time += 1
        return {**item.seen, item.number: self._time}

    def some_leave_barrier(self, items: Iterable[WorkItem], arrived: Iterable[dict[int, int]]) -> None:
        self._time += 1
        members = list(items)
        seen: dict[int, int] = {}
        for known in {id(each): each for each in (*(item.seen for item in members), *arrived)}.values():
            for number, time in known.items():
                seen[number] = max(time, seen.get(number, 0))
        for item in members:
            seen[item.number] = self._time
        for item in members:
            item.seen = seen

    def lanes_meet(self, operation: str, items: Iterable[WorkItem]) -> None:
        """Record an operation of the lanes that happen to be converged."""
        self.some_meet(items)

    def come_to_grid(self, item: WorkItem, turn: int) -> None:
        self.begin_group()

    def leave_grid(self, item: WorkItem, turn: int) -> None:
        pass

    def order(self, item: WorkItem) -> None:
        """Record an atomic operation or a fence."""
        item.ordered_at = self._time

    # -- accesses ----------------------------------------------------------------------------------------------

    def reader(self, size: int, place: int) -> Callable[[WorkItem, int], None]:
        """A function that records reads of `size` bytes at one place of the program."""
        known_word = self._words.get

        def read(item: WorkItem, address: int) -> None:
            for cell in self._touched(address, size):
                writes = cell.writes
                if writes and item.number not in writes and all(self._is_race(w, item) for w in writes.values()):
                    raise self._fault("loads", "stored", address, list(writes.values())[-1])
                cell.read_by((item, self._time, place))

        def read_word(item: WorkItem, address: int) -> None:
            word = known_word(address)
            if word is not None and not word.writes:  # most reads; the rest is the general case
                last = word.read
                if last is not None and last[0] is not item:
                    word.read_before = last
                word.read = (item, self._time, place)
            else:
                read(item, address)

        return read_word if size == _WORD else read

    def write(self, item: WorkItem, address: int, size: int, place: int) -> None:
        """Record a store that changes the value."""
        event = (item, self._time, place)
        for cell in self._touched(address, size):
            if cell.writes or cell.read is not None:
                self._check_write(item, address, cell)
                cell.read = cell.read_before = None
            cell.writes = {item.number: event}

    def _check_write(self, item: WorkItem, address: int, cell: _Cell) -> None:
        events = *((w, "stored") for w in cell.writes.values()), (cell.read, "loaded"), (cell.read_before, "loaded")
        for before, done in events:
            if before is not None and self._is_race(before, item):
                raise self._fault("stores", done, address, before)

    def write_again(self, item: WorkItem, address: int, size: int, place: int) -> None:
        """Record a store of the value already there: this work-item counts as one that stored it."""
        for cell in self._touched(address, size):
            if cell.writes:
                cell.writes[item.number] = (item, self._time, place)

    def _touched(self, address: int, size: int) -> Sequence[_Cell]:
        if size % _WORD == 0 and address % _WORD == 0:
            return [self._words[key] for key in range(address, address + size, _WORD)]
        return [self._bytes[key] for key in range(address, address + size)]

    def _is_race(self, before: Event, item: WorkItem) -> bool:
        other, time, _ = before
        if other is item or item.ordered_at >= self._since or other.ordered_at >= self._since:
            return False
        return item.seen.get(other.number, 0) <= time

    def _fault(self, does: str, has_done: str, address: int, before: Event) -> Fault:
        other, _, number = before
        where = describe_place(self._memory.find(address, 1, 1, "load"), address)
        thread = (other.tid_x, other.tid_y, other.tid_z)
        place = self.place_of(number)
        then = f"{has_done} at {place}" if place else has_done
        return Fault(
            f"a race: it {does} {where}, which thread {thread} has {then}, and no barrier or __syncwarp() is between"
        )
