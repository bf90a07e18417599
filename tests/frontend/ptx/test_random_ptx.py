# SPDX-License-Identifier: Apache-2.0
"""A sample of random kernels in PTX; `python -m tests.frontend.ptx.random_ptx` runs as many as one likes.

Three; five hundred with LANEWISE_TEST_ALL_SHAPES=1.
"""

from ...ptx.checker.stencils import stencil
from ...sampling import EVERY_SHAPE
from .random_ptx import compared

COUNT = 500 if EVERY_SHAPE else 3


def test_random_kernels():
    assert sum(compared(stencil(seed)) for seed in range(COUNT)) >= COUNT
