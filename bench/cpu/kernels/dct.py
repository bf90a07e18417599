# SPDX-License-Identifier: Apache-2.0
"""The discrete cosine transform of blocks of 8 x 8, a block a work-group, as the sample in AMD's SDK has it:
two matrix products with a barrier between, whose loops have a bound that only the launch knows."""

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Local, Problem

BLOCK = 8


def _matrix() -> Array:
    """Column k holds the k-th cosine, so that `matrix.T @ block @ matrix` transforms."""
    place, frequency = np.arange(BLOCK)[:, None], np.arange(BLOCK)[None, :]
    cosines = np.cos((2 * place + 1) * frequency * np.pi / (2 * BLOCK)) * np.sqrt(2 / BLOCK)
    cosines[:, 0] /= np.sqrt(2)
    return cosines.astype(np.float32)


def _problem(size: int) -> Problem:
    image = (np.random.default_rng(7).random((size, size), np.float32) - np.float32(0.5)) * np.float32(255)
    matrix = _matrix()
    blocks = image.reshape(size // BLOCK, BLOCK, size // BLOCK, BLOCK).swapaxes(1, 2)
    local = Local(4 * BLOCK * BLOCK)
    return Problem(
        arguments=(np.zeros_like(image), image, matrix, local, np.int32(size), np.int32(BLOCK), np.int32(0)),
        global_size=(size, size),
        local_size=(BLOCK, BLOCK),
        results=(0,),
        expected=lambda: ((matrix.T @ blocks @ matrix).swapaxes(1, 2).reshape(size, size),),
        tolerance=1e-5,
    )


def _numba(out, image, matrix, width, block_width, inverse):
    for block_y in prange(image.shape[0] // block_width):
        between = np.zeros((block_width, block_width), np.float32)
        for block_x in range(width // block_width):
            top = block_y * block_width
            left = block_x * block_width
            for y in range(block_width):
                for x in range(block_width):
                    total = np.float32(0)
                    for k in range(block_width):
                        factor = matrix[x, k] if inverse else matrix[k, x]
                        total += factor * image[top + y, left + k]
                    between[y, x] = total
            for y in range(block_width):
                for x in range(block_width):
                    total = np.float32(0)
                    for k in range(block_width):
                        factor = matrix[y, k] if inverse else matrix[k, y]
                        total += between[k, x] * factor
                    out[top + y, left + x] = total


KERNEL = Kernel(_problem, size=2048, tiny=32, shown="2048 x 2048", numba=_numba)
