# SPDX-License-Identifier: Apache-2.0
"""A level of Haar's wavelet in two dimensions: loads and stores, two elements apart."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem


def _transformed(image: Array) -> Array:
    a, b, c, d = (image[i::2, j::2].astype(np.float64) for i in (0, 1) for j in (0, 1))
    return np.block([[a + b + c + d, a - b + c - d], [a + b - c - d, a - b - c + d]]) / 2


def _problem(size: int) -> Problem:
    image = np.random.default_rng(42).random((size, size), np.float32)
    return Problem(
        arguments=(np.zeros_like(image), image, np.int32(size)),
        global_size=(size // 2, size // 2),
        local_size=(16, 8),
        results=(0,),
        expected=lambda: (_transformed(image),),
        tolerance=1e-6,
    )


KERNEL = Kernel(_problem, size=2048, tiny=32, shown="2048 x 2048")
