# SPDX-License-Identifier: Apache-2.0
"""Sums of work-groups: a loop over the grid's stride, then a tree in local memory."""

import numpy as np

from ..prange import prange
from ..problem import Kernel, Local, Problem

_LOCAL = 256


def _problem(n: int) -> Problem:
    values = np.random.default_rng(6).random(n, np.float32)
    groups = max(1, min(256, n // (4 * _LOCAL)))
    return Problem(
        arguments=(np.zeros(groups, np.float32), values, Local(4 * _LOCAL), np.int32(n)),
        global_size=(groups * _LOCAL,),
        local_size=(_LOCAL,),
        results=(0,),
        expected=lambda: (values.reshape(-1, groups, _LOCAL).sum((0, 2), np.float64),),
        tolerance=1e-5,
        nbytes=4 * n,
    )


def _numba(sums, values, n):
    groups = sums.size
    stride = groups * _LOCAL
    for group in prange(groups):
        partial = np.zeros(_LOCAL, np.float32)
        for start in range(group * _LOCAL, n, stride):
            for own in range(_LOCAL):
                partial[own] += values[start + own]
        total = np.float32(0)
        for own in range(_LOCAL):
            total += partial[own]
        sums[group] = total


KERNEL = Kernel(_problem, size=16 << 20, tiny=2048, shown="16M", numba=_numba)
