# SPDX-License-Identifier: Apache-2.0
"""Pixels that a map names: a gather of bytes, by indices of two short numbers."""

import numpy as np
from bench.cpu.problem import Kernel, Problem


def _problem(size: int) -> Problem:
    random = np.random.default_rng(9)
    image = random.integers(0, 256, (size, size), np.uint8)
    y, x = np.mgrid[:size, :size]
    shaken = [np.clip(at + random.integers(-9, 10, (size, size)), 0, size - 1) for at in (x, y)]
    return Problem(
        arguments=(np.zeros_like(image), image, np.stack(shaken, axis=2).astype(np.int16), np.int32(size)),
        global_size=(size, size),
        local_size=(16, 8),
        results=(0,),
        expected=lambda: (image[shaken[1], shaken[0]],),
    )


KERNEL = Kernel(_problem, size=2048, tiny=32, shown="2048 x 2048")
