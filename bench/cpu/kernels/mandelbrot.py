# SPDX-License-Identifier: Apache-2.0
"""Iterations of z = z z + c until it leaves the circle of radius 2: a divergent loop.

Rounding decides near the border of the set, and the language leaves open which products and sums are rounded
together: so some elements may differ.
"""

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Problem

_MOST = 256


def _counts(size: int) -> Array:
    x = (np.arange(size, dtype=np.float32) / np.float32(size) * np.float32(3) - np.float32(2))[None, :]
    y = (np.arange(size, dtype=np.float32) / np.float32(size) * np.float32(2) - np.float32(1))[:, None]
    a, b = np.zeros((2, size, size), np.float32)
    count = np.zeros((size, size), np.int32)
    for _ in range(_MOST):
        inside = a * a + b * b < 4
        count += inside
        a, b = np.where(inside, a * a - b * b + x, a), np.where(inside, 2 * a * b + y, b)
    return count


def _problem(size: int) -> Problem:
    return Problem(
        arguments=(np.zeros((size, size), np.int32), np.int32(size), np.int32(size), np.int32(_MOST)),
        global_size=(size, size),
        local_size=(16, 16),
        results=(0,),
        expected=lambda: (_counts(size),),
        differing=0.01,
    )


def _numba(out, width, height, most):
    for y in prange(height):
        im = np.float32(y) / np.float32(height) * np.float32(2) - np.float32(1)
        for x in range(width):
            re = np.float32(x) / np.float32(width) * np.float32(3) - np.float32(2)
            a = np.float32(0)
            b = np.float32(0)
            count = 0
            while count < most and a * a + b * b < np.float32(4):
                following = a * a - b * b + re
                b = np.float32(2) * a * b + im
                a = following
                count += 1
            out[y, x] = count


KERNEL = Kernel(_problem, size=1024, tiny=32, shown="1024 x 1024, 256 iterations", numba=_numba)
