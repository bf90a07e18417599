# SPDX-License-Identifier: Apache-2.0
"""A product of matrices by columns: many sums for each work-item, and a pointer that moves between barriers."""

import numpy as np
from bench.cpu.problem import Kernel, Problem


def _problem(size: int) -> Problem:
    random = np.random.default_rng(48)
    a, b = random.random((2, size, size), np.float32)
    return Problem(
        arguments=(np.zeros_like(a), a, b, np.int32(size)),
        global_size=(size // 64 * 16, size // 16 * 4),
        local_size=(16, 4),
        results=(0,),
        expected=lambda: (b.astype(np.float64) @ a,),
        tolerance=1e-5,
    )


KERNEL = Kernel(_problem, size=512, tiny=64, shown="512 x 512")
