# SPDX-License-Identifier: Apache-2.0
"""The layout of a group's work-items over units, chunks, rows and lanes.

    along x or y   a chunk is W neighbours in x, or, if a group is narrower, as many rows of it as W holds; the chunks
                   of a unit are side by side in x, or one above the other in y
    linear         a chunk is W work-items in linear order, wherever they are in x, y and z: for groups whose rows
                   don't fit, and for any local size

A unit of a kernel with warp operations is a warp: 32 work-items in linear order, or 64. If work-items exchange values
within their warp without any operation, a unit holds whole warps, one or several, or the lanes of a smaller group.
"""

from math import prod
from typing import Final, NamedTuple

from lanewise.analysis.shapes import Extent
from lanewise.workgroup.layout import local_size

WARP: Final = 32
WORDS_OF_LINE: Final = 16
"""Numbers of 32 bits in a cache line."""


class Plan(NamedTuple):
    extent: Extent
    axis: str
    """Axis of the chunks: x, y or linear."""

    def __str__(self) -> str:
        lanes, rows, chunks = self.extent
        shown = f"{lanes} lanes" if rows == 1 else f"{rows} rows of {lanes} lanes"
        several = "" if chunks == 1 else f", {chunks} chunks"
        if self.axis == "linear":
            return f"{shown}{several}, in linear order"
        return f"{shown}{several}{several and f' along {self.axis}'}"

    def of_chunks(self, chunks: int) -> "Plan":
        """The same plan with this number of chunks."""
        return self._replace(extent=self.extent._replace(chunks=chunks))


def make_plan(block: local_size.Extent | None, width: int, chunks: int, warps: int, axis: str | None = None) -> Plan:
    """A plan for a local size (None: any) with vectors of `width` lanes and up to `chunks` of them. `warps`: a unit
    is a warp of that size, if it isn't 0."""
    if warps:
        return make_plan_of_warps(block, width, 1, warps)
    if block is None:
        return Plan(Extent(width, 1, chunks), "linear")
    x, y, z = block
    if prod(block) < width:
        width = max(2, 1 << (prod(block) - 1).bit_length())
    if x >= width:
        if axis == "y" and y > 1:
            return Plan(Extent(width, 1, _divisor(y, chunks)), "y")
        return Plan(Extent(width, 1, _divisor(-(-x // width), chunks)), "x")
    if x & (x - 1) or (x == 1 and y * z > 1):
        return Plan(Extent(width, 1, _divisor(-(-prod(block) // width), chunks)), "linear")
    rows = width // x
    if y % rows:
        if z > 1 or x * y * 2 <= width:
            return Plan(Extent(width, 1, _divisor(-(-prod(block) // width), chunks)), "linear")
        rows = y & -y
    return Plan(Extent(x, rows, _divisor(y // rows, chunks)), "y")


def fill_lines(plan: Plan, block: local_size.Extent | None, keep_chunks: bool) -> Plan:
    """The same plan with lanes along x for a cache line of words, if vectors are shorter and chunks are above each
    other.

    A row of vectors is then loaded and stored as whole lines, which may go past the caches. The unit keeps its
    number of vectors or, with `keep_chunks`, its number of rows.
    """
    lanes, rows, chunks = plan.extent
    beside = WORDS_OF_LINE // lanes
    if plan.axis != "y" or rows > 1 or beside < 2 or chunks < beside or block is None or block[0] < WORDS_OF_LINE:
        return plan
    return plan._replace(extent=Extent(WORDS_OF_LINE, 1, chunks if keep_chunks else chunks // beside))


def share_masks(plan: Plan, block: local_size.Extent | None) -> Plan:
    """The same plan with chunks of two vectors along x, so that what is done once per chunk, for masks above all, is
    done once for both."""
    lanes, rows, chunks = plan.extent
    if plan.axis == "linear" or rows > 1 or 2 * lanes > WORDS_OF_LINE or block is None or block[0] % (2 * lanes):
        return plan
    return plan._replace(extent=Extent(2 * lanes, 1, max(1, chunks // 2)))


def make_plan_of_warps(
    block: local_size.Extent | None, width: int, chunks: int, size: int = WARP, *, whole: bool = True
) -> Plan:
    """The same plan for units of whole warps, that is of `size` work-items in linear order: one warp, or more if that
    takes no more than `chunks`. `whole`: a warp has all of its lanes, though no work-items may be there for some."""
    if block is not None and not whole:
        size = min(size, max(2, 1 << (prod(block) - 1).bit_length()))
    width = min(width, size)
    least = size // width
    most = max(1, chunks // least)
    if block is None:
        return Plan(Extent(width, 1, least * most), "linear")
    x, y, _ = block
    warps = -(-prod(block) // size)
    if x % size == 0:
        return Plan(Extent(width, 1, least * _divisor(x // size, most)), "x")
    if x < size and size % x == 0 and x > 1 and y % (size // x) == 0 and x <= width:
        return Plan(Extent(x, width // x, least * _divisor(y * x // size, most)), "y")
    if width < x == WORDS_OF_LINE and y % (size // x) == 0:  # two vectors or more, so that lanes are neighbours
        return Plan(Extent(x, 1, size // x * _divisor(y * x // size, most)), "y")
    return Plan(Extent(width, 1, least * _divisor(warps, most)), "linear")


def _divisor(count: int, most: int) -> int:
    """The greatest power of two that is at most `most` and divides `count`."""
    found = most
    while count % found:
        found //= 2
    return found
