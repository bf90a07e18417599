# SPDX-License-Identifier: Apache-2.0
"""The one value that decides whether lanes are neighbours."""

import re

import numpy as np
import pytest
from tests.analysis.test_divergence import flow_of

import lanewise as lw
from lanewise.analysis.divergence import Divergence
from lanewise.analysis.shapes import SIGNED, UNSIGNED, VARYING, Extent, Shape
from lanewise.ir.builder import Builder
from lanewise.ir.reader import read_module
from lanewise.ir.values import Value
from lanewise.workgroup.lanes.memory.deciding import deciding_value
from lanewise.workgroup.lanes.values.lane_code import LaneCode
from lanewise.workgroup.lanes.values.lane_values import LaneValue

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
PAIRS = """
struct Pair { float first, second; };
__global__ void pairs(float *out, const Pair *in, unsigned mask) {
    int t = threadIdx.x;
    out[t] = in[t & mask & 63].first;                                        // 2: half of an element from lane to lane
}
"""
LEFT = """
__global__ void left(float *out, const float *in, const unsigned *x, unsigned mask) {
    int t = threadIdx.x;
    long i = 0;
    unsigned v = x[t];
    do {
        v = v * 1664525u + 1013904223u;
        i++;                                                        // 4: the same in all lanes until they leave
    } while (v & 7);
    const float *place = in + (t & mask & 63);
    out[t] = place[i];
}
"""
NARROW = """
define void @f(ptr %p, i64 %own, i32 %narrow, i32 %stepped) {
entry:
  %extended = getelementptr float, ptr %p, i32 %narrow
  %base = getelementptr float, ptr %p, i64 %own
  %both = getelementptr float, ptr %base, i32 %stepped
  ret void
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


@pytest.mark.parametrize("mapping", MODULES)
def test_half_an_element_is_no_step_of_an_index(mapping: str):
    data = np.arange(128, dtype=np.float32)
    module = lw.compile(PAIRS, language="cuda", mapping=mapping)
    for mask in (0, 1, 63):
        found = np.zeros(64, np.float32)
        module["pairs"].launch(1, 64, (found, data, mask))
        assert (found == data[2 * (np.arange(64) & mask)]).all(), mask


@pytest.mark.parametrize("mapping", MODULES)
def test_lanes_that_left_a_loop_apart_are_no_neighbours(mapping: str):
    data = np.arange(1024, dtype=np.float32)
    start = np.random.default_rng(1).integers(0, 1 << 32, 64, dtype=np.uint32)
    expected, found = np.zeros(64, np.float32), np.zeros(64, np.float32)
    kernel = lw.compile(LEFT, language="cuda", mapping=mapping)["left"]
    kernel.launch(1, 64, (expected, data, start, 63), device="reference")
    kernel.launch(1, 64, (found, data, start, 63))
    assert len(set(expected - np.arange(64))) > 1
    assert found.tobytes() == expected.tobytes()


def test_a_narrow_index_is_followed_if_its_steps_are_those_of_a_signed_number():
    function = read_module(NARROW).function("f")
    block = function.blocks[0]
    pointer, own, narrow, stepped = function.arguments
    extended, _, both = block.instructions[:3]
    for exact, decided in ((SIGNED, (own, 3)), (UNSIGNED, (both, 4))):
        shapes: dict[Value, Shape] = {own: VARYING, narrow: VARYING, stepped: Shape(-2, exact=exact)}
        facts = Divergence(flow_of(function), shapes, Extent(8, 1, 1), {})
        code = LaneCode(function, Builder(block), lambda name, type_: function, facts, pointer, False)
        code.known.update({each: LaneValue.uniform(each) for each in (*function.arguments, *block.instructions[:3])})
        assert deciding_value(code, extended, 4, False) == (extended, 4)  # 1
        assert deciding_value(code, both, 4, False) == decided
