# SPDX-License-Identifier: Apache-2.0
"""Steps until points of a square in the complex plane escape: a while loop in each."""

import numpy as np

import lanewise as lw

from ..workload import Workload

MOST = 200
"""Steps at most."""


@lw.jit
def mandelbrot(steps):
    height, width = steps.shape
    for row in lw.prange(height):
        for column in lw.prange(width):
            cx = -2.0 + 2.5 * column / width
            cy = -1.25 + 2.5 * row / height
            x = 0.0
            y = 0.0
            step = 0
            while step < MOST and x * x + y * y <= 4.0:
                x, y = x * x - y * y + cx, 2.0 * x * y + cy
                step += 1
            steps[row, column] = step


def _inputs(n, dtype):
    return (np.zeros((n, n), dtype),)


def _reference(steps):
    height, width = steps.shape
    cy, cx = np.mgrid[:height, :width]
    cx, cy = (-2.0 + 2.5 * cx / width).ravel(), (-1.25 + 2.5 * cy / height).ravel()
    x, y, counts = np.zeros_like(cx), np.zeros_like(cy), np.zeros(cx.size, steps.dtype)
    at = np.arange(cx.size)
    for _ in range(MOST):
        inside = x * x + y * y <= 4.0
        at, x, y, cx, cy = at[inside], x[inside], y[inside], cx[inside], cy[inside]
        counts[at] += 1
        x, y = x * x - y * y + cx, 2.0 * x * y + cy
    return (counts.reshape(steps.shape),)


WORKLOAD = Workload(
    mandelbrot,
    _inputs,
    _reference,
    results=(0,),
    size=768,
    tiny=9,
    shown="768 x 768, 200 steps",
    dtypes=("int32",),
    differing=1e-3,
    tolerance=0,
)
