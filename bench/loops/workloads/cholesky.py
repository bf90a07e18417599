# SPDX-License-Identifier: Apache-2.0
"""The Cholesky factor of a symmetric positive definite matrix, column by column."""

import math

import numpy as np

import lanewise as lw

from ..workload import Workload


@lw.jit
def cholesky(a, lower):
    n = a.shape[0]
    for j in range(n):
        rest = a[j, j]
        for k in range(j):
            rest -= lower[j, k] * lower[j, k]
        root = math.sqrt(rest)
        lower[j, j] = root
        for i in lw.prange(j + 1, n):
            rest_of_row = a[i, j]
            for k in range(j):
                rest_of_row -= lower[i, k] * lower[j, k]
            lower[i, j] = rest_of_row / root


def _inputs(n, dtype):
    factor = np.random.default_rng(15).random((n, n))
    return (factor @ factor.T + n * np.eye(n)).astype(dtype), np.zeros((n, n), dtype)


def _reference(a, lower):
    return (np.linalg.cholesky(a),)


WORKLOAD = Workload(cholesky, _inputs, _reference, results=(1,), size=512, tiny=8, shown="512 x 512")
