# SPDX-License-Identifier: Apache-2.0
"""y = a x for a sparse matrix in CSR, a row a work-item: rows of 1 to 31 elements in random columns."""

import numpy as np

from ..prange import prange
from ..problem import Kernel, Problem


def _problem(rows: int) -> Problem:
    random = np.random.default_rng(11)
    lengths = random.integers(1, 32, rows)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    count = int(starts[-1])
    columns = random.integers(0, rows, count, np.int32)
    values, x = random.random(count, np.float32), random.random(rows, np.float32)
    return Problem(
        arguments=(np.zeros(rows, np.float32), starts, columns, values, x, np.int32(rows)),
        global_size=(rows,),
        local_size=(128,),
        results=(0,),
        expected=lambda: (np.add.reduceat(values * x[columns], starts[:-1]),),
        tolerance=1e-5,
    )


def _numba(y, starts, columns, values, x, rows):
    for row in prange(rows):
        total = np.float32(0)
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * x[columns[k]]
        y[row] = total


KERNEL = Kernel(_problem, size=1 << 18, tiny=256, shown="256K rows, 4M elements", numba=_numba)
