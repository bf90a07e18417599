# SPDX-License-Identifier: Apache-2.0
"""c = a b for square matrices, by tiles of 16 x 16 in local memory, between barriers."""

import numpy as np

from ..prange import prange
from ..problem import Kernel
from .matmul import KERNEL as MATMUL

TILE = 16


def _numba(c, a, b, n):
    for tile_row in prange(n // TILE):
        for tile_column in range(n // TILE):
            sums = np.zeros((TILE, TILE), np.float32)
            for tile in range(0, n, TILE):
                for y in range(TILE):
                    for k in range(TILE):
                        left = a[tile_row * TILE + y, tile + k]
                        for x in range(TILE):
                            sums[y, x] += left * b[tile + k, tile_column * TILE + x]
            for y in range(TILE):
                for x in range(TILE):
                    c[tile_row * TILE + y, tile_column * TILE + x] = sums[y, x]


KERNEL = Kernel(MATMUL.problem, size=512, tiny=32, shown="512 x 512", numba=_numba)
