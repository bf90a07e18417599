# SPDX-License-Identifier: Apache-2.0
"""Medians of three by three bytes: a private array, whose indices are known once its loops are unrolled."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem


def _medians(padded: Array) -> Array:
    size = padded.shape[0] - 2
    near = np.stack([padded[i : i + size, j : j + size] for i in range(3) for j in range(3)])
    return np.sort(near, axis=0)[4]


def _problem(size: int) -> Problem:
    padded = np.random.default_rng(7).integers(0, 256, (size + 2, size + 2), np.uint8)
    return Problem(
        arguments=(np.zeros((size, size), np.uint8), padded, np.int32(size)),
        global_size=(size, size),
        local_size=(16, 8),
        results=(0,),
        expected=lambda: (_medians(padded),),
    )


KERNEL = Kernel(_problem, size=1024, tiny=32, shown="1024 x 1024")
