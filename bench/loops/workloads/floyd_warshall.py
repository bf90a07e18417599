# SPDX-License-Identifier: Apache-2.0
"""The lengths of the shortest paths between all pairs of nodes: parallel loops within a serial one, in place."""

import numpy as np

import lanewise as lw

from ..workload import Workload


@lw.jit
def shortest(length):
    n = length.shape[0]
    for k in range(n):
        for i in lw.prange(n):
            first = length[i, k]
            for j in range(n):
                length[i, j] = min(length[i, j], first + length[k, j])


def _inputs(n, dtype):
    length = np.random.default_rng(8).integers(1, 1000, (n, n)).astype(dtype)
    np.fill_diagonal(length, 0)
    return (length,)


def _reference(length):
    length = length.copy()
    for k in range(len(length)):
        np.minimum(length, length[:, k : k + 1] + length[k], out=length)
    return (length,)


WORKLOAD = Workload(
    shortest, _inputs, _reference, results=(0,), size=400, tiny=9, shown="400 nodes", dtypes=("int32",), tolerance=0
)
