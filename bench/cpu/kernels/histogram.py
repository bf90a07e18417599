# SPDX-License-Identifier: Apache-2.0
"""How often each of 256 values occurs: atomics in local memory, then in global memory."""

import numpy as np

from ..prange import prange
from ..problem import Kernel, Problem

BINS = 256
_LOCAL = 256


def _problem(n: int) -> Problem:
    values = np.random.default_rng(8).integers(0, 1 << 32, n, np.uint32)
    groups = max(1, min(64, n // (4 * _LOCAL)))
    return Problem(
        arguments=(np.zeros(BINS, np.uint32), values, np.int32(n)),
        global_size=(groups * _LOCAL,),
        local_size=(_LOCAL,),
        results=(0,),
        expected=lambda: (np.bincount(values & (BINS - 1), minlength=BINS).astype(np.uint32),),
        nbytes=values.nbytes,
    )


def _numba(counts, values, n):
    parts = 64
    partial = np.zeros((parts, BINS), np.uint32)
    for part in prange(parts):
        bins = np.zeros(BINS, np.uint32)
        for i in range(part * n // parts, (part + 1) * n // parts):
            bins[values[i] & np.uint32(BINS - 1)] += np.uint32(1)
        partial[part] = bins
    for part in range(parts):
        for i in range(BINS):
            counts[i] += partial[part, i]


KERNEL = Kernel(_problem, size=16 << 20, tiny=2048, shown="16M", numba=_numba)
