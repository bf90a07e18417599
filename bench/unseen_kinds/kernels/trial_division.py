# SPDX-License-Identifier: Apache-2.0
"""The least factor of odd numbers: a remainder in a loop that work-items leave at very different times."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

FIRST = 10_000_001


def _factors(count: int) -> Array:
    numbers = FIRST + 2 * np.arange(count, dtype=np.int64)
    factors = numbers.copy()
    for d in range(int(numbers[-1] ** 0.5) // 2 * 2 + 1, 2, -2):
        factors[(numbers % d == 0) & (d * d <= numbers)] = d
    return factors


def _problem(count: int) -> Problem:
    return Problem(
        arguments=(np.zeros(count, np.uint32), np.uint32(FIRST), np.uint32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_factors(count),),
    )


KERNEL = Kernel(_problem, size=1 << 15, tiny=100, shown="32K odd numbers from 10,000,001 on")
