# SPDX-License-Identifier: Apache-2.0
"""The sum of the distances of each point from all others: three arrays of coordinates."""

import numpy as np

import lanewise as lw

from ..workload import Workload


@lw.jit
def distances(x, y, z, sums):
    n = len(x)
    for i in lw.prange(n):
        total = sums[i] * 0
        for j in range(n):
            dx = x[i] - x[j]
            dy = y[i] - y[j]
            dz = z[i] - z[j]
            total += np.sqrt(dx * dx + dy * dy + dz * dz)
        sums[i] = total


def _inputs(n, dtype):
    x, y, z = np.random.default_rng(2).random((3, n)).astype(dtype)
    return x, y, z, np.zeros(n, dtype)


def _reference(x, y, z, sums):
    rows = [np.sqrt((x - x[i]) ** 2 + (y - y[i]) ** 2 + (z - z[i]) ** 2).sum() for i in range(len(x))]
    return (np.array(rows, sums.dtype),)


WORKLOAD = Workload(
    distances, _inputs, _reference, results=(3,), size=8192, tiny=21, shown="8192 points", dtypes=("float32", "float64")
)
