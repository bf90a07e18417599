# SPDX-License-Identifier: Apache-2.0
"""A matrix transposed by way of tiles of 16 x 16 in local memory, whose rows are padded for a GPU's banks."""

import numpy as np

from ..prange import prange
from ..problem import Kernel, Problem

TILE = 16


def _problem(size: int) -> Problem:
    matrix = np.random.default_rng(13).random((size, size), np.float32)
    return Problem(
        arguments=(np.zeros_like(matrix), matrix, np.int32(size), np.int32(size)),
        global_size=(size, size),
        local_size=(TILE, TILE),
        results=(0,),
        expected=lambda: (matrix.T,),
        nbytes=2 * matrix.nbytes,
    )


def _numba(out, matrix, width, height):
    for block_y in prange(height // TILE):
        for block_x in range(width // TILE):
            for y in range(block_y * TILE, (block_y + 1) * TILE):
                for x in range(block_x * TILE, (block_x + 1) * TILE):
                    out[x, y] = matrix[y, x]


KERNEL = Kernel(_problem, size=4096, tiny=32, shown="4096 x 4096", numba=_numba)
