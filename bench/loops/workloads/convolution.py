# SPDX-License-Identifier: Apache-2.0
"""A two-dimensional convolution of an image with a filter of 7 x 7."""

import numpy as np

import lanewise as lw

from ..workload import Workload

WIDTH = 7


@lw.jit
def convolve(image, weights, result):
    for i in lw.prange(result.shape[0]):
        for j in lw.prange(result.shape[1]):
            total = image[i, j] * 0
            for p in range(weights.shape[0]):
                for q in range(weights.shape[1]):
                    total += weights[p, q] * image[i + p, j + q]
            result[i, j] = total


def _inputs(n, dtype):
    random = np.random.default_rng(11)
    image = random.random((n + WIDTH - 1, n + WIDTH - 1)).astype(dtype)
    return image, random.random((WIDTH, WIDTH)).astype(dtype), np.zeros((n, n), dtype)


def _reference(image, weights, result):
    total = np.zeros_like(result)
    height, width = result.shape
    for p, q in np.ndindex(weights.shape):
        total += weights[p, q] * image[p : p + height, q : q + width]
    return (total,)


WORKLOAD = Workload(
    convolve, _inputs, _reference, results=(2,), size=1024, tiny=6, shown="1024 x 1024", dtypes=("float32",)
)
