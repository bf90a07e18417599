# SPDX-License-Identifier: Apache-2.0
"""Forces by lists of neighbours: gathers of four floats, and work for those that are near enough."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

NEIGHBOURS, CUTOFF = 64, 6.0


def _forces(places: Array, lists: Array) -> Array:
    places = places.astype(np.float64)
    force = np.zeros_like(places)
    for row in lists:
        away = places - places[row]
        square = (away[:, :3] ** 2).sum(axis=1)
        near = (square < CUTOFF) & (square > 0)
        r2 = 1 / np.where(near, square, 1)
        force += away * np.where(near, r2 * r2**3 * (r2**3 - 0.5), 0)[:, None]
    force[:, 3] = 0
    return force


def _problem(count: int) -> Problem:
    random = np.random.default_rng(29)
    side = int(np.ceil(count ** (1 / 3)))
    grid = np.stack(np.unravel_index(np.arange(count), (side,) * 3), axis=1)
    places = np.zeros((count, 4), np.float32)
    places[:, :3] = grid * 1.2 + random.random((count, 3)) * 0.2
    steps = np.sort(random.integers(-2 * side, 2 * side + 1, (NEIGHBOURS, count)), axis=0)
    lists = np.clip(np.arange(count) + steps, 0, count - 1).astype(np.int32)
    return Problem(
        arguments=(
            np.zeros_like(places), places, lists, np.int32(NEIGHBOURS), np.float32(CUTOFF), np.int32(count)
        ),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_forces(places, lists),),
        tolerance=1e-4,
        differing=1e-3,
    )  # fmt: skip


KERNEL = Kernel(_problem, size=1 << 14, tiny=200, shown="16K particles, 64 neighbours")
