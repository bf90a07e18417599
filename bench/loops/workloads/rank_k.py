# SPDX-License-Identifier: Apache-2.0
"""The rank-k update of a symmetric matrix's lower triangle, c = alpha a a' + beta c: loops over a triangle."""

import numpy as np

import lanewise as lw

from ..workload import Workload


@lw.jit
def rank_k(a, old, c, alpha, beta):
    for i in lw.prange(c.shape[0]):
        for j in range(i + 1):
            total = a[i, 0] * 0
            for k in range(a.shape[1]):
                total += a[i, k] * a[j, k]
            c[i, j] = alpha * total + beta * old[i, j]


def _inputs(n, dtype):
    random = np.random.default_rng(4)
    return random.random((n, n)).astype(dtype), random.random((n, n)).astype(dtype), np.zeros((n, n), dtype), 1.5, 0.5


def _reference(a, old, c, alpha, beta):
    product = np.matmul(a, a.T)
    return (np.tril(alpha * product + beta * old),)


WORKLOAD = Workload(
    rank_k, _inputs, _reference, results=(2,), size=1024, tiny=9, shown="1024 x 1024", dtypes=("float32", "float64")
)
