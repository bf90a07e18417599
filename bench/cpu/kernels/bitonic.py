# SPDX-License-Identifier: Apache-2.0
"""One step of a bitonic sort: elements at a distance that the launch decides are put into order, in place."""

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Problem


def _step(values: Array, stage: int, step: int) -> Array:
    distance = 1 << (stage - step)
    pairs = values.reshape(-1, 2, distance)
    first = np.arange(values.size // 2).reshape(-1, distance)
    increasing = (first >> stage) & 1 == 0
    less, greater = pairs.min(1), pairs.max(1)
    return np.stack([np.where(increasing, less, greater), np.where(increasing, greater, less)], 1).reshape(-1)


def _problem(n: int) -> Problem:
    values = np.random.default_rng(9).integers(0, 1 << 32, n, np.uint32)
    last = n.bit_length() - 1
    stage, step = last - 4, (last - 4) // 3
    return Problem(
        arguments=(values, np.uint32(stage), np.uint32(step)),
        global_size=(n // 2,),
        local_size=(256,),
        results=(0,),
        expected=lambda: (_step(values, stage, step),),
        nbytes=2 * values.nbytes,
    )


def _numba(values, stage, step):
    shift = np.uint32(stage - step)
    distance = np.uint32(1) << shift
    for i in prange(values.size // 2):
        item = np.uint32(i)
        left = (item & (distance - np.uint32(1))) + ((item >> shift) << (shift + np.uint32(1)))
        right = left + distance
        a = values[left]
        b = values[right]
        less = min(a, b)
        greater = max(a, b)
        if (item >> stage) & np.uint32(1) == 0:
            values[left] = less
            values[right] = greater
        else:
            values[left] = greater
            values[right] = less


KERNEL = Kernel(_problem, size=16 << 20, tiny=1024, shown="16M", numba=_numba)
