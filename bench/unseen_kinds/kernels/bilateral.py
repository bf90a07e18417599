# SPDX-License-Identifier: Apache-2.0
"""A bilateral filter of 9 by 9 pixels: an exponential for each pair of neighbours."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

RADIUS = 4
NEAR, ALIKE = np.float32(0.05), np.float32(8)


def _filtered(image: Array) -> Array:
    height, width = image.shape
    padded = np.pad(image, RADIUS, mode="edge").astype(np.float64)
    total, weights = np.zeros((2, height, width))
    for dy in range(-RADIUS, RADIUS + 1):
        for dx in range(-RADIUS, RADIUS + 1):
            top, left = RADIUS + dy, RADIUS + dx
            other = padded[top : top + height, left : left + width]
            weight = np.exp(-NEAR * (dx * dx + dy * dy) - ALIKE * (other - image) ** 2)
            total += weight * other
            weights += weight
    return total / weights


def _problem(size: int) -> Problem:
    image = np.random.default_rng(41).random((size, size), np.float32)
    return Problem(
        arguments=(np.zeros_like(image), image, np.int32(size), np.int32(size), NEAR, ALIKE),
        global_size=(size, size),
        local_size=(16, 16),
        results=(0,),
        expected=lambda: (_filtered(image),),
        tolerance=1e-5,
    )


KERNEL = Kernel(_problem, size=512, tiny=16, shown="512 x 512, 9 x 9 around")
