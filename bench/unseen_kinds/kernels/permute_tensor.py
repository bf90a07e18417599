# SPDX-License-Identifier: Apache-2.0
"""The axes of a tensor in another order: divisions by numbers that all work-items share, and a stride."""

import numpy as np
from bench.cpu.problem import Kernel, Problem


def _problem(size: int) -> Problem:
    tensor = np.random.default_rng(23).random((size, size + 1, size + 2), np.float32)
    count = tensor.size
    return Problem(
        arguments=(np.zeros(tensor.shape[::-1], np.float32), tensor, *map(np.uint32, tensor.shape)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (tensor.transpose(2, 1, 0).copy(),),
    )


KERNEL = Kernel(_problem, size=128, tiny=6, shown="128 x 129 x 130")
