# SPDX-License-Identifier: Apache-2.0
"""A few random kernels in Python, other ones each day: `python -m tests.jit.random_kernels N` runs as many as one
likes."""

import datetime

import pytest

from .random_kernels import failures, random_kernel

DAY = datetime.datetime.now(datetime.UTC).toordinal()
KERNELS = 3


@pytest.mark.parametrize("number", range(KERNELS))
def test_compiled_kernels_do_what_python_does(number: int):
    found = failures(KERNELS * DAY + number, ("cpu", "reference"))
    assert not found, found[0]


def test_what_random_kernels_are_to_hold_occurs():
    text = "".join(map(random_kernel, range(60)))
    for word in (
        "lw.shfl_xor_sync", "lw.shfl_up_sync", "lw.shfl_down_sync", "lw.shfl_sync", "lw.ballot_sync", "lw.any_sync",
        "lw.all_sync", "lw.barrier_count", "lw.atomic.add", "lw.atomic.max", "lw.barrier", "while", "break", "continue",
        "in range(g + 1)", "own[", "helper(", " if ", "not ", "//",
    ):  # fmt: skip
        assert word in text, word
