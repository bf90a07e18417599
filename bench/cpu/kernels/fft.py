# SPDX-License-Identifier: Apache-2.0
"""Fourier transforms of 256 points each, by butterflies in local memory with a barrier before each stage."""

import numpy as np

from ..prange import prange
from ..problem import Kernel, Problem

POINTS, STAGES = 256, 8


def _problem(transforms: int) -> Problem:
    random = np.random.default_rng(16)
    values = random.random((transforms, POINTS, 2), np.float32)
    roots = np.exp(-2j * np.pi * np.arange(POINTS // 2) / POINTS).astype(np.complex64)
    return Problem(
        arguments=(np.zeros_like(values), values, roots.view(np.float32).reshape(-1, 2)),
        global_size=(transforms * POINTS // 2,),
        local_size=(POINTS // 2,),
        results=(0,),
        expected=lambda: (np.fft.fft(values.view(np.complex64)[..., 0]).astype(np.complex64).view(np.float32),),
        tolerance=1e-5,
    )


def _numba(out, values, roots):
    for transform in prange(values.shape[0]):
        for i in range(POINTS):
            inverted = 0
            for bit in range(STAGES):
                inverted |= ((i >> bit) & 1) << (STAGES - 1 - bit)
            out[transform, inverted, 0] = values[transform, i, 0]
            out[transform, inverted, 1] = values[transform, i, 1]
        for stage in range(STAGES):
            distance = 1 << stage
            for first in range(0, POINTS, 2 * distance):
                for place in range(distance):
                    left = first + place
                    right = left + distance
                    x = roots[place << (STAGES - 1 - stage), 0]
                    y = roots[place << (STAGES - 1 - stage), 1]
                    turned_x = x * out[transform, right, 0] - y * out[transform, right, 1]
                    turned_y = x * out[transform, right, 1] + y * out[transform, right, 0]
                    out[transform, right, 0] = out[transform, left, 0] - turned_x
                    out[transform, right, 1] = out[transform, left, 1] - turned_y
                    out[transform, left, 0] += turned_x
                    out[transform, left, 1] += turned_y


KERNEL = Kernel(_problem, size=8192, tiny=4, shown="8192 of 256 points", numba=_numba)
