# SPDX-License-Identifier: Apache-2.0
"""Bytes above a level: vectors of 16 bytes within each work-item, compared and selected."""

import numpy as np
from bench.cpu.problem import Kernel, Problem

LEVEL = 100


def _problem(count: int) -> Problem:
    image = np.random.default_rng(5).integers(0, 256, count, np.uint8)
    return Problem(
        arguments=(np.zeros_like(image), image, np.uint8(LEVEL)),
        global_size=(count // 16,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (np.maximum(image, LEVEL) - np.uint8(LEVEL),),
    )


KERNEL = Kernel(_problem, size=1 << 22, tiny=2048, shown="4M bytes")
