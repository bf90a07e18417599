# SPDX-License-Identifier: Apache-2.0
"""Layout of a worker's arena: all memory that a work-group needs beside its arguments.

    static shared memory | saved values and private arrays, one element per work-item | dynamic shared memory

Dynamic shared memory comes last, since only the launch says how much there is. In code for one local size, all
offsets are constants. In code for any, array i, of elements of size b[i], starts at

    place(i) = fixed + LINE * i + round_up(n * (b[0] + ... + b[i-1]), LINE)      n: work-items of a group

It ends before the next one: place(i) + n * b[i] < fixed + LINE * (i + 1) + n * (b[0] + ... + b[i]) <= place(i + 1).
"""

from typing import Final, NamedTuple, final

from lanewise.ir.layout import round_up
from lanewise.workgroup.layout import abi

LINE: Final = 64
"""Alignment in bytes of the arena and of each array in it: a cache line, and the widest vector."""


class ArenaPlace(NamedTuple):
    """An offset from the start of the arena: `fixed` bytes, and `per_item` bytes for each work-item, these rounded up
    to a cache line."""

    fixed: int
    per_item: int = 0


@final
class Arena:
    """The places that have been given out. `work_items` is None in code for any local size.

    `end` is the end of these places, without the `item_bytes` for each work-item of code for any local size.
    """

    def __init__(self, work_items: int | None) -> None:
        self._work_items: Final = work_items
        self.end = 0
        self.item_bytes = 0
        self.shared_bytes = 0
        """Bytes of static shared memory."""

    def shared(self, size: int, align: int) -> int:
        """A place in static shared memory; all of these before any other."""
        assert self.end == self.shared_bytes, "shared memory comes first"
        offset = round_up(self.end, align)
        self.end = self.shared_bytes = offset + size
        return offset

    def array(self, element_bytes: int) -> ArenaPlace:
        """A place for one element per work-item, at the start of a cache line."""
        place = ArenaPlace(round_up(self.end, LINE), self.item_bytes)
        if self._work_items is not None:
            self.end = place.fixed + element_bytes * self._work_items
        else:
            self.end = place.fixed + LINE
            self.item_bytes += element_bytes
        return place

    @property
    def fixed_bytes(self) -> int:
        """Bytes of the arena; in code for any local size, those that don't depend on it."""
        return self.end if self._work_items is None else abi.arena_bytes(self.end, 0, 0)
