# SPDX-License-Identifier: Apache-2.0
"""Sums along rows, one for each work-item: loads and stores at the distance of a row."""

import numpy as np
from bench.cpu.problem import Kernel, Problem


def _problem(size: int) -> Problem:
    image = np.random.default_rng(10).integers(0, 256, (size, size), np.uint8)
    return Problem(
        arguments=(np.zeros((size, size), np.uint32), image, np.int32(size)),
        global_size=(size,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (np.cumsum(image, axis=1, dtype=np.uint32),),
    )


KERNEL = Kernel(_problem, size=1024, tiny=64, shown="1024 x 1024")
