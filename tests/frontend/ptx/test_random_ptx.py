# SPDX-License-Identifier: Apache-2.0
"""Random kernels in PTX on the CPU against the interpreter of tests/ptx/checker.

Six; five hundred with LANEWISE_TEST_ALL_SHAPES=1.
"""

import numpy as np

import lanewise as lw
from lanewise.ptx.language.parser import parse

from ...ptx.checker.memory import Placed
from ...ptx.checker.program import Program
from ...ptx.checker.stencils import stencil
from ...sampling import EVERY_SHAPE

COUNT = 500 if EVERY_SHAPE else 6


def test_random_kernels():
    compared = 0
    for seed in range(COUNT):
        random = stencil(seed)
        interpreter = Program(parse(random.text), random.kernel)
        kernel = lw.compile(random.text, language="ptx")[random.kernel]
        for launch in random.launches:
            wanted, found = (launch.arguments(np.random.default_rng(seed)) for _ in range(2))
            if any(isinstance(argument, Placed) for argument in wanted):
                continue  # a pointer to a place outside all arrays
            interpreter.run(launch.grid, launch.block, wanted, 4 * seed, shared_bytes=launch.shared_bytes)
            kernel.launch(launch.grid, launch.block, found, shared=launch.shared_bytes)
            for left, right in zip(wanted, found, strict=True):
                if isinstance(left, np.ndarray):
                    np.testing.assert_array_equal(right, left, f"seed {seed}, {launch}")
                    compared += 1
    assert compared >= COUNT
