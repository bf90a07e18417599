# SPDX-License-Identifier: Apache-2.0
"""Tiles of a nest's parallel loops whose buffers fit into the device (4.4).

Parallel loops have independent iterations, so any split of them is legal. First one loop alone is split into the
fewest chunks that fit, found by bisection. If no single loop helps, every parallel loop is halved until the tiles fit,
as in the paper, which gives up above 64 tiles.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product

from lanewise.errors import LaunchError
from lanewise.transfer.costs import DeviceLimits, TransferCosts
from lanewise.transfer.nest import ArrayReference, LoopRange
from lanewise.transfer.plan import NestPlan, Transfers, plan

MOST_TILES = 64
"""Tiles, above which tiling is given up: the paper's threshold."""


def tile(
    loops: tuple[LoopRange, ...],
    references: Sequence[ArrayReference],
    limits: DeviceLimits,
    transfers: Transfers = "exact",
    costs: TransferCosts | None = None,
    *,
    strided: bool = False,
) -> list[NestPlan]:
    """One plan per tile, in the order of the loops; a single one if the nest fits as it is. `strided`: see `plan`.

    Raises `LaunchError` if no tiling of at most `MOST_TILES` tiles fits.
    """

    def plans(parts: dict[str, int]) -> list[NestPlan] | None:
        made: list[NestPlan] = []
        for tiled in tiles(loops, parts):
            made.append(plan(tiled, references, transfers, costs, strided=strided))
            if limits.excess(group.size for group in made[-1].groups):
                return None
        return made

    whole = plans({})
    if whole is not None:
        return whole
    splittable = {loop.name: _length(loop) for loop in loops if loop.parallel and _length(loop) > 1}
    choices = [made for name, length in splittable.items() if (made := _fewest(plans, name, length))]
    if choices:
        return min(choices, key=lambda made: (len(made), sum(one.bytes_in + one.bytes_out for one in made)))
    parts = 2
    while len(list(tiles(loops, halved := {n: min(parts, length) for n, length in splittable.items()}))) <= MOST_TILES:
        made = plans(halved)
        if made is not None:
            return made
        if parts >= max(splittable.values(), default=1):
            break
        parts *= 2
    sizes = [group.size for group in plan(loops, references, transfers, costs, strided=strided).groups]
    raise LaunchError(
        f"the device has too little memory: {limits.excess(sizes)}, and no split of the parallel loops "
        f"({', '.join(splittable) or 'there are none with constant bounds'}) into {MOST_TILES} tiles or fewer fits"
    )


Plans = Callable[[dict[str, int]], list[NestPlan] | None]
"""The plans of all tiles for the parts of each loop; None if one doesn't fit."""


def _fewest(plans: Plans, name: str, length: int) -> list[NestPlan] | None:
    """The fewest chunks of one loop that fit, if as many as there may be do."""
    most = min(length, MOST_TILES)
    best = plans({name: most})
    low, high = 2, most
    while best is not None and low < high:
        middle = (low + high) // 2
        made = plans({name: middle})
        if made is not None:
            best, high = made, middle
        else:
            low = middle + 1
    return best


def _length(loop: LoopRange) -> int:
    """The iterations of a loop with constant bounds; 0 for others, which are not split."""
    if isinstance(loop.lower, int) and isinstance(loop.upper, int) and loop.step:
        return len(range(loop.lower, loop.upper, loop.step))
    return 0


def tiles(loops: tuple[LoopRange, ...], parts: dict[str, int]) -> Iterator[tuple[LoopRange, ...]]:
    """The nest with each named loop cut into that many chunks, of lengths that differ by at most one."""
    chunks: list[list[LoopRange]] = []
    for loop in loops:
        count, length = parts.get(loop.name, 1), _length(loop)
        if count == 1 or not isinstance(loop.lower, int):
            chunks.append([loop])
            continue
        cuts = [loop.lower + loop.step * (length * k // count) for k in range(count + 1)]
        chunks.append([replace(loop, lower=a, upper=b) for a, b in pairwise(cuts)])
    return product(*chunks)
