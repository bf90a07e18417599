# SPDX-License-Identifier: Apache-2.0
"""The rank-2k update of a symmetric matrix's lower triangle, c = alpha (a b' + b a') + beta c."""

import numpy as np

import lanewise as lw

from ..workload import Workload


@lw.jit
def rank_2k(a, b, old, c, alpha, beta):
    for i in lw.prange(c.shape[0]):
        for j in range(i + 1):
            total = a[i, 0] * 0
            for k in range(a.shape[1]):
                total += a[i, k] * b[j, k] + b[i, k] * a[j, k]
            c[i, j] = alpha * total + beta * old[i, j]


def _inputs(n, dtype):
    a, b, old = np.random.default_rng(5).random((3, n, n)).astype(dtype)
    return a, b, old, np.zeros((n, n), dtype), 1.5, 0.5


def _reference(a, b, old, c, alpha, beta):
    product = a @ b.T
    return (np.tril(alpha * (product + product.T) + beta * old),)


WORKLOAD = Workload(
    rank_2k, _inputs, _reference, results=(3,), size=512, tiny=9, shown="512 x 512", dtypes=("float32", "float64")
)
