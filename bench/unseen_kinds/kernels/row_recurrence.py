# SPDX-License-Identifier: Apache-2.0
"""Recurrences along rows of three arrays at distances of a power of two, one row for each work-item."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem


def _eliminated(x: Array, a: Array, b: Array) -> Array:
    out = x.astype(np.float64)
    for k in range(1, x.shape[1]):
        out[:, k] -= out[:, k - 1] * a[:, k] / b[:, k - 1]
    return out


def _problem(size: int) -> Problem:
    x, a, b = np.random.default_rng(11).random((3, size, size), np.float32)
    a, b = a * np.float32(0.5), b + 1
    return Problem(
        arguments=(np.zeros_like(x), x, a, b, np.int32(size)),
        global_size=(size,),
        local_size=(min(64, size),),
        results=(0,),
        expected=lambda: (_eliminated(x, a, b),),
        tolerance=1e-5,
    )


KERNEL = Kernel(_problem, size=1024, tiny=64, shown="1024 x 1024")
