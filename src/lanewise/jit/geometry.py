# SPDX-License-Identifier: Apache-2.0
"""Grids and blocks for parallel loops."""

from __future__ import annotations

from math import prod
from typing import Final

from lanewise.device.launch import Extent
from lanewise.errors import LaunchError
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.tiling.plan import ROWS_OF_GROUP, RegisterTiling
from lanewise.frontend.python.unrolling.shape import MOST_COPIES, Unrolling

_LARGE_BLOCK: Final = 256
_SMALL_BLOCK: Final = 32
_LARGE_COUNT: Final = 1 << 13
"""Iterations from which work-groups are large: there are enough of them for many cores."""
_WITH_LOOPS: Final = (32, 16, 1)
"""Work-items that run loops often read the same rows and columns as their neighbours."""
_UNROLLED: Final = (32, 8, 1)
"""Work-items that do several iterations: a multiprocessor has all registers that code can name for so many."""
_FEWEST_ITEMS: Final = 1 << 12
"""Work-items that are left when each does several iterations: about a warp for each multiprocessor of large GPUs."""
_WARP: Final = 32
_WITHOUT_LOOPS: Final = (128, 2, 1)
_MOST_ALONG_X: Final = 0x7FFFFFFF
_MOST_ALONG_YZ: Final = 0xFFFF
_MOST_ITEMS: Final = 1024
_MOST_DEEP: Final = 64
"""Limits of CUDA: groups of a grid; items of a work-group, and those along z."""
_REDUCED_ITEMS: Final = 1 << 14
"""Partial results of a reduction: enough for all cores and lanes of a CPU, and few enough to add up in no time."""
REDUCED_BYTES: Final = 16 * _REDUCED_ITEMS
"""Bytes of the partial results of a reduction, at most, but for nests with more inner iterations than that."""
_REDUCED_BLOCK: Final = (256, 1, 1)
_MOST_COPIES: Final = 64
"""Private copies of an array that iterations add to: enough for the cores of a CPU to end at about the same time."""
_MOST_COPIED: Final = 1 << 28
"""Bytes of all private copies of a loop's arrays, at most, unless one copy is more."""
_TILED_GROUPS: Final = 64
"""Groups of a tiled nest, if it has the iterations: enough for the threads of a CPU to end at about the same time."""
_WIDE: Final = 4
"""Times as many work-items along x, if nothing is packed: then neighbours along x read the same lines and pages."""
_MANY: Final = 128
"""Times a tiling's width from which so few columns are left over that it doesn't matter how they are done."""
_FEWEST_TURNS: Final = 4
"""Turns through several rows that a group has at least, for which it packs columns."""


def usual_blocks(grid: Grid | None, *, reduces: bool) -> list[Extent | None]:
    """The blocks that launches of a region have; None among them: there may be others, too."""
    if grid is None:
        return [(1, 1, 1)]
    if grid.copied:
        return [(1, 1, 1)]
    if reduces:
        return [_REDUCED_BLOCK]
    if grid.is_by_row:
        return [(1, 1, 1)]
    if len(grid.axes) == 1:
        return [(_LARGE_BLOCK, 1, 1), (_SMALL_BLOCK, 1, 1)]
    return [_WITH_LOOPS if grid.has_loops else _WITHOUT_LOOPS, None]


def extents(
    counts: tuple[int, ...], grid: Grid, name: str, with_loops: Extent = _WITH_LOOPS, *, by_row: bool = True
) -> tuple[Extent, Extent]:
    """Grid and block for so many iterations per loop, the outermost first. LaunchError for more than a grid holds."""
    sizes = [counts[number] for number in grid.order]
    if grid.is_by_row and by_row:
        block = (1, 1, 1)
    elif len(sizes) == 1:
        block = (_LARGE_BLOCK if sizes[0] >= _LARGE_COUNT else _SMALL_BLOCK, 1, 1)
    else:
        block = with_loops if grid.has_loops else _WITHOUT_LOOPS
    block = _high_enough(sizes, block)
    groups = _groups(sizes, block)
    if max(groups[1:]) > _MOST_ALONG_YZ or groups[0] > _MOST_ALONG_X:
        shown = " x ".join(map(str, counts))
        raise LaunchError(f"{name}: a parallel loop of {shown} iterations is larger than a grid may be")
    return groups, block


