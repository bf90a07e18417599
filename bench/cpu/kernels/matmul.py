# SPDX-License-Identifier: Apache-2.0
"""c = a b for square matrices, an element a work-item."""

import numpy as np

from ..prange import prange
from ..problem import Kernel, Problem


def _problem(n: int) -> Problem:
    random = np.random.default_rng(2)
    a, b = random.random((2, n, n), np.float32)
    return Problem(
        arguments=(np.zeros_like(a), a, b, np.int32(n)),
        global_size=(n, n),
        local_size=(16, 16),
        results=(0,),
        expected=lambda: (a @ b,),
        tolerance=1e-5,
        flops=2 * n**3,
    )


def _numba(c, a, b, n):
    for row in prange(n):
        for column in range(n):
            total = np.float32(0)
            for k in range(n):
                total += a[row, k] * b[k, column]
            c[row, column] = total


KERNEL = Kernel(_problem, size=512, tiny=32, shown="512 x 512", numba=_numba)
