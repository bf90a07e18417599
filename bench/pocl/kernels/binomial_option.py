# SPDX-License-Identifier: Apache-2.0
"""Options priced by binomial trees: many barriers, in a loop whose bound only the launch knows."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Local, Problem

STEPS = 254


def _prices(stock: Array) -> Array:
    start = stock.astype(np.float64)
    strike, dt = 0.9 * start + 5.0, 1 / STEPS
    jump = 0.3 * np.sqrt(dt)
    rise, growth = np.exp(jump), np.exp(0.02 * dt)
    up = (growth - 1 / rise) / (rise - 1 / rise)
    leaves = start[:, None] * np.exp(jump * (2.0 * np.arange(STEPS + 1) - STEPS)) - strike[:, None]
    values = np.maximum(leaves, 0)
    for level in range(STEPS, 0, -1):
        values = (up * values[:, 1 : level + 1] + (1 - up) * values[:, :level]) / growth
    return values[:, 0].astype(np.float32)


def _problem(size: int) -> Problem:
    stock = np.random.default_rng(12).uniform(5, 30, size).astype(np.float32)
    return Problem(
        arguments=(np.zeros(size, np.float32), stock, Local(4 * (STEPS + 2)), np.int32(STEPS)),
        global_size=(size * (STEPS + 1),),
        local_size=(STEPS + 1,),
        results=(0,),
        expected=lambda: (_prices(stock),),
        tolerance=1e-4,
    )


KERNEL = Kernel(_problem, size=512, tiny=1, shown="512, 254 steps")
