# SPDX-License-Identifier: Apache-2.0
"""Copies of pixels of three bytes under a mask: short stores that a branch guards."""

import numpy as np
from bench.cpu.problem import Kernel, Problem


def _problem(count: int) -> Problem:
    random = np.random.default_rng(2)
    pixels = random.integers(0, 256, (count, 3), np.uint8)
    mask = random.integers(0, 2, count, np.uint8) * np.uint8(255)
    return Problem(
        arguments=(np.zeros_like(pixels), pixels, mask, np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (np.where(mask[:, None] != 0, pixels, np.uint8(0)),),
    )


KERNEL = Kernel(_problem, size=1 << 21, tiny=300, shown="2M pixels")
