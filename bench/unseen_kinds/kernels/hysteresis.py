# SPDX-License-Identifier: Apache-2.0
"""A step of following edges through bytes: a search among neighbours that breaks off, for some pixels alone."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem


def _followed(padded: Array) -> Array:
    size = padded.shape[0] - 2
    near = np.maximum.reduce([padded[i : i + size, j : j + size] for i in range(3) for j in range(3)])
    here = padded[1:-1, 1:-1]
    return np.where((here == 1) & (near == 2), np.uint8(2), here)


def _problem(size: int) -> Problem:
    kinds = np.random.default_rng(6).choice(3, (size, size), p=(0.7, 0.2, 0.1)).astype(np.uint8)
    padded = np.pad(kinds, 1)
    return Problem(
        arguments=(np.zeros_like(kinds), padded, np.int32(size)),
        global_size=(size, size),
        local_size=(16, 8),
        results=(0,),
        expected=lambda: (_followed(padded),),
    )


KERNEL = Kernel(_problem, size=2048, tiny=32, shown="2048 x 2048")
