# SPDX-License-Identifier: Apache-2.0
"""An image of bytes with a mirrored border: neighbours load neighbours but at the edges, which no one foresees."""

import numpy as np
from bench.cpu.problem import Kernel, Problem

BORDER = 16


def _problem(size: int) -> Problem:
    image = np.random.default_rng(3).integers(0, 256, (size, size), np.uint8)
    whole = size + 2 * BORDER
    return Problem(
        arguments=(np.zeros((whole, whole), np.uint8), image, np.int32(size), np.int32(BORDER)),
        global_size=(whole, whole),
        local_size=(16, 8),
        results=(0,),
        expected=lambda: (np.pad(image, BORDER, mode="reflect"),),
    )


KERNEL = Kernel(_problem, size=2048, tiny=32, shown="2048 x 2048")
