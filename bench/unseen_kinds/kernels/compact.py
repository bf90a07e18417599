# SPDX-License-Identifier: Apache-2.0
"""Numbers below a limit, packed group by group: barriers after a few instructions, then a scattered store."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

GROUP, LIMIT = 64, 1 << 30


def _packed(numbers: Array) -> tuple[Array, Array]:
    taken = numbers.reshape(-1, GROUP) < LIMIT
    out = np.zeros_like(numbers)
    group, place = np.nonzero(taken)
    out[group * GROUP + np.cumsum(taken, axis=1)[taken] - 1] = numbers.reshape(-1, GROUP)[group, place]
    return out, taken.sum(axis=1, dtype=np.uint32)


def _problem(count: int) -> Problem:
    numbers = np.random.default_rng(14).integers(0, 1 << 32, count, np.uint32)
    counts = np.zeros(count // GROUP, np.uint32)
    return Problem(
        arguments=(np.zeros_like(numbers), counts, numbers, np.uint32(LIMIT)),
        global_size=(count,),
        local_size=(GROUP,),
        results=(0, 1),
        expected=lambda: _packed(numbers),
    )


KERNEL = Kernel(_problem, size=1 << 20, tiny=256, shown="1M numbers")
