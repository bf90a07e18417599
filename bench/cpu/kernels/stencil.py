# SPDX-License-Identifier: Apache-2.0
"""A mean of five neighbours on a plane, in groups of 64 x 4."""

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Problem


def _mean(image: Array) -> Array:
    out = np.zeros_like(image)
    cross = image[1:-1, :-2] + image[1:-1, 2:] + image[:-2, 1:-1] + image[2:, 1:-1]
    out[1:-1, 1:-1] = np.float32(0.5) * image[1:-1, 1:-1] + np.float32(0.125) * cross
    return out


def _problem(size: int) -> Problem:
    image = np.random.default_rng(5).random((size, size), np.float32)
    return Problem(
        arguments=(np.zeros_like(image), image, np.int32(size), np.int32(size)),
        global_size=(size, size),
        local_size=(64, 4),
        results=(0,),
        expected=lambda: (_mean(image),),
        tolerance=1e-6,
        nbytes=2 * image.nbytes,
    )


def _numba(out, image, width, height):
    for y in prange(1, height - 1):
        for x in range(1, width - 1):
            cross = image[y, x - 1] + image[y, x + 1] + image[y - 1, x] + image[y + 1, x]
            out[y, x] = np.float32(0.5) * image[y, x] + np.float32(0.125) * cross


KERNEL = Kernel(_problem, size=4096, tiny=64, shown="4096 x 4096", numba=_numba)
