# SPDX-License-Identifier: Apache-2.0
"""Layout of a worker's arena: all memory that a work-group needs beside its arguments, known at compile time.

    static shared memory | contexts and private arrays, an element a work-item | dynamic shared memory

Dynamic shared memory comes last, since only the launch says how much there is.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.ir.layout import round_up

LINE: Final = 64
"""Alignment in bytes of the arena and of each array in it: a cache line, and the widest vector."""

DYNAMIC_ALIGNMENT: Final = 128


@final
class Arena:
    """Gives out places, as offsets in bytes from the arena's begin."""

    def __init__(self) -> None:
        self.end = 0
        self.shared_bytes = 0
        """Static shared memory."""

    def shared(self, size: int, align: int) -> int:
        """A place in static shared memory; all of these before any other."""
        assert self.end == self.shared_bytes, "shared memory comes first"
        offset = round_up(self.end, align)
        self.end = self.shared_bytes = offset + size
        return offset

    def array(self, size: int) -> int:
        """A place for `size` bytes at the begin of a cache line."""
        offset = round_up(self.end, LINE)
        self.end = offset + size
        return offset

    @property
    def dynamic(self) -> int:
        """Where dynamic shared memory begins: behind all the rest."""
        return round_up(self.end, DYNAMIC_ALIGNMENT)
