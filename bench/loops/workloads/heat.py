# SPDX-License-Identifier: Apache-2.0
"""Steps of the heat equation in three dimensions, two arrays in turns."""

import numpy as np

import lanewise as lw

from ..workload import Workload

STEPS = 8


@lw.jit
def step(old, new, rate):
    for i in lw.prange(1, old.shape[0] - 1):
        for j in range(1, old.shape[1] - 1):
            for k in range(1, old.shape[2] - 1):
                here = old[i, j, k]
                change = old[i - 1, j, k] + old[i + 1, j, k] + old[i, j - 1, k] + old[i, j + 1, k]
                change += old[i, j, k - 1] + old[i, j, k + 1] - 6.0 * here
                new[i, j, k] = here + rate * change


@lw.jit
def heat(a, b, rate):
    for _ in range(STEPS // 2):
        step(a, b, rate)
        step(b, a, rate)


def _inputs(n, dtype):
    a = np.random.default_rng(7).random((n, n, n)).astype(dtype)
    return a, a.copy(), 0.1


def _reference(a, b, rate):
    a, b = a.copy(), b.copy()
    for _ in range(STEPS):
        change = a[:-2, 1:-1, 1:-1] + a[2:, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1] + a[1:-1, 2:, 1:-1]
        change += a[1:-1, 1:-1, :-2] + a[1:-1, 1:-1, 2:] - 6.0 * a[1:-1, 1:-1, 1:-1]
        b[1:-1, 1:-1, 1:-1] = a[1:-1, 1:-1, 1:-1] + rate * change
        a, b = b, a
    return a, b


WORKLOAD = Workload(heat, _inputs, _reference, results=(0, 1), size=160, tiny=6, shown="160^3, 8 steps")
