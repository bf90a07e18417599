# SPDX-License-Identifier: Apache-2.0
"""Keys that are searched for in a sorted array, one per work-item."""

import numpy as np
from bench.cpu.problem import Kernel, Problem


def _problem(size: int) -> Problem:
    random = np.random.default_rng(11)
    values = np.cumsum(random.integers(1, 8, size), dtype=np.uint64).astype(np.uint32)
    keys = random.integers(0, int(values[-1]), size, np.uint32)
    return Problem(
        arguments=(np.zeros(size, np.uint32), values, keys, np.uint32(size)),
        global_size=(size,),
        local_size=(min(256, size),),
        results=(0,),
        expected=lambda: (np.searchsorted(values, keys).astype(np.uint32),),
    )


KERNEL = Kernel(_problem, size=1 << 20, tiny=64, shown="1M keys in 1M")
