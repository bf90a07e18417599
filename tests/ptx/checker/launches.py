# SPDX-License-Identifier: Apache-2.0
"""Shapes of launches: blocks of one dimension and of more, x extents that 32 divides or not, grids of a few blocks."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

BLOCKS: Final = (
    (32, 1, 1), (64, 1, 1), (96, 1, 1), (256, 1, 1), (33, 1, 1), (48, 1, 1), (31, 1, 1), (1, 1, 1), (128, 1, 1),
    (16, 16, 1), (7, 9, 1), (40, 3, 1), (64, 2, 1), (33, 2, 1),
    (1, 64, 1), (32, 4, 2), (8, 8, 2), (4, 4, 4), (2, 1, 40),
)  # fmt: skip
_LONG: Final = BLOCKS[:4]
_DEEP: Final = BLOCKS[9:]
_MOST_THREADS: Final = 1024


@dataclass(frozen=True, slots=True)
class Extent:
    """A grid of blocks; x, y and z are the points of the index space that its threads cover."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    x: int
    y: int
    z: int

    @property
    def threads(self) -> int:
        a, b, c = self.block
        d, e, f = self.grid
        return a * b * c * d * e * f


def _extent(rng: random.Random, dimensions: int, rows_first: bool, block: tuple[int, int, int]) -> Extent:
    limit = max(_MOST_THREADS // (block[0] * block[1] * block[2]), 1)
    grid = [rng.randint(1, min(3, limit)), 1, 1]
    for axis in range(1, 3):
        if dimensions > axis or rng.random() < 0.1:
            grid[axis] = rng.randint(1, max(min(3, limit // (grid[0] * grid[1])), 1))
    if rows_first:
        return Extent((grid[0], grid[1], grid[2]), block, grid[1] * block[0], grid[0], grid[2])
    x, y, z = (of * by for of, by in zip(grid, block, strict=True))
    return Extent((grid[0], grid[1], grid[2]), block, x, y, z)


def extents(rng: random.Random, dimensions: int, rows_first: bool, block: tuple[int, int, int] | None) -> list[Extent]:
    """Some five launches, among them a long block and one of more dimensions, or all with the one `block`."""
    if block:
        return [_extent(rng, dimensions, rows_first, block) for _ in range(3)]
    blocks = [rng.choice(_LONG), rng.choice(_DEEP), *rng.sample(BLOCKS, 3)]
    return [_extent(rng, dimensions, rows_first, each) for each in dict.fromkeys(blocks)]
