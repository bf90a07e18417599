# SPDX-License-Identifier: Apache-2.0
"""Points thrown into a square, counted where they fall into the circle: an integer generator.

Rounding decides about points on the circle, so a count may differ by one here and there.
"""

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Problem

_SEED, _THROWS = 0x1234567, 256


def _next(state: Array) -> Array:
    state = state ^ (state << 13)
    state = state ^ (state >> 17)
    return state ^ (state << 5)


def _hits(n: int) -> Array:
    state = (np.arange(n, dtype=np.uint32) + np.uint32(1)) * np.uint32(2654435761) ^ np.uint32(_SEED)
    hits = np.zeros(n, np.uint32)
    for _ in range(_THROWS):
        state = _next(state)
        x = (state >> 8) * np.float32(2**-24)
        state = _next(state)
        y = (state >> 8) * np.float32(2**-24)
        hits += x * x + y * y < 1
    return hits


def _problem(n: int) -> Problem:
    return Problem(
        arguments=(np.zeros(n, np.uint32), np.uint32(_SEED), np.int32(_THROWS)),
        global_size=(n,),
        local_size=(256,),
        results=(0,),
        expected=lambda: (_hits(n),),
        differing=1e-3,
    )


def _numba(hits, seed, throws):
    for i in prange(hits.size):
        state = np.uint32(np.uint32(i + 1) * np.uint32(2654435761)) ^ seed
        inside = np.uint32(0)
        for _ in range(throws):
            state = np.uint32(state ^ state << np.uint32(13))
            state = np.uint32(state ^ state >> np.uint32(17))
            state = np.uint32(state ^ state << np.uint32(5))
            x = np.float32(state >> np.uint32(8)) * np.float32(2**-24)
            state = np.uint32(state ^ state << np.uint32(13))
            state = np.uint32(state ^ state >> np.uint32(17))
            state = np.uint32(state ^ state << np.uint32(5))
            y = np.float32(state >> np.uint32(8)) * np.float32(2**-24)
            if x * x + y * y < np.float32(1):
                inside += np.uint32(1)
        hits[i] = inside


KERNEL = Kernel(_problem, size=1 << 18, tiny=512, shown="256K x 256 throws", numba=_numba)
