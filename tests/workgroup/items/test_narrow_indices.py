# SPDX-License-Identifier: Apache-2.0
"""Indices that count round in few bits are hidden from LLVM's vectoriser, and mean what they meant."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.ir.writer import write_module
from lanewise.pipelines.out_of_line_functions import compile_out_of_line
from lanewise.workgroup.items.narrow_indices import ONES

SOURCE = """
// 32-bit indices of `out` make LLVM check that they do not wrap round, which it takes to imply the narrow check.
#define OUT out[4u * (blockIdx.x * blockDim.x + threadIdx.x) + 3]

__global__ void low_bits(unsigned long long *out, const unsigned char *in) { OUT += in[threadIdx.x & 3]; }

__global__ void own_bytes(unsigned long long *out, const unsigned char *in) {
    unsigned word = in[threadIdx.x] * 0x1020304u;
    OUT += reinterpret_cast<unsigned char *>(&word)[threadIdx.x & 3];
}

__global__ void narrow_type(unsigned long long *out, const unsigned char *in) {
    OUT += in[(unsigned char)(threadIdx.x * 32)];
}

__global__ void signed_field(unsigned long long *out, const unsigned char *in) {
    struct { int low : 3; } field;
    field.low = threadIdx.x;
    OUT += in[8 + field.low];
}

__global__ void in_an_inner_loop(unsigned long long *out, const unsigned char *in) {
    unsigned sum = 0;
    for (unsigned j = 0; j < 40; j++)
        sum = sum * 3 + in[(threadIdx.x + j) & 7];
    OUT += sum;
}

__device__ unsigned calls_itself(const unsigned char *in, unsigned steps) {
    unsigned sum = 0;
    for (unsigned j = 0; j < 40; j++)
        sum = sum * 3 + in[(threadIdx.x + j) & 7];
    return steps ? sum + calls_itself(in, steps - 1) : sum;
}

__global__ void in_an_out_of_line_function(unsigned long long *out, const unsigned char *in) {
    OUT += calls_itself(in, threadIdx.x & 3);
}

__global__ void no_index(unsigned long long *out, const unsigned char *in) { OUT += threadIdx.x & 3; }

__global__ void plain(unsigned long long *out, const unsigned char *in) { OUT += in[threadIdx.x]; }
"""

HIDDEN = ("low_bits", "own_bytes", "narrow_type", "signed_field", "in_an_inner_loop")
LEFT = ("no_index", "plain")


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda", mapping="loop")


@pytest.mark.parametrize("kernel", HIDDEN)
def test_narrow_counter_in_an_address_is_hidden(module: lw.Module, kernel: str):
    assert f"@{ONES}" in module.ir("work-group", kernel=kernel, block=48)


def test_narrow_counter_in_an_out_of_line_function_is_hidden(module: lw.Module):
    assert f"@{ONES}" in write_module(compile_out_of_line(module.ir()).module)


@pytest.mark.parametrize("kernel", LEFT)
def test_other_indices_are_left_alone(module: lw.Module, kernel: str):
    assert f"@{ONES}" not in module.ir("work-group", kernel=kernel, block=48)


@pytest.mark.parametrize("block", [4, (2, 1), (1, 1, 4)])
def test_counter_that_fits_is_left_alone(module: lw.Module, block: int | tuple[int, ...]):
    """LLVM drops the mask, and loads what lies together."""
    assert f"@{ONES}" not in module.ir("work-group", kernel="low_bits", block=block)


def check(module: lw.Module, kernel: str, block: int) -> None:
    values = np.random.default_rng(block).integers(0, 256, 512, np.uint8)
    found, wanted = (np.arange(4 * 3 * block, dtype=np.uint64) for _ in range(2))
    module[kernel].launch(3, block, (found, values), device="cpu")
    module[kernel].launch(3, block, (wanted, values), device="reference")
    assert np.array_equal(found, wanted)


@pytest.mark.parametrize("kernel", [*HIDDEN, *LEFT, "in_an_out_of_line_function"])
@pytest.mark.parametrize("block", [1, 8, 48, 100, 256])
def test_results_are_those_of_the_reference(module: lw.Module, kernel: str, block: int):
    check(module, kernel, block)


@pytest.mark.parametrize("kernel", [*HIDDEN, *LEFT, "in_an_out_of_line_function"])
def test_results_in_lanes_are_those_of_the_reference(kernel: str):
    check(lw.compile(SOURCE, language="cuda"), kernel, 100)
