# SPDX-License-Identifier: Apache-2.0
"""Steps of the Collatz sequence: little work in a loop that work-items leave at very different times."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem


def _steps(count: int) -> Array:
    number, steps = np.arange(1, count + 1, dtype=np.int64), np.zeros(count, np.int64)
    while (on := number != 1).any():
        number = np.where(on, np.where(number & 1, 3 * number + 1, number // 2), number)
        steps += on
    return steps


def _problem(count: int) -> Problem:
    return Problem(
        arguments=(np.zeros(count, np.uint32), np.uint32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_steps(count),),
    )


KERNEL = Kernel(_problem, size=1 << 16, tiny=100, shown="64K numbers")
