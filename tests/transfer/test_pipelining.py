# SPDX-License-Identifier: Apache-2.0
"""Tiles of random nests, each copied there before the one before it is copied back: the same bytes as one by one."""

import numpy as np
from tests.transfer.nests import ORIGIN, iterations, nest

from lanewise.transfer.costs import DeviceLimits
from lanewise.transfer.nest import ArrayReference
from lanewise.transfer.perform import pack_in, unpack_out
from lanewise.transfer.pipelining import may_overlap
from lanewise.transfer.plan import NestPlan, plan
from lanewise.transfer.tiling import tiles

ROOM = DeviceLimits(1 << 30)


class Tile:
    """A tile with buffers of its own on a device that is an array of the host."""

    def __init__(self, number: int, loops, references: list[ArrayReference], made: NestPlan) -> None:
        self._number, self._loops, self._references, self._plan = number, loops, references, made
        self._buffers = [np.full(group.size, 0xAA, np.uint8) for group in made.groups]

    def copy_in(self, memory) -> None:
        for group, buffer in zip(self._plan.groups, self._buffers, strict=True):
            pack_in(group, memory, ORIGIN, buffer)

    def run(self) -> None:
        """Write to each byte what tells the tile, and what was there."""
        for group, buffer in zip(self._plan.groups, self._buffers, strict=True):
            for number, address in zip(group.references, group.addresses, strict=True):
                reference = self._references[number]
                if not reference.writes or address is None:
                    continue
                around = [each for each in self._loops if reference.around is None or each.name in reference.around]
                places = {address.at(counters) for _, counters in iterations(tuple(around))}
                for place in sorted(places):
                    old = buffer[place] if reference.needs_old_value else 0
                    buffer[place] = (5 * int(old) + self._number + 1) % 256

    def copy_out(self, memory) -> None:
        for group, buffer in zip(self._plan.groups, self._buffers, strict=True):
            unpack_out(group, memory, ORIGIN, buffer)


def tiles_of(loops, references: list[ArrayReference], plans: list[NestPlan], parts) -> list[Tile]:
    return [
        Tile(number, each, references, made)
        for number, (each, made) in enumerate(zip(tiles(loops, parts), plans, strict=True))
    ]


def test_the_bytes_of_tiles_one_by_one():
    overlapped = refused = 0
    for seed in range(150):
        loops, references = nest(seed)
        parts = {loops[0].name: 3} if isinstance(loops[0].upper, int) else {}
        transfers = ("exact", "interval")[seed % 2]
        plans = [plan(each, references, transfers, strided=True) for each in tiles(loops, parts)]
        if not may_overlap(plans, ROOM):
            refused += 1
            continue
        overlapped += 1
        end = max(reference.array.interval()[1] for reference in references)
        memory = np.random.default_rng(seed).integers(0, 256, end - ORIGIN, dtype=np.uint8)
        expected = memory.copy()
        for each in tiles_of(loops, references, plans, parts):
            each.copy_in(expected)
            each.run()
            each.copy_out(expected)
        made = tiles_of(loops, references, plans, parts)
        made[0].copy_in(memory)
        for number, each in enumerate(made):
            if number + 1 < len(made):
                made[number + 1].copy_in(memory)
            each.run()
            each.copy_out(memory)
        assert (memory == expected).all(), seed
    assert overlapped > 30
    assert refused > 10
