# SPDX-License-Identifier: Apache-2.0
"""Kepler's equation: a loop that work-items leave once they are precise enough, with sines and a division."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem


def _angles(mean: Array, e: Array) -> Array:
    mean, e = mean.astype(np.float64), e.astype(np.float64)
    angle = mean + e * np.sin(mean)
    for _ in range(30):
        angle -= (angle - e * np.sin(angle) - mean) / (1 - e * np.cos(angle))
    return angle


def _problem(count: int) -> Problem:
    random = np.random.default_rng(28)
    means = random.random(count, np.float32) * np.float32(6.28)
    eccentricities = random.random(count, np.float32) * np.float32(0.8)
    return Problem(
        arguments=(np.zeros(count, np.float32), means, eccentricities, np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_angles(means, eccentricities),),
        tolerance=1e-5,
    )


KERNEL = Kernel(_problem, size=1 << 18, tiny=100, shown="256K planets")
