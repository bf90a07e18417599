# SPDX-License-Identifier: Apache-2.0
"""The number of ways to put n queens on a board of n x n: recursion over rows, with sets as bits."""

import numpy as np

import lanewise as lw

from ..workload import Workload

WAYS = {4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352, 10: 724, 11: 2680, 12: 14200, 13: 73712}
"""Sequence A000170 of the On-Line Encyclopedia of Integer Sequences."""


@lw.jit
def ways(everywhere, columns, left, right):
    if columns == everywhere:
        return 1
    total = 0
    free = everywhere & ~(columns | left | right)
    while free != 0:
        place = free & -free
        free ^= place
        total += ways(everywhere, columns | place, (left | place) << 1, (right | place) >> 1)
    return total


@lw.jit
def queens(n):
    everywhere = (1 << n) - 1
    total = 0
    for column in lw.prange(n):
        place = 1 << column
        total += ways(everywhere, place, place << 1, place >> 1)
    return total


def _inputs(n, dtype):
    return (n,)


def _reference(n):
    return (np.int64(WAYS[n]),)


WORKLOAD = Workload(
    queens,
    _inputs,
    _reference,
    results=(),
    size=12,
    tiny=6,
    shown="12 x 12",
    dtypes=("int64",),
    tolerance=0,
    natural=False,
)
