# SPDX-License-Identifier: Apache-2.0
"""Rays through a scene of balls: a loop around a loop, left at different times, with square roots."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem


def _depths(size: int) -> Array:
    v, u = (np.mgrid[:size, :size] + 0.5) / size - 0.5
    scale = 1 / np.sqrt(u * u + v * v + 1)
    depth = np.zeros((size, size))
    on = np.ones((size, size), bool)
    for _ in range(96):
        p = depth * u * scale, depth * v * scale, depth * scale - 3
        nearest = p[1] + 0.6
        for ball in range(3):
            away = (p[0] - 0.8 * (ball - 1)) ** 2 + p[1] ** 2 + (p[2] - 0.5 * ball) ** 2
            nearest = np.minimum(nearest, np.sqrt(away) - 0.5)
        on &= (nearest >= 1e-3) & (depth <= 12)
        depth += np.where(on, nearest, 0)
    return np.minimum(depth, 12)


def _problem(size: int) -> Problem:
    return Problem(
        arguments=(np.zeros((size, size), np.float32), np.int32(size)),
        global_size=(size, size),
        local_size=(16, 8),
        results=(0,),
        expected=lambda: (_depths(size),),
        tolerance=1e-3,
        differing=0.02,
    )


KERNEL = Kernel(_problem, size=512, tiny=32, shown="512 x 512")
