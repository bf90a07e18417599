# SPDX-License-Identifier: Apache-2.0
"""Races that a device finds by itself, as it tells the caller of a launch."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple, final

from lanewise.ir.debug_info import Location


class RacingAccess(NamedTuple):
    """One of two accesses that race."""

    kind: str
    """"read", "write" or "atomic operation"."""
    size: int
    """Bytes; 0 for a copy of several."""
    place: Location | None
    block: tuple[int, int, int]
    thread: tuple[int, int, int]


DYNAMIC = "dynamic shared memory"
"""The kind of an object that is all of the shared memory whose size a launch gives."""


class RacedObject(NamedTuple):
    """The memory of a race, in words that `CheckedPlace` describes objects with."""

    kind: str
    name: str
    """"" if it has none."""
    parameter: int = -1
    """The number of the argument that it is; -1 for others."""
    shape: tuple[int, ...] = ()
    """The extents of a variable that is an array; 0 where a launch gives the size."""
    element: int = 1
    """Bytes of an element of it, if they are known."""


class Race(NamedTuple):
    """Two accesses that race, and the first byte that both are of."""

    later: RacingAccess
    """The one that came second in this run."""
    earlier: RacingAccess
    object: RacedObject
    offset: int
    """Bytes from the start of the object."""


@final
class RaceLog:
    """The races of a launch: of those at one place, in one object, the first, and how many there were. `dynamic_bytes`:
    dynamic shared memory of the user's; what the checks have added comes after it."""

    def __init__(self, dynamic_bytes: int) -> None:
        self.dynamic_bytes: Final = dynamic_bytes
        self._first: Final[dict[tuple[object, ...], Race]] = {}
        self._times: Final[Counter[tuple[object, ...]]] = Counter()

    def add(self, race: Race) -> None:
        key = (race.later.place, race.later.kind, race.object)
        self._first.setdefault(key, race)
        self._times[key] += 1

    def __iter__(self) -> Iterator[tuple[Race, int]]:
        for key, race in self._first.items():
            yield race, self._times[key]
