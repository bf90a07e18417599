# SPDX-License-Identifier: Apache-2.0
"""Small programs, one for each work-item: a switch in a loop, all of whose cases some neighbour takes."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

STEPS = 32


def _run(programs: Array, numbers: Array) -> Array:
    value = np.arange(programs.shape[1], dtype=np.uint32)
    kept = np.ones_like(value)
    for code, number in zip(programs & 7, numbers, strict=True):
        by = number & np.uint32(31)
        turned = value << by | value >> (np.uint32(32) - by & np.uint32(31))
        kept = np.where(code == 6, value, kept)
        ways = [value + number, value - number, value * (number | 1), value ^ number, turned, np.minimum(value, number)]
        value = np.choose(code, [*ways, value, value + kept])
    return value


def _problem(count: int) -> Problem:
    random = np.random.default_rng(27)
    programs = random.integers(0, 256, (STEPS, count), np.uint8)
    numbers = random.integers(0, 1 << 32, (STEPS, count), np.uint32)
    return Problem(
        arguments=(np.zeros(count, np.uint32), programs, numbers, np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_run(programs, numbers),),
    )


KERNEL = Kernel(_problem, size=1 << 15, tiny=100, shown="32K programs of 32 steps")
