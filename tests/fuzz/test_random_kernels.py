# SPDX-License-Identifier: Apache-2.0
"""A sample of random kernels, other ones each day; `make fuzz N=20000` runs as many as one likes.

A failure shows the smallest kernel found that fails, its seed, and the command that runs it again.
"""

import dataclasses
import datetime
from typing import Any, NoReturn

import pytest

import lanewise as lw
from lanewise.config import default_mapping
from lanewise.device.cpu import CpuDevice
from lanewise.device.cpu.trials import KernelTrial

from .choices import Choices
from .driver import Run
from .kernel import RandomKernel, random_kernel
from .languages import MAKERS, parsed
from .mappings import BOTH, MAPPINGS, one_of_all, sampled
from .opencl.kernel import random_kernel as random_opencl_kernel
from .running import check
from .shrinking import shrunk
from .warps.kernel import random_kernel as random_warp_kernel

APART = 1_000_000
"""Seeds from one sample to the next: more than a sample takes."""


@pytest.mark.parametrize(
    ("half", "dialect", "seconds"), [(0, "cuda", 6), (1, "cuda", 6), (0, "opencl", 5), (0, "warps", 5)]
)
def test_cpu_does_what_reference_does(half: int, dialect: str, seconds: float):
    day = datetime.datetime.now(datetime.UTC).toordinal()
    run = Run((2 * day + half) * APART, APART, seconds=seconds, shrink=40, dialect=dialect)
    run.execute()
    assert not run.failures, "\n".join(f"{failure}\n{failure.path.read_text()}" for failure in run.failures)
    assert run.done > run.skipped, "the CPU ran not one kernel"


@pytest.mark.parametrize(("dialect", "seconds"), [("cuda", 4), ("opencl", 3)])
def test_simt_does_by_way_of_ptx_what_reference_does(dialect: str, seconds: float):
    day = datetime.datetime.now(datetime.UTC).toordinal()
    run = Run((2 * day + 1) * APART + APART // 2, 999, seconds=seconds, shrink=20, dialect=dialect, mappings=("ptx",))
    run.execute()
    assert not run.failures, "\n".join(f"{failure}\n{failure.path.read_text()}" for failure in run.failures)
    assert run.done > run.skipped, "simt ran not one kernel"


@pytest.mark.parametrize("dialect", MAKERS)
def test_seed_says_all(dialect: str):
    make = MAKERS[dialect]
    assert make(Choices(7)) == make(Choices(7))
    assert make(Choices(7)) != make(Choices(8))


def test_decisions_say_all():
    choices = Choices(7)
    kernel = random_kernel(choices)
    assert random_kernel(Choices(replayed=choices.made)) == kernel


@pytest.mark.parametrize("dialect", MAKERS)
def test_text_says_all(dialect: str):
    kernel = MAKERS[dialect](Choices(7))
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


def test_what_random_kernels_are_to_hold_occurs():
    text = "\n".join(random_kernel(Choices(seed)).body for seed in range(400))
    for word in (
        "for (; left", "for (; at", "+= ITEMS)", "goto top", "goto skip", "switch (", "continue;", "return;",
        "goto tail;", "threadIdx.y", "in[SIZE + 3 - place]", "in[3 * item]", "((const short *)in)", "& 15] =",
        "line0[SIZE - 1 - place]", "*(uint4 *)(words", "atomicAdd(", "[threadIdx.z][threadIdx.y][threadIdx.x]",
        "totals[5] =", "wave[",
    ):  # fmt: skip
        assert word in text, word


def test_what_kernels_with_operations_of_warps_are_to_hold_occurs():
    text = "\n".join(random_warp_kernel(Choices(seed)).body for seed in range(400))
    for word in (
        "__shfl_sync(", "__shfl_up_sync(", "__shfl_down_sync(", "__shfl_xor_sync(", "__ballot_sync(", "__any_sync(",
        "__all_sync(", "__uni_sync(", "__match_any_sync(", "__match_all_sync(", "__reduce_add_sync(",
        "__reduce_min_sync(", "__reduce_xor_sync(", "__syncwarp(", "__activemask()", "old_mail[item] =",
        "if (lane < 16)", "0xaaaaaaaau", "const unsigned live", "if (goes", "const unsigned peers", "switch (",
    ):  # fmt: skip
        assert word in text, word


def test_kernels_are_made_smaller():
    """With a property of the text alone in the place of a failure."""
    seen = 0

    def has_a_barrier_in_a_loop(tried: Choices) -> bool:
        nonlocal seen
        seen += 1
        text = random_kernel(tried).body
        return "for (" in text.partition("tail:")[0].rpartition("__syncthreads();\n    {")[2] or "goto top" in text

    choices = Choices(next(seed for seed in range(100) if has_a_barrier_in_a_loop(Choices(seed))))
    first, seen = random_kernel(choices), 0
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
    with pytest.raises(AssertionError, match="under loop: out: 1 of 256 differ"):
        check(parsed(text.replace("LEFT", "clock64()")), ["loop"])


@pytest.mark.parametrize(
    ("dialect", "never"), [("cuda", set[str]()), ("opencl", set[str]()), ("warps", {"loop", BOTH})]
)
def test_every_mapping_has_its_turn(dialect: str, never: set[str]):
    assert {sampled(seed, dialect)[1] for seed in range(100)} == {*MAPPINGS, BOTH} - never
    ones = [one_of_all(seed, dialect) for seed in range(100)]
    assert {len(one) for one in ones} == {1}
    assert {one for (one,) in ones} == {default_mapping(), *MAPPINGS, BOTH} - never


def test_work_groups_run_by_both_mappings_in_turn(monkeypatch: pytest.MonkeyPatch):
    begun: list[KernelTrial] = []
    begin = KernelTrial.__init__

    def noted(trial: KernelTrial, *arguments: Any) -> None:
        begin(trial, *arguments)
        begun.append(trial)

    monkeypatch.setattr(KernelTrial, "__init__", noted)
    text = """// grid 8, block 64, data 0
    __global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in) {
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
        out[i] = in[i & 63] * 3ull;
    }
    """
    check(parsed(text), [BOTH])
    (trial,) = begun
    assert trial.second is not None


@pytest.mark.parametrize(
    ("body", "message", "fails"),
    [
        ("out[0] = __ballot_sync(0xffffffffu, 1);", "votes are not supported on the CPU device", False),
        ("out[0] = 1;", "the number one is not supported on the CPU device", True),
        ("out[0] = __ballot_sync(0xffffffffu, 1);", "LLVM does not like it", True),
    ],
)
def test_cpu_may_refuse_operations_of_warps_and_nothing_else(body: str, message: str, fails: bool, monkeypatch):
    def load(*arguments: object) -> NoReturn:
        raise lw.CompileError(message)

    monkeypatch.setattr(CpuDevice, "load", load)
    kernel = parsed(f"// grid 1, block 1, data 0\n__global__ void kernel(unsigned long long *out) {{ {body} }}\n")
    if not fails:
        assert not check(kernel)
        return
    with pytest.raises(lw.CompileError, match=f"under auto: {message}"):
        check(kernel, ["auto"])


def test_kernel_knows_its_own_end() -> None:
    kernel = RandomKernel("", (1,), (1,), 0, prelude="")
    assert kernel.items == 1
