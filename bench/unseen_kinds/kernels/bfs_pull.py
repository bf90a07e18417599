# SPDX-License-Identifier: Apache-2.0
"""A step of a breadth-first search: gathers of gathers, in loops of different lengths that break off."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

LEVEL = 3


def _stepped(levels: Array, starts: Array, neighbours: Array) -> Array:
    found = np.concatenate([[0], np.cumsum(levels[neighbours] == LEVEL)])
    return np.where((levels < 0) & (found[starts[1:]] > found[starts[:-1]]), np.int32(LEVEL + 1), levels)


def _problem(count: int) -> Problem:
    random = np.random.default_rng(12)
    starts = np.concatenate([[0], np.cumsum(random.integers(0, 16, count))]).astype(np.int32)
    neighbours = random.integers(0, count, starts[-1], np.int32)
    levels = random.choice(np.arange(-1, LEVEL + 1), count, p=(0.6, 0.05, 0.05, 0.1, 0.2)).astype(np.int32)
    return Problem(
        arguments=(np.zeros(count, np.int32), levels, starts, neighbours, np.int32(LEVEL), np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_stepped(levels, starts, neighbours),),
    )


KERNEL = Kernel(_problem, size=1 << 18, tiny=300, shown="256K vertices, 2M edges")
