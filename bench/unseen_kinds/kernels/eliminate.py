# SPDX-License-Identifier: Apache-2.0
"""Many linear systems of six unknowns, one for each work-item: a private matrix whose rows are swapped."""

import numpy as np
from bench.cpu.problem import Kernel, Problem

N = 6


def _problem(count: int) -> Problem:
    random = np.random.default_rng(44)
    rows = random.permuted(np.tile(np.arange(N), (count, 1)), axis=1)
    matrices = random.random((count, N, N), np.float32) + 4 * np.eye(N, dtype=np.float32)[rows]
    sides = random.random((count, N), np.float32)
    return Problem(
        arguments=(np.zeros_like(sides), matrices, sides, np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (np.linalg.solve(matrices.astype(np.float64), sides[..., None].astype(np.float64))[..., 0],),
        tolerance=1e-3,
    )


KERNEL = Kernel(_problem, size=1 << 15, tiny=50, shown="32K systems")
