# SPDX-License-Identifier: Apache-2.0
"""Quasi-random numbers from tables of direction numbers, which are made up."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

BITS = 24


def _numbers(directions: Array, count: int) -> Array:
    places, values = np.arange(count, dtype=np.uint32), np.zeros((len(directions), count), np.uint32)
    for bit in range(BITS):
        values ^= (places >> bit & 1) * directions[:, bit : bit + 1]
    return (values.astype(np.float64) * 2.0**-32).astype(np.float32)


def _problem(size: int) -> Problem:
    dimensions = 8
    directions = np.random.default_rng(14).integers(0, 1 << 24, (dimensions, BITS), np.uint32) << np.uint32(8)
    return Problem(
        arguments=(np.zeros((dimensions, size), np.float32), directions, np.int32(BITS)),
        global_size=(size, dimensions),
        local_size=(min(256, size), 1),
        results=(0,),
        expected=lambda: (_numbers(directions, size),),
        tolerance=1e-7,
    )


KERNEL = Kernel(_problem, size=1 << 19, tiny=64, shown="512k in 8 dimensions")
