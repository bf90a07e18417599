# SPDX-License-Identifier: Apache-2.0
"""Counts of digits: a private array whose indices are data."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

SHIFT = 8


def _counts(numbers: Array) -> Array:
    digits = numbers >> np.uint32(SHIFT) & np.uint32(15)
    return np.stack([(digits == digit).sum(axis=0) for digit in range(16)])


def _problem(items: int) -> Problem:
    numbers = np.random.default_rng(15).integers(0, 1 << 32, (64, items), np.uint32)
    return Problem(
        arguments=(np.zeros((16, items), np.uint32), numbers, np.int32(SHIFT), np.int32(items)),
        global_size=(items,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_counts(numbers),),
    )


KERNEL = Kernel(_problem, size=1 << 14, tiny=64, shown="16K work-items, 1M numbers")
