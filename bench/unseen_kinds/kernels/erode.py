# SPDX-License-Identifier: Apache-2.0
"""Erosion of an image of bytes: each work-item has vectors of 16 pixels, which it shifts and takes the least of."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

_CONTRAST = 20


def _eroded(image: Array) -> Array:
    padded = np.pad(image, 1, mode="edge")
    padded[:, [0, -1]] = 255
    height, width = image.shape
    shifted = [padded[i : i + height, j : j + width] for i in range(3) for j in range(3)]
    least = np.minimum.reduce(shifted).astype(np.int16)
    lost = np.maximum(image.astype(np.int16) - least - _CONTRAST, 0)
    return np.clip(least - lost, 0, 255).astype(np.uint8)


def _problem(size: int) -> Problem:
    image = np.random.default_rng(42).integers(0, 256, (size, size), np.uint8)
    return Problem(
        arguments=(np.zeros_like(image), image, np.int32(size), np.int32(size), np.int16(_CONTRAST)),
        global_size=(size // 16, size // 2),
        local_size=(min(16, size // 16), 16),
        results=(0,),
        expected=lambda: (_eroded(image),),
    )


KERNEL = Kernel(_problem, size=2048, tiny=64, shown="2048 x 2048")
