# SPDX-License-Identifier: Apache-2.0
"""Euclid's algorithm: a remainder by numbers of each work-item, each of which needs the one before."""

import numpy as np
from bench.cpu.problem import Kernel, Problem


def _problem(count: int) -> Problem:
    a, b = np.random.default_rng(20).integers(0, 1 << 32, (2, count), np.uint32)
    return Problem(
        arguments=(np.zeros_like(a), a, b, np.uint32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (np.gcd(a, b),),
    )


KERNEL = Kernel(_problem, size=1 << 17, tiny=100, shown="128K pairs")
