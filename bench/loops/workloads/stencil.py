# SPDX-License-Identifier: Apache-2.0
"""A weighted mean of each element of a matrix with its four neighbours, into another matrix."""

import numpy as np

import lanewise as lw

from ..workload import Workload


@lw.jit
def stencil(old, new):
    for i in lw.prange(1, old.shape[0] - 1):
        for j in lw.prange(1, old.shape[1] - 1):
            new[i, j] = 0.5 * old[i, j] + 0.125 * (old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1])


def _inputs(n, dtype):
    return np.random.default_rng(6).random((n, n)).astype(dtype), np.zeros((n, n), dtype)


def _reference(old, new):
    new = new.copy()
    sides = old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:]
    new[1:-1, 1:-1] = 0.5 * old[1:-1, 1:-1] + 0.125 * sides
    return (new,)


WORKLOAD = Workload(stencil, _inputs, _reference, results=(1,), size=4096, tiny=11, shown="4096 x 4096")
