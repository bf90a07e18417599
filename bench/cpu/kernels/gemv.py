# SPDX-License-Identifier: Apache-2.0
"""y = a x, a row a work-item: neighbours read at a stride of a row."""

import numpy as np

from ..prange import prange
from ..problem import Kernel, Problem


def _problem(n: int) -> Problem:
    random = np.random.default_rng(10)
    a, x = random.random((n, n), np.float32), random.random(n, np.float32)
    return Problem(
        arguments=(np.zeros(n, np.float32), a, x, np.int32(n)),
        global_size=(n,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (a @ x,),
        tolerance=1e-4,
        nbytes=a.nbytes,
    )


def _numba(y, a, x, columns):
    for row in prange(y.size):
        total = np.float32(0)
        for k in range(columns):
            total += a[row, k] * x[k]
        y[row] = total


KERNEL = Kernel(_problem, size=4096, tiny=64, shown="4096 x 4096", numba=_numba)
