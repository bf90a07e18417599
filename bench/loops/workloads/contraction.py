# SPDX-License-Identifier: Apache-2.0
"""A contraction of arrays of three and of two indices, c[i, j, k] = sum over l of a[i, j, l] b[l, k]."""

import numpy as np

import lanewise as lw

from ..workload import Workload


@lw.jit
def contract(a, b, c):
    for i in lw.prange(c.shape[0]):
        for j in lw.prange(c.shape[1]):
            for k in lw.prange(c.shape[2]):
                total = c[i, j, k] * 0
                for m in range(b.shape[0]):
                    total += a[i, j, m] * b[m, k]
                c[i, j, k] = total


def _inputs(n, dtype):
    random = np.random.default_rng(12)
    a, b = random.random((n // 8 + 1, n // 8, n)), random.random((n, n))
    return a.astype(dtype), b.astype(dtype), np.zeros(a.shape, dtype)


def _reference(a, b, c):
    return (np.tensordot(a, b, 1),)


WORKLOAD = Workload(
    contract,
    _inputs,
    _reference,
    results=(2,),
    size=512,
    tiny=16,
    shown="65 x 64 x 512",
    dtypes=("float32", "float64"),
)
