# SPDX-License-Identifier: Apache-2.0
"""Heat in three dimensions, slice by slice, with a halo in local memory and two barriers for each slice."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

RATE = np.float32(0.1)


def _step(volume: Array) -> Array:
    padded = np.pad(volume, 1, mode="edge").astype(np.float64)
    inner = slice(1, -1)
    around = sum(
        padded[tuple(slice(1 + move, padded.shape[a] - 1 + move) if a == axis else inner for a in range(3))]
        for axis in range(3)
        for move in (-1, 1)
    )
    return volume + RATE * (around - 6.0 * volume)


def _problem(size: int) -> Problem:
    width = max(32, size)
    volume = np.random.default_rng(43).random((size, size, width), np.float32)
    return Problem(
        arguments=(np.zeros_like(volume), volume, np.int32(width), np.int32(size), np.int32(size), RATE),
        global_size=(width, size),
        local_size=(32, 4),
        results=(0,),
        expected=lambda: (_step(volume),),
        tolerance=1e-6,
    )


KERNEL = Kernel(_problem, size=192, tiny=8, shown="192 x 192 x 192")
