# SPDX-License-Identifier: Apache-2.0
"""Walsh-Hadamard transforms of many rows, with a barrier per stage."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Local, Problem

LENGTH = 512


def _transformed(rows: Array) -> Array:
    values, step = rows.astype(np.float64), 1
    while step < LENGTH:
        pairs = values.reshape(len(rows), -1, 2, step)
        values = np.stack((pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]), 2).reshape(rows.shape)
        step *= 2
    return values.astype(np.float32)


def _problem(size: int) -> Problem:
    rows = np.random.default_rng(13).random((size, LENGTH), np.float32) - np.float32(0.5)
    return Problem(
        arguments=(np.zeros_like(rows), rows, Local(4 * LENGTH), np.int32(LENGTH)),
        global_size=(size * LENGTH // 2,),
        local_size=(LENGTH // 2,),
        results=(0,),
        expected=lambda: (_transformed(rows),),
        tolerance=1e-5,
    )


KERNEL = Kernel(_problem, size=4096, tiny=2, shown="4,096 rows of 512")
