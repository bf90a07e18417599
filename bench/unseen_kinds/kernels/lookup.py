# SPDX-License-Identifier: Apache-2.0
"""Searches in a sorted table: as many gathers for each key, one after the other."""

import numpy as np
from bench.cpu.problem import Kernel, Problem

SIZE = 4096


def _problem(count: int) -> Problem:
    random = np.random.default_rng(17)
    table, keys = np.sort(random.random(SIZE, np.float32)), random.random(count, np.float32)
    return Problem(
        arguments=(np.zeros(count, np.int32), keys, table, np.int32(SIZE), np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (np.searchsorted(table, keys).astype(np.int32),),
    )


KERNEL = Kernel(_problem, size=1 << 19, tiny=100, shown="512K keys, table of 4,096")
