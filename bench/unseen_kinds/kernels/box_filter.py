# SPDX-License-Identifier: Apache-2.0
"""Means of five by five bytes: clamped indices, and sums that are wider than what is loaded."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem


def _means(image: Array) -> Array:
    padded, (height, width) = np.pad(image, 2, mode="edge").astype(np.int64), image.shape
    total = sum(padded[i : i + height, j : j + width] for i in range(5) for j in range(5))
    return ((2 * total + 25) // 50).astype(np.uint8)


def _problem(size: int) -> Problem:
    image = np.random.default_rng(4).integers(0, 256, (size, size), np.uint8)
    return Problem(
        arguments=(np.zeros_like(image), image, np.int32(size)),
        global_size=(size, size),
        local_size=(16, 8),
        results=(0,),
        expected=lambda: (_means(image),),
    )


KERNEL = Kernel(_problem, size=1024, tiny=32, shown="1024 x 1024")
