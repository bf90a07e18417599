# SPDX-License-Identifier: Apache-2.0
"""A step of a Gaussian elimination, with the factors of the rows given; work-items above and before the pivot leave."""

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Problem


def _step(matrix: Array, factors: Array, pivot: int) -> Array:
    after = matrix.copy()
    after[pivot + 1 :, pivot:] -= factors[pivot + 1 :, None] * matrix[pivot, pivot:]
    return after


def _problem(n: int) -> Problem:
    random = np.random.default_rng(21)
    matrix, factors = random.random((n, n), np.float32), random.random(n, np.float32)
    pivot = n // 16 + 1
    return Problem(
        arguments=(matrix, factors, np.int32(n), np.int32(pivot)),
        global_size=(n, n),
        local_size=(16, 16),
        results=(0,),
        expected=lambda: (_step(matrix, factors, pivot),),
        tolerance=1e-6,
        nbytes=2 * matrix.nbytes,
    )


def _numba(matrix, factors, n, pivot):
    for row in prange(pivot + 1, n):
        for column in range(pivot, n):
            matrix[row, column] -= factors[row] * matrix[pivot, column]


KERNEL = Kernel(_problem, size=2048, tiny=32, shown="2048 x 2048", numba=_numba)
