# SPDX-License-Identifier: Apache-2.0
"""Bytes as letters: chains of selects, loads three bytes apart and stores of four."""

from base64 import b64encode

import numpy as np
from bench.cpu.problem import Kernel, Problem


def _problem(count: int) -> Problem:
    data = np.random.default_rng(25).integers(0, 256, 3 * count, np.uint8)
    return Problem(
        arguments=(np.zeros(4 * count, np.uint8), data, np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (np.frombuffer(b64encode(data.tobytes()), np.uint8),),
    )


KERNEL = Kernel(_problem, size=1 << 20, tiny=100, shown="3M bytes")
