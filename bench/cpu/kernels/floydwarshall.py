# SPDX-License-Identifier: Apache-2.0
"""A step of Floyd and Warshall's shortest ways, in place. Work-items read the row and the column that others write,
but with what is there already, as the way from a place to itself has length 0."""

import numpy as np

from ..prange import prange
from ..problem import Kernel, Problem


def _problem(n: int) -> Problem:
    lengths = np.random.default_rng(20).integers(1, 1000, (n, n), np.int32)
    np.fill_diagonal(lengths, 0)
    place = n // 3
    return Problem(
        arguments=(lengths, np.int32(n), np.int32(place)),
        global_size=(n, n),
        local_size=(16, 16),
        results=(0,),
        expected=lambda: (np.minimum(lengths, lengths[:, place, None] + lengths[place]),),
        nbytes=2 * lengths.nbytes,
    )


def _numba(lengths, n, by_way_of):
    for start in prange(n):
        for end in range(n):
            around = lengths[start, by_way_of] + lengths[by_way_of, end]
            if around < lengths[start, end]:
                lengths[start, end] = around


KERNEL = Kernel(_problem, size=2048, tiny=32, shown="2048 x 2048", numba=_numba)
