# SPDX-License-Identifier: Apache-2.0
"""A turned image: four gathers of bytes for each pixel, if they are inside."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

MATRIX = ((0.8, -0.55), (0.55, 0.8))


def _turned(image: Array, start: tuple[float, float]) -> Array:
    size = image.shape[0]
    y, x = np.mgrid[:size, :size].astype(np.float64)
    u, v = (a * x + b * y + c for (a, b), c in zip(MATRIX, start, strict=True))
    i, j = np.floor(u).astype(np.int64), np.floor(v).astype(np.int64)
    inside = (i >= 0) & (j >= 0) & (i + 1 < size) & (j + 1 < size)
    a, b = u - i, v - j
    i, j = np.clip(i, 0, size - 2), np.clip(j, 0, size - 2)
    at = image.astype(np.float64)
    value = (1 - b) * ((1 - a) * at[j, i] + a * at[j, i + 1]) + b * ((1 - a) * at[j + 1, i] + a * at[j + 1, i + 1])
    return np.where(inside, value, 0)


def _problem(size: int) -> Problem:
    image = np.random.default_rng(8).integers(0, 256, (size, size), np.uint8)
    start = (0.3 * size, -0.2 * size)
    numbers = [np.float32(each) for (a, b), c in zip(MATRIX, start, strict=True) for each in (a, b, c)]
    return Problem(
        arguments=(np.zeros((size, size), np.float32), image, np.int32(size), *numbers),
        global_size=(size, size),
        local_size=(16, 8),
        results=(0,),
        expected=lambda: (_turned(image, start),),
        tolerance=1e-3,
        differing=2e-3,
    )


KERNEL = Kernel(_problem, size=1024, tiny=32, shown="1024 x 1024")
