# SPDX-License-Identifier: Apache-2.0
"""Colours of three bytes as hue, saturation and brightness: arms of a branch, and divisions by what each pixel has."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem


def _converted(pixels: Array) -> Array:
    r, g, b = pixels.astype(np.int64).T
    most, least = pixels.max(axis=1).astype(np.int64), pixels.min(axis=1)
    span = most - least
    by = np.maximum(span, 1)
    turned = [np.fix(30 * difference / by).astype(np.int64) for difference in (g - b, b - r, r - g)]
    hue = np.where(most == r, turned[0], np.where(most == g, 60 + turned[1], 120 + turned[2]))
    hue = np.where(span == 0, 0, np.where(hue < 0, hue + 180, hue))
    return np.stack([hue, span * 255 // np.maximum(most, 1), most], axis=1).astype(np.uint8)


def _problem(count: int) -> Problem:
    pixels = np.random.default_rng(1).integers(0, 256, (count, 3), np.uint8)
    pixels[::7] = pixels[::7, :1]
    return Problem(
        arguments=(np.zeros_like(pixels), pixels, np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_converted(pixels),),
    )


KERNEL = Kernel(_problem, size=1 << 20, tiny=300, shown="1M pixels")
