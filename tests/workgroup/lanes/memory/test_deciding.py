# SPDX-License-Identifier: Apache-2.0
"""Whether lanes are neighbours is told by the one value that decides it."""

import re

import numpy as np
import pytest

import lanewise as lw

TEMPLATE = """
__global__ void NAME(float *out, const float *in, unsigned mask, int d) {
    __shared__ float tile[512];
    int t = threadIdx.x;
    for (int i = t; i < 512; i += 64) tile[i] = in[i];
    __syncthreads();
    float a = tile[INDEX], b = tile[INDEX + d];
    out[t] = a - b;
    __syncthreads();
    tile[2 * t - (int)(t & mask & 127)] = a + b;
    __syncthreads();
    for (int i = t; i < 512; i += 64) out[64 + i] = tile[i];
}
"""
SWITCHED_OFF = """
__global__ void switched_off(float *out, const float *in, unsigned mask, int d) {
    int t = threadIdx.x, i = (int)(((t & mask & 127) + d) << 27) >> 27;      // counts from -16 to 15, again and again
    if (i >= 0) out[t] = in[i];                                              // 3: below 0 in lanes that are off
}
"""
INDICES = {
    "masked": ("(t & (mask & 127))", "i32"),
    "butterfly": ("(2 * t - (int)(t & mask & 127))", "i32"),
    "sum": ("((long)(t & (mask & 127)) + 3 * d)", "i32"),
    "of_two": ("((t & (mask & 127)) + (t & (mask >> 1 & 127)))", "i32"),  # 1: their sum decides
    "may_wrap": ("((unsigned)t + 5u - (t & mask & 4) * 2u)", "i64"),  # 3
}
SOURCE = "".join(TEMPLATE.replace("NAME", name).replace("INDEX", index) for name, (index, _) in INDICES.items())
MODULES = {mapping: lw.compile(SOURCE, language="cuda", mapping=mapping) for mapping in ("lanes:8x1", "lanes:16x2")}


@pytest.mark.parametrize("mapping", MODULES)
@pytest.mark.parametrize("name", INDICES)
def test_results(name: str, mapping: str):
    data = np.arange(512, dtype=np.float32) ** 2
    for mask, d in ((0, 64), (1, 65), (3, 66), (7, 90), (15, 64), (63, 1), (0xFFFF, 30)):
        expected, found = np.zeros(576, np.float32), np.zeros(576, np.float32)
        MODULES[mapping][name].launch(1, 64, (expected, data, mask, d), device="reference")
        MODULES[mapping][name].launch(1, 64, (found, data, mask, d))
        assert found.tobytes() == expected.tobytes(), (mask, d)


@pytest.mark.parametrize("name", INDICES)
def test_simplest_value_decides(name: str):
    text = MODULES["lanes:8x1"].ir("work-group", name, block=64)
    assert "neighbours.yes" in text
    assert "ptrtoint <8 x ptr>" not in text
    tests = set(re.findall(r"icmp ne <8 x (\w+)>", text))
    assert INDICES[name][1] in tests


@pytest.mark.parametrize("mapping", MODULES)
def test_lanes_that_are_off_have_any_index(mapping: str):
    data = np.arange(128, dtype=np.float32)
    kernel = lw.compile(SWITCHED_OFF, language="cuda", mapping=mapping)["switched_off"]
    for d in (0, 1, 17, 30):
        found, place = np.zeros(64, np.float32), (np.arange(64) + d + 16) % 32 - 16
        kernel.launch(1, 64, (found, data, 0xFFFF, d))
        assert (found == np.maximum(place, 0)).all(), d
