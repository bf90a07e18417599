# SPDX-License-Identifier: Apache-2.0
"""Uniform loads for operations of each work-item: few are before the loop over work-items, many where they are used."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.ir import types as ty
from lanewise.pipelines.cpu import compile_for_cpu

BLOCK = 128
SOURCE = """
extern "C" __global__ void weigh(float *out, const float *in) {
    __shared__ float weights[COUNT];
    int t = threadIdx.x;
    if (t < COUNT) weights[t] = in[t];
    __syncthreads();
    float sum = 0, x = in[t];
#pragma unroll
    for (int i = 0; i < COUNT; i++) sum = sum * x + weights[i];
    out[t] = sum;
}
"""


def module(count: int) -> lw.Module:
    return lw.compile(SOURCE, language="cuda", defines={"COUNT": str(count)})


@pytest.mark.parametrize(("count", "outside"), [(20, 20), (64, 0)])
def test_only_as_many_as_registers_keep_are_before_the_loop(count: int, outside: int):
    made = compile_for_cpu(module(count).ir(), "weigh", (BLOCK, 1, 1)).module
    blocks = [b for function in made.functions for b in function.blocks]
    loads = {block: sum(i.op == "load" and i.type is ty.FLOAT for i in block.instructions) for block in blocks}
    assert sum(loads.values()) == count
    assert sum(number for block, number in loads.items() if "region" in (block.name or "")) == outside


@pytest.mark.parametrize("count", [20, 64])
@pytest.mark.parametrize("block", [BLOCK, 71])
def test_their_values_are_right(count: int, block: int):
    values = np.random.default_rng(3).random(BLOCK, np.float32)
    out = np.zeros(BLOCK, np.float32)
    module(count)["weigh"].launch(1, block, (out, values))
    expected = np.zeros(block)
    for weight in values[:count].astype(np.float64):
        expected = expected * values[:block] + weight
    np.testing.assert_allclose(out[:block], expected, rtol=1e-4)
