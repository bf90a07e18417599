# SPDX-License-Identifier: Apache-2.0
"""y = a x + y."""

import numpy as np

from ..prange import prange
from ..problem import Kernel, Problem


def _problem(n: int) -> Problem:
    random = np.random.default_rng(1)
    x, y = random.random((2, n), np.float32)
    a = np.float32(1.5)
    return Problem(
        arguments=(y, x, a, np.int32(n)),
        global_size=(n,),
        local_size=(256,),
        results=(0,),
        expected=lambda: (a * x + y,),
        tolerance=1e-6,
        nbytes=12 * n,
    )


def _numba(y, x, a, n):
    for i in prange(n):
        y[i] = a * x[i] + y[i]


KERNEL = Kernel(_problem, size=16 << 20, tiny=512, shown="16M", numba=_numba)
