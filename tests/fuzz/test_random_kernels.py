# SPDX-License-Identifier: Apache-2.0
"""A sample of random kernels, other ones each day; `make fuzz N=20000` runs as many as one likes.

A failure shows the smallest kernel found that fails, its seed, and the command that runs it again.
"""

import datetime

import pytest

from .choices import Choices
from .driver import Run
from .kernel import RandomKernel, parsed, random_kernel
from .running import check
from .shrinking import shrunk

SECONDS = 20
"""That each half runs for."""

APART = 1_000_000
"""Seeds from one sample to the next: more than a sample takes."""


@pytest.mark.parametrize("half", range(2))
def test_cpu_does_what_reference_does(half: int):
    day = datetime.datetime.now(datetime.UTC).toordinal()
    run = Run((2 * day + half) * APART, APART, seconds=SECONDS, shrink=40)
    run.execute()
    assert not run.failures, "\n".join(f"{failure}\n{failure.path.read_text()}" for failure in run.failures)
    assert run.done, "not one kernel was run"


def test_seed_says_all():
    assert random_kernel(Choices(7)) == random_kernel(Choices(7))
    assert random_kernel(Choices(7)) != random_kernel(Choices(8))


def test_decisions_say_all():
    choices = Choices(7)
    kernel = random_kernel(choices)
    assert random_kernel(Choices(replayed=choices.made)) == kernel


def test_text_says_all():
    kernel = random_kernel(Choices(7))
    read = parsed(kernel.source)
    assert (read.source, read.grid, read.block, read.data) == (kernel.source, kernel.grid, kernel.block, kernel.data)


def test_kernels_are_made_smaller():
    """With a property of the text alone in the place of a failure."""
    choices = Choices(3)
    seen = 0

    def has_a_barrier_in_a_loop(tried: Choices) -> bool:
        nonlocal seen
        seen += 1
        text = random_kernel(tried).body
        return "for (" in text.partition("tail:")[0].rpartition("__syncthreads();\n    {")[2] or "goto top" in text

    first = random_kernel(choices)
    assert has_a_barrier_in_a_loop(Choices(3))
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
