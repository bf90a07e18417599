# SPDX-License-Identifier: Apache-2.0
"""An image under a filter of 7 x 7 in constant memory."""

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Problem

SIZE = 7


def _filtered(image: Array, weights: Array) -> Array:
    size = image.shape[0] - SIZE + 1
    shifted = (image[j : j + size, i : i + size] * weights[j, i] for j in range(SIZE) for i in range(SIZE))
    return sum(shifted, np.zeros((size, size), np.float32))


def _problem(size: int) -> Problem:
    random = np.random.default_rng(14)
    image = random.random((size + SIZE - 1, size + SIZE - 1), np.float32)
    weights = random.random((SIZE, SIZE), np.float32)
    return Problem(
        arguments=(np.zeros((size, size), np.float32), image, weights, np.int32(size)),
        global_size=(size, size),
        local_size=(16, 16),
        results=(0,),
        expected=lambda: (_filtered(image, weights),),
        tolerance=1e-5,
    )


def _numba(out, image, weights, width):
    for y in prange(out.shape[0]):
        for x in range(width):
            total = np.float32(0)
            for j in range(SIZE):
                for i in range(SIZE):
                    total += weights[j, i] * image[y + j, x + i]
            out[y, x] = total


KERNEL = Kernel(_problem, size=2048, tiny=32, shown="2048 x 2048, 7 x 7", numba=_numba)
