# SPDX-License-Identifier: Apache-2.0
"""A colour image, turned and shrunk, with bilinear interpolation: gathers under a condition, and bytes."""

import math

import numpy as np

import lanewise as lw

from ..workload import Workload

ANGLE, SCALE = 0.3, 1.2


@lw.jit
def warp(image, result):
    height = image.shape[0]
    width = image.shape[1]
    cosine = SCALE * math.cos(ANGLE)
    sine = SCALE * math.sin(ANGLE)
    for i in lw.prange(result.shape[0]):
        for j in range(result.shape[1]):
            y = sine * (j - width / 2) + cosine * (i - height / 2) + height / 2
            x = cosine * (j - width / 2) - sine * (i - height / 2) + width / 2
            top = math.floor(y)
            left = math.floor(x)
            if 0 <= top < height - 1 and 0 <= left < width - 1:
                v = y - top
                u = x - left
                for c in range(3):
                    upper = (1.0 - u) * image[top, left, c] + u * image[top, left + 1, c]
                    lower = (1.0 - u) * image[top + 1, left, c] + u * image[top + 1, left + 1, c]
                    result[i, j, c] = int((1.0 - v) * upper + v * lower + 0.5)
            else:
                for c in range(3):
                    result[i, j, c] = 0


def _inputs(n, dtype):
    image = np.random.default_rng(18).integers(0, 256, (n, n, 3)).astype(dtype)
    return image, np.zeros_like(image)


def _reference(image, result):
    height, width, _ = image.shape
    i, j = np.indices((height, width))
    y = SCALE * (np.sin(ANGLE) * (j - width / 2) + np.cos(ANGLE) * (i - height / 2)) + height / 2
    x = SCALE * (np.cos(ANGLE) * (j - width / 2) - np.sin(ANGLE) * (i - height / 2)) + width / 2
    top, left = np.floor(y).astype(int), np.floor(x).astype(int)
    inside = (top >= 0) & (top < height - 1) & (left >= 0) & (left < width - 1)
    v, u = (y - top)[..., None], (x - left)[..., None]
    top, left = np.where(inside, top, 0), np.where(inside, left, 0)
    upper = (1 - u) * image[top, left] + u * image[top, left + 1]
    lower = (1 - u) * image[top + 1, left] + u * image[top + 1, left + 1]
    mixed = ((1 - v) * upper + v * lower + 0.5).astype(image.dtype, casting="unsafe")
    return (np.where(inside[..., None], mixed, 0).astype(image.dtype),)


WORKLOAD = Workload(
    warp,
    _inputs,
    _reference,
    results=(1,),
    size=1024,
    tiny=12,
    shown="1024 x 1024 x 3",
    dtypes=("uint8",),
    tolerance=1 / 255,
    differing=1e-5,
)
