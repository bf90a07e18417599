# SPDX-License-Identifier: Apache-2.0
"""Records of the accesses to bytes, of which a later access may race with some.

A byte has the last writes of its value, the reads and atomic accesses since, and all of these of the value before: a
write of the value that is there isn't compared with the writes of it, but races with what those have replaced. What
came before that needn't be kept, as it races with the first write of the new value, or is ordered before it (E.
Pozniansky and A. Schuster, "MultiRace", 2007, keep the same of one value). Of the accesses by one work-item that are
alike, the last one is enough. Words whose bytes have been accessed together share one record.
"""

from collections.abc import Hashable, Iterator
from typing import Final, NamedTuple, final

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

    @property
    def is_plain(self) -> bool:
        """True for an access that is neither atomic nor volatile."""
        return not (self.order or self.is_volatile)


class AccessEvent(NamedTuple):
    """An access that has happened."""

    item: WorkItem
    time: int
    access: NotedAccess
    is_flag: bool
    """A volatile access by a work-item that has executed a fence."""

    def likeness(self) -> Hashable:
        """A key that those accesses of a work-item share that race with the same ones."""
        access = self.access
        if access.is_plain:
            return self.item
        return self.item, access.kind, access.is_volatile, access.order != "", access.is_wide, self.is_flag


@final
class _Record:
    """Accesses to a byte, or to the bytes of a word."""

    __slots__ = ("atomics", "before", "content", "reads", "writes")

    def __init__(self) -> None:
        self.writes: dict[Hashable, AccessEvent] = {}
        self.content: bytes | None = None
        """The value that they have written; None if it isn't known."""
        self.reads: dict[Hashable, AccessEvent] = {}
        self.atomics: dict[Hashable, AccessEvent] = {}
        self.before: tuple[AccessEvent, ...] = ()
        """The accesses that the first of the writes has replaced."""

    def byte(self, number: int) -> "_Record":
        """A record of one of the bytes."""
        made = _Record()
        made.writes, made.reads, made.atomics = dict(self.writes), dict(self.reads), dict(self.atomics)
        made.content = self.content[number : number + 1] if self.content is not None else None
        made.before = self.before
        return made


class RecordPart(NamedTuple):
    """The bytes of an access that share a record."""

    record: _Record
    start: int
    """Offset in the access."""
    content: bytes | None
    """The value that it writes there; None if it isn't to be recognised."""

    def rivals(self, access: NotedAccess) -> list[AccessEvent]:
        """The accesses that this one may race with."""
        record = self.record
        found: list[AccessEvent] = [*(record.before if self._is_repeated() else record.writes.values())]
        if access.kind != READ or access.order:
            found += record.atomics.values()
        if access.kind == WRITE and not access.order:
            found += record.reads.values()
        return found

    def keep(self, event: AccessEvent) -> None:
        """Add an access that has been compared."""
        record, access = self.record, event.access
        if access.order:
            record.atomics[event.likeness()] = event
        elif access.kind == READ:
            record.reads[event.likeness()] = event
        elif self._is_repeated():
            record.writes[event.likeness()] = event
        else:
            record.before = (*record.writes.values(), *record.reads.values(), *record.atomics.values())
            record.writes, record.reads, record.atomics = {event.likeness(): event}, {}, {}
            record.content = self.content

    def _is_repeated(self) -> bool:
        """True for a write of the value that the last writes had."""
        return self.content is not None and self.record.content == self.content


@final
class AccessRecords:
    """The records of global memory, or of the shared memory of a work-group."""

    def __init__(self) -> None:
        self._words: Final[dict[int, _Record]] = {}
        self._bytes: Final[dict[int, _Record]] = {}
        """Records of the bytes of words that have been accessed in part."""

    def parts(self, address: int, size: int, content: bytes | None) -> Iterator[RecordPart]:
        """The parts of an access, whose `content` is the value that it writes, if that is to be recognised."""
        end = address + size
        for word in range(address // _WORD * _WORD, end, _WORD):
            first, last = max(word, address), min(word + _WORD, end)
            whole = self._words.get(word)
            if word not in self._bytes and last - first == _WORD:
                if whole is None:
                    whole = self._words[word] = _Record()
                yield _part(whole, word - address, _WORD, content)
                continue
            if word not in self._bytes:
                for number in range(_WORD):
                    self._bytes[word + number] = _Record() if whole is None else whole.byte(number)
            for byte in range(first, last):
                yield _part(self._bytes[byte], byte - address, 1, content)


def _part(record: _Record, start: int, size: int, content: bytes | None) -> RecordPart:
    return RecordPart(record, start, content[start : start + size] if content is not None else None)
