# SPDX-License-Identifier: Apache-2.0
"""Sweeps of Jacobi's method for Laplace's equation until the change, summed up, is small."""

import numpy as np

import lanewise as lw

from ..workload import Workload

SWEEPS = 10
"""Sweeps at most, in pairs."""


@lw.jit
def jacobi(a, b, enough):
    change = enough + 1.0
    sweep = 0
    while sweep < SWEEPS and change > enough:
        change = 0.0
        for i in lw.prange(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                b[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
                change += abs(b[i, j] - a[i, j])
        for i in lw.prange(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = b[i, j]
        sweep += 1
    return change


def _inputs(n, dtype):
    a = np.random.default_rng(13).random((n, n)).astype(dtype)
    return a, a.copy(), 0.0


def _reference(a, b, enough):
    a, b = a.copy(), b.copy()
    change = enough + 1.0
    for _ in range(SWEEPS):
        if change <= enough:
            break
        b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
        change = np.abs(b - a)[1:-1, 1:-1].sum()
        a[1:-1, 1:-1] = b[1:-1, 1:-1]
    return change, a, b


WORKLOAD = Workload(
    jacobi, _inputs, _reference, results=(0, 1), size=1024, tiny=7, shown="1024 x 1024, 10 sweeps", tolerance=1e-10
)
