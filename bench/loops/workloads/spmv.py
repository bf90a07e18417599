# SPDX-License-Identifier: Apache-2.0
"""A sparse matrix in compressed rows, times a vector: loops whose bounds are loaded, and gathers."""

import numpy as np

import lanewise as lw

from ..workload import Workload


@lw.jit
def spmv(starts, columns, values, x, y):
    for row in lw.prange(len(y)):
        total = 0.0
        for place in range(starts[row], starts[row + 1]):
            total += values[place] * x[columns[place]]
        y[row] = total


def _inputs(n, dtype):
    random = np.random.default_rng(12)
    starts = np.concatenate([[0], random.integers(0, 33, n).cumsum()]).astype(np.int64)
    columns = random.integers(0, n, starts[-1]).astype(np.int32)
    return starts, columns, random.random(starts[-1]).astype(dtype), random.random(n).astype(dtype), np.zeros(n, dtype)


def _reference(starts, columns, values, x, y):
    sums = np.concatenate([[0], np.cumsum(values * x[columns])])
    return (sums[starts[1:]] - sums[starts[:-1]],)


WORKLOAD = Workload(
    spmv, _inputs, _reference, results=(4,), size=400_000, tiny=17, shown="400k rows, 16 in each", tolerance=1e-7
)
