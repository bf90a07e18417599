# SPDX-License-Identifier: Apache-2.0
"""The product of two square matrices, straight from its definition."""

import numpy as np

import lanewise as lw

from ..workload import Workload


@lw.jit
def matmul(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(b.shape[1]):
            total = c[i, j] * 0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def _inputs(n, dtype):
    random = np.random.default_rng(1)
    a, b = random.random((2, n, n)).astype(dtype)
    return a, b, np.zeros((n, n), dtype)


def _reference(a, b, c):
    return (a @ b,)


WORKLOAD = Workload(
    matmul, _inputs, _reference, results=(2,), size=1024, tiny=9, shown="1024 x 1024", dtypes=("float32", "float64")
)
