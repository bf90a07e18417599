# SPDX-License-Identifier: Apache-2.0
"""The iterations that a work-item of a GPU does side by side, and the offer of a device and a call for it."""

from typing import Final, NamedTuple

WIDE_BYTES: Final = 16
"""Bytes of the largest vector that a load of a GPU has."""
EVEN: Final = 16
"""Elements that the first column is a multiple of, if columns are neighbours: WIDE_BYTES of any size."""
MOST_COPIES: Final = 16
"""Copies of a body: more make code that instruction caches don't hold."""


class ItemShape(NamedTuple):
    """The iterations that a work-item does: `rows` along an axis, or None for none, and `columns` along x."""

    row: int | None
    rows: int
    columns: int

    @property
    def copies(self) -> int:
        return self.rows * self.columns


class Offer(NamedTuple):
    """The offer of a device and a call: `registers` of a work-item, `copies` that leave enough work-items at most, and
    the arrays whose rows start at multiples of WIDE_BYTES. `even`: the first iteration along x is a multiple of
    EVEN."""

    registers: int
    copies: int = MOST_COPIES
    wide: frozenset[str] = frozenset()
    even: bool = False


class Unrolling(NamedTuple):
    """The iterations that a work-item does, and the arrays whose rows start at multiples of WIDE_BYTES. `adjacent`: its
    columns are neighbours. `registers`: the estimate. `loads` and `rolled`: requests in a turn of the innermost loops,
    with all copies and with one."""

    shape: ItemShape
    wide: tuple[str, ...]
    adjacent: bool = False
    registers: int = 0
    loads: int = 0
    rolled: int = 0
    triangular: bool = False
    """The bounds of the second axis depend on the first."""
    reason: str = ""
    """The reason why it does one."""

    @property
    def is_unrolled(self) -> bool:
        return self.shape.copies > 1
