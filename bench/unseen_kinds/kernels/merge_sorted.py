# SPDX-License-Identifier: Apache-2.0
"""Merging by search: halving of ranges in one of two arrays, and a scattered store."""

import numpy as np
from bench.cpu.problem import Kernel, Problem


def _problem(count: int) -> Problem:
    a, b = np.sort(np.random.default_rng(16).integers(0, 4 * count, (2, count), np.int32), axis=1)
    return Problem(
        arguments=(np.zeros(2 * count, np.int32), a, b, np.int32(count)),
        global_size=(-count % 64 + count, 2),
        local_size=(64, 1),
        results=(0,),
        expected=lambda: (np.sort(np.concatenate([a, b])),),
    )


KERNEL = Kernel(_problem, size=1 << 18, tiny=100, shown="2 x 256K numbers")
