# SPDX-License-Identifier: Apache-2.0
"""What the expectations of warp kernels are written with: the warps of a launch, each a row of 32 lanes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..case import Array, Launch
from .ptx_manual import LANES, PerLane, bits_of

# Warps that are full, and a last one that is not; blocks of one dimension and of two whose rows cut through warps.
BLOCKS = ((32,), (40,), (8, 8), (70,), (16, 4), (24, 3), (7,))
FULL_BLOCKS = ((32,), (64,), (8, 8), (16, 4), (128,))


def launches(blocks: tuple[tuple[int, ...], ...]) -> tuple[Launch, ...]:
    return tuple(Launch((2, 1, 1)[: len(block)], block) for block in blocks)


ON_FULL_WARPS = launches(FULL_BLOCKS)


@dataclass(frozen=True)
class Place:
    """A warp in the launch: its first work-item, and the bits of the lanes that it has."""

    group: int
    first: int
    here: int

    @property
    def items(self) -> slice:
        return slice(self.first, self.first + self.here.bit_count())

    def lanes(self, array: Array) -> PerLane:
        """What the lanes have in an array of an element a work-item; 0 for lanes that there are not."""
        values = array[self.items].tolist()
        return values + [0] * (len(LANES) - len(values))


def warps(launch: Launch) -> Iterator[Place]:
    for group in range(launch.groups):
        for first in range(0, launch.items, 32):
            here = bits_of(range(min(32, launch.items - first)))
            yield Place(group, group * launch.items + first, here)


def rows_by_warp(launch: Launch, compute: Callable[[Place], PerLane]) -> Array:
    """The results of all work-items, each a row; None where there is none. `compute` gives, for each lane, a result, a
    tuple of results, or None."""
    lanes = [row for place in warps(launch) for row in compute(place)[: place.here.bit_count()]]
    rows = [row if isinstance(row, tuple) else (row,) for row in lanes]
    out = np.full((len(rows), max(map(len, rows))), None, object)
    for item, row in enumerate(rows):
        out[item, : len(row)] = row
    return out


def by_warp(launch: Launch, compute: Callable[[Place], PerLane]) -> Array:
    """The same with 0 where there is no result."""
    return filled(rows_by_warp(launch, compute))


def filled(rows: Array) -> Array:
    return np.where(np.equal(rows, np.array(None)), 0, rows)


def together(*results: PerLane) -> PerLane:
    """Several results of each lane in one tuple."""
    return [tuple(lane) for lane in zip(*results, strict=True)]