def is_tiled(counts: tuple[int, ...], grid: Grid, tiling: RegisterTiling) -> bool:
    """True if a tiling has enough iterations, columns for two work-groups and two turns of rows, and no more than
    a grid holds."""
    rows = _rows(counts, tiling)
    if counts[grid.x] < 2 * tiling.width or rows < 2 * tiling.rows:
        return False
    planes = prod(counts) // (counts[grid.x] * rows)
    return max(planes, -(-rows // ROWS_OF_GROUP)) <= _MOST_ALONG_YZ and counts[grid.x] <= _MOST_ALONG_X


def _rows(counts: tuple[int, ...], tiling: RegisterTiling) -> int:
    return counts[tiling.row] * (1 if tiling.plane is None else counts[tiling.plane])


def tiled_extents(counts: tuple[int, ...], grid: Grid, tiling: RegisterTiling) -> tuple[Extent, Extent]:
    """Grid and block of a tiled nest."""
    width = tiling.width
    if not tiling.packed and (counts[grid.x] % (_WIDE * width) == 0 or counts[grid.x] >= _MANY * width):
        width *= _WIDE
    columns = -(-counts[grid.x] // width)
    rows = _rows(counts, tiling)
    planes = prod(counts) // (counts[grid.x] * rows)
    turns, fewest = -(-rows // tiling.rows), -(-rows // ROWS_OF_GROUP)
    groups = min(turns, _MOST_ALONG_YZ)  # along x, groups go on in the same rows of memory
    if tiling.packed:
        groups = max(fewest, min(-(-_TILED_GROUPS // (columns * planes)), -(-turns // _FEWEST_TURNS)))
    return (columns, groups, planes), (width, 1, 1)


def most_copies(counts: tuple[int, ...]) -> int:
    """The iterations of a nest that a work-item may do so that enough work-items are left, a power of two."""
    copies = 1
    while copies < MOST_COPIES and prod(counts) >= 2 * copies * _FEWEST_ITEMS:
        copies *= 2
    return copies


def are_enough(counts: tuple[int, ...], grid: Grid, unrolling: Unrolling) -> bool:
    """True if rows have the iterations that a work-item does, and columns those of a warp's."""
    shape = unrolling.shape
    return counts[grid.x] >= shape.columns * min(_WARP, _FEWEST_ITEMS) and (
        shape.row is None or counts[shape.row] >= shape.rows
    )


def unrolled_extents(counts: tuple[int, ...], grid: Grid, unrolling: Unrolling, name: str) -> tuple[Extent, Extent]:
    """Grid and block of work-items that do several iterations. LaunchError for more than a grid holds."""
    return extents(
        _turns(counts, grid, unrolling),
        grid,
        name,
        _UNROLLED if unrolling.is_unrolled else _WITH_LOOPS,
        by_row=grid.has_whole,
    )


def _turns(counts: tuple[int, ...], grid: Grid, unrolling: Unrolling) -> tuple[int, ...]:
    """Work-items for each loop."""
    shape, turns = unrolling.shape, list(counts)
    turns[grid.x] = -(-turns[grid.x] // shape.columns)
    if shape.row is not None:
        turns[shape.row] = -(-turns[shape.row] // shape.rows)
    return tuple(turns)


def _high_enough(sizes: list[int], block: Extent) -> Extent:
    """The block, but higher, and narrower, if there would be more groups along y or z than a grid has."""
    x, y, z = block
    while z < _MOST_DEEP and len(sizes) > 2 and -(-sizes[2] // z) > _MOST_ALONG_YZ:
        z *= 2
    while y * z < _MOST_ITEMS and len(sizes) > 1 and -(-sizes[1] // y) > _MOST_ALONG_YZ:
        y *= 2
    while x * y * z > _MOST_ITEMS:
        x, y = (x // 2, y) if x > 1 else (x, y // 2)
    return x, y, z


def reduced_extents(counts: tuple[int, ...], grid: Grid) -> tuple[tuple[Extent, Extent], int]:
    """Grid and block of a reduction, and how many iterations of the outermost loop each work-item adds up. They depend
    on nothing but the counts, and so does the order of additions."""
    block = _REDUCED_BLOCK
    sizes = [counts[number] for number in grid.order]
    outermost = grid.order.index(0)
    inner = 1
    for place, size in enumerate(sizes):
        if place != outermost:
            inner *= -(-size // block[place]) * block[place]
    items = max(_REDUCED_ITEMS // inner, 1)
    if outermost == 0:
        groups = min(-(-sizes[0] // block[0]), max(items // block[0], 1))
        chunk = -(-sizes[0] // (block[0] * groups))
        sizes[0] = groups * block[0]
    else:
        chunk = -(-sizes[outermost] // items)
        sizes[outermost] = -(-sizes[outermost] // chunk)
    return (_groups(sizes, block), block), chunk


def copied_extents(count: int, nbytes: int) -> tuple[tuple[Extent, Extent], int]:
    """Grid and block of a loop that adds up in arrays of so many bytes, and how many iterations each work-item does.
    Its work-items have a private copy each. As in `reduced_extents`, all follows from the arguments alone."""
    copies = min(_MOST_COPIES, max(_MOST_COPIED // max(nbytes, 1), 1), count)
    chunk = -(-count // copies)
    return ((-(-count // chunk), 1, 1), (1, 1, 1)), chunk


def _groups(sizes: list[int], block: Extent) -> Extent:
    x, y, z = (-(-size // extent) for size, extent in zip((*sizes, 1, 1)[:3], block, strict=True))
    return x, y, z
