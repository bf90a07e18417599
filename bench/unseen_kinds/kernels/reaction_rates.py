# SPDX-License-Identifier: Apache-2.0
"""Rates of reactions: native functions, and private arrays whose indices are known once the loop is unrolled."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

REACTIONS = 12


def _changes(temperatures: Array, amounts: Array, factors: Array) -> Array:
    inverse, warmth = 1 / temperatures.astype(np.float64), np.log(temperatures.astype(np.float64))
    change = np.zeros(amounts.shape)
    for r, (a, b, c) in enumerate(factors.astype(np.float64)):
        rate = np.exp(a + b * warmth - c * inverse) * amounts[r & 3] * np.sqrt(amounts[r >> 1 & 3])
        change[r & 3] -= rate
        change[r + 1 & 3] += rate
    return change


def _problem(cells: int) -> Problem:
    random = np.random.default_rng(30)
    temperatures = 300 + 1500 * random.random(cells, np.float32)
    amounts = random.random((4, cells), np.float32)
    factors = (random.random((REACTIONS, 3)) * (1, 0.5, 2000)).astype(np.float32)
    return Problem(
        arguments=(np.zeros_like(amounts), temperatures, amounts, factors, np.int32(cells)),
        global_size=(-cells % 64 + cells,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_changes(temperatures, amounts, factors),),
        tolerance=1e-4,
    )


KERNEL = Kernel(_problem, size=1 << 18, tiny=100, shown="256K cells")
