# SPDX-License-Identifier: Apache-2.0
"""A sample of random kernels in PTX; `python -m tests.frontend.ptx.random_ptx` runs as many as one likes.

Three; five hundred with LANEWISE_TEST_ALL_SHAPES=1.
"""

import pytest

from ...ptx.checker.parting import parting
from ...ptx.checker.stencils import stencil
from ...sampling import EVERY_SHAPE
from .random_ptx import compared

COUNT = 500 if EVERY_SHAPE else 3


def test_random_kernels():
    assert sum(compared(stencil(seed)) for seed in range(COUNT)) >= COUNT


@pytest.mark.parametrize("seed", [4, 1000001])
def test_lanes_that_meet_at_different_instructions(seed: int):
    assert compared(parting(seed)) == 3


@pytest.mark.parametrize("seed", range(100 if EVERY_SHAPE else 3))
def test_lanes_that_wait_for_one_another(seed: int):
    assert compared(parting(seed)) >= 1
    assert compared(parting(seed), mapping="threads") >= 1


@pytest.mark.parametrize("seed", [1000009, 1000017])  # by turns, by flags, in a function
def test_lanes_that_wait_in_lock_step_for_ever(seed: int):
    assert compared(parting(seed)) == 3
