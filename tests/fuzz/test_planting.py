# SPDX-License-Identifier: Apache-2.0
"""Faults planted in random kernels: a few kernels, other ones each day; `python -m tests.fuzz.planting` runs more."""

import datetime
from random import Random

import pytest

from .choices import Choices
from .kernel import RandomKernel, random_kernel
from .planting import missed, planted

A_DAY = 3
"""Kernels of a day."""

BODY = """constexpr unsigned ITEMS = 32, SIZE = 32;
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in) {
    __shared__ unsigned counters0[32];
    const unsigned item = threadIdx.x;
    counters0[item] = item;
    __syncthreads();
    CHANGED
    out[item] = counters0[31 - item] + in[item];
}
"""


def kernel_with(changed: str) -> RandomKernel:
    return RandomKernel(BODY.replace("CHANGED", changed), (1,), (32,), 1)


def test_cpu_tells_what_reference_tells() -> None:
    first = A_DAY * datetime.datetime.now(datetime.UTC).toordinal()
    for seed in range(first, first + A_DAY):
        kernel = planted(random_kernel(Choices(seed)), Random(seed))
        assert missed(kernel)[1] == "", f"kernel of seed {seed}:\n{kernel.source}"


@pytest.mark.parametrize(
    ("changed", "kind"),
    [("", ""), ("out[item] = in[item + 100000];", "out of bounds"),
     ("if (item < 8) __syncthreads();", "divergent barrier"),
     ("__shared__ unsigned more[32]; out[item] = more[item];", "unwritten")],
)  # fmt: skip
def test_kinds_that_reference_tells(changed: str, kind: str) -> None:
    assert missed(kernel_with(changed)) == (kind, "")


def test_one_place_is_changed_and_no_declaration() -> None:
    kernel = kernel_with("")
    bodies = {planted(kernel, Random(seed)).body for seed in range(40)}
    assert len(bodies) > 5
    assert kernel.body not in bodies
    for body in bodies:
        changed = [line for line in body.splitlines() if line not in BODY.splitlines() and line.strip()]
        assert len(changed) == 1
        assert not changed[0].strip().startswith("__shared__")
