# SPDX-License-Identifier: Apache-2.0
"""A sample of random kernels, other ones each day; `make fuzz N=20000` runs as many as one likes.

A failure shows the smallest kernel found that fails, its seed, and the command that runs it again.
"""

import dataclasses
import datetime

import pytest

from .choices import Choices
from .driver import Run
from .kernel import RandomKernel, random_kernel
from .languages import MAKERS, parsed
from .opencl.kernel import random_kernel as random_opencl_kernel
from .running import check
from .shrinking import shrunk

APART = 1_000_000
"""Seeds from one sample to the next: more than a sample takes."""


@pytest.mark.parametrize(("half", "language", "seconds"), [(0, "cuda", 20), (1, "cuda", 20), (0, "opencl", 12)])
def test_cpu_does_what_reference_does(half: int, language: str, seconds: float):
    day = datetime.datetime.now(datetime.UTC).toordinal()
    run = Run((2 * day + half) * APART, APART, seconds=seconds, shrink=40, language=language)
    run.execute()
    assert not run.failures, "\n".join(f"{failure}\n{failure.path.read_text()}" for failure in run.failures)
    assert run.done, "not one kernel was run"


@pytest.mark.parametrize("language", MAKERS)
def test_seed_says_all(language: str):
    make = MAKERS[language]
    assert make(Choices(7)) == make(Choices(7))
    assert make(Choices(7)) != make(Choices(8))


def test_decisions_say_all():
    choices = Choices(7)
    kernel = random_kernel(choices)
    assert random_kernel(Choices(replayed=choices.made)) == kernel


@pytest.mark.parametrize("language", MAKERS)
def test_text_says_all(language: str):
    kernel = MAKERS[language](Choices(7))
    read = parsed(kernel.source)
    assert read == dataclasses.replace(kernel, prelude="", body=kernel.prelude + kernel.body)
    assert read.source == kernel.source


def test_what_random_kernels_in_opencl_are_to_hold_occurs():
    kernels = [random_opencl_kernel(Choices(seed)) for seed in range(400)]
    text = "\n".join(kernel.body for kernel in kernels)
    for word in (
        "float4", "int3", "uchar16", "double2", "half8", "vload4", "vstore3", "convert_", "_sat(", "as_uint4",
        "select(", "shuffle2(", ".s0312", "mad(", "clamp(", "mul_hi(", "rotate(", "exp(", "sin(", "pow(", "given[",
        "async_work_group_copy(", "atom_add(", "barrier(",
    ):  # fmt: skip
        assert word in text, word
    assert any(any(kernel.offset) for kernel in kernels)
    assert any(size % local for kernel in kernels for size, local in zip(kernel.size, kernel.local, strict=True))


def test_kernels_are_made_smaller():
    """With a property of the text alone in the place of a failure."""
    choices = Choices(6)
    seen = 0

    def has_a_barrier_in_a_loop(tried: Choices) -> bool:
        nonlocal seen
        seen += 1
        text = random_kernel(tried).body
        return "for (" in text.partition("tail:")[0].rpartition("__syncthreads();\n    {")[2] or "goto top" in text

    first = random_kernel(choices)
    assert has_a_barrier_in_a_loop(Choices(6))
    small = random_kernel(Choices(replayed=shrunk(choices, has_a_barrier_in_a_loop, 10)))
    assert len(small.body) < len(first.body) / 2
    assert seen > 1


def test_difference_is_noticed():
    """A race, which no random kernel has, shows that outputs are compared."""
    text = """// grid 1, block 64, data 0
    __global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in) {
        if (threadIdx.x == 0) out[0] = LEFT;
        __syncthreads();
    }
    """
    seen_by_reference = "__builtin_constant_p(threadIdx.x) ? 1 : 1"
    check(parsed(text.replace("LEFT", seen_by_reference)))
    with pytest.raises(AssertionError, match="out: 1 of 256 differ"):
        check(parsed(text.replace("LEFT", "clock64()")))


def test_kernel_knows_its_own_end() -> None:
    kernel = RandomKernel("", (1,), (1,), 0, prelude="")
    assert kernel.items == 1
