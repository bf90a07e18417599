# SPDX-License-Identifier: Apache-2.0
"""The choice between lanes and a loop, for loops that work-items leave at different times and for vectors of OpenCL C,
and what is told of it."""

import re

import pytest

import lanewise as lw
from lanewise.workgroup.lanes.analysis.instruction_costs import AVX2, AVX_512, instruction_costs

SOURCE = """
__global__ void search_of_bytes(int *found, const unsigned char *text, int n) {
    int i = threadIdx.x;
    for (int back = 1; back < n; back++) {
        int length = 0;
        while (length < n && text[i + length] == text[i - back + length]) length++;
        if (length > found[i]) found[i] = length;
        if (length == n) break;
    }
}
__global__ void arithmetic(int *rounds, const float *x, int n) {
    int i = threadIdx.x, round = 0;
    for (float a = x[i], b = 0; round < n && a * a + b * b < 4; round++) {
        float c = a * a - b * b + x[i];
        b = 2 * a * b + 0.1f;
        a = c;
    }
    rounds[i] = round;
}
__global__ void atomic(int *sums, const int *x, int n) {
    for (int k = x[threadIdx.x]; k < n; k = k * 3 + 1) atomicAdd(&sums[k & 7], k);
}
__global__ void counted(float *y, const float *x, const int *ends) {
    float sum = 0;
    for (int k = 0; k < ends[threadIdx.x]; k++) sum = sum * x[threadIdx.x] + 1;
    y[threadIdx.x] = sum;
}
__global__ void strided(float *y, const float *x, int n) {
    for (int k = threadIdx.x; k < n; k += blockDim.x) y[k] = x[k] * 2;
}
"""
TOLD = r"; predicted to take 0\.\d\d of the time of a loop over threads$"


def _remark(name: str, mapping: str = "auto") -> str:
    return lw.compile(SOURCE, language="cuda", mapping=mapping)[name].remarks(64)[0]


@pytest.mark.parametrize("name", ["search_of_bytes", "atomic"])
def test_what_lanes_do_one_by_one_is_a_loop(name: str):
    because = r"a loop over threads, because of loops left at different times, in lanes predicted to take \d+\.\d times"
    assert re.search(because, _remark(name))
    assert "lanes" in _remark(name, "lanes").partition(";")[0]


@pytest.mark.parametrize("name", ["arithmetic", "counted"])
def test_arithmetic_stays_in_lanes(name: str):
    assert re.search(r"\d lanes", _remark(name))
    assert re.search(TOLD, _remark(name))


def test_loops_of_nearly_the_same_length_are_not_asked_about():
    assert "predicted" not in _remark("strided")


BYTES = """
__kernel void darkest(__global uchar *out, __global const uchar *in, int pitch) {
    int x = get_global_id(0) * 16;
    uchar16 least = vload16(0, in + x);
    for (int y = 1; y < 3; y++) {
        uchar16 here = vload16(0, in + y * pitch + x);
        least = min(least, min(here, here.s123456789abcdeff));
    }
    vstore16(least, 0, out + x);
}
__kernel void converted(__global uchar *out, __global const uchar *in, int pitch) {
    int x = get_global_id(0) * 16;
    short16 sum = convert_short16(vload16(0, in + x)) + convert_short16(vload16(0, in + pitch + x));
    vstore16(convert_uchar16_sat(sum), 0, out + x);
}
__kernel void roots(__global float4 *y, __global const float4 *x) {
    float4 v = x[get_global_id(0)];
    for (int k = 0; k < 20; k++) v = sqrt(v) + (float4)(v.x * v.y, v.y * v.z, v.z * v.w, v.w * v.x);
    y[get_global_id(0)] = v;
}
"""


@pytest.mark.parametrize("name", ["darkest", "converted"])
def test_vectors_that_lanes_would_take_apart_for_little_are_a_loop(name: str):
    remark = lw.compile(BYTES, language="opencl")[name].remarks(64)[0]
    assert re.search(
        r"a loop over work-items, because of vectors taken apart, in lanes predicted to take \d+\.\d times", remark
    )


def test_vectors_with_which_much_is_done_stay_in_lanes():
    assert re.search(r"\d lanes", lw.compile(BYTES, language="opencl")["roots"].remarks(64)[0])


def test_private_arrays_of_a_loop_are_not_laid_out_for_lanes():
    """They would be taken apart, too: a work-item's vectors would lie in memory element by element."""
    source = BYTES.replace("uchar16 least =", "uchar16 seen[3]; seen[pitch % 3] = 1; uchar16 least = seen[0] +")
    module = lw.compile(source, language="opencl")
    assert "a loop over work-items" in module["darkest"].remarks(64)[0]
    assert " store i8 " not in module.ir("work-group", "darkest", block=64)


WAITS = """
kernel void circular(global float *out, global const float *in, int mask, int n) {
    int at = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++) {
        sum += in[at & mask] + in[(at + 1024) & mask] + in[(at + 2048) & mask];
        at = (at + 5120) & mask;
    }
    out[get_global_id(0)] = sum;
}
kernel void along(global float *out, global const float *in, int n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += in[k * n + get_global_id(0)];
    out[get_global_id(0)] = sum;
}
"""


@pytest.mark.parametrize(("name", "unsure"), [("circular", True), ("along", False)])
def test_launches_decide_where_loops_wait_for_memory(name: str, unsure: bool):
    remarks = lw.compile(WAITS, language="opencl")[name].remarks(64)
    assert " lanes" in remarks[0]
    assert ("unsure, so long launches also try a loop over work-items" in remarks) == unsure


def test_costs_are_those_of_processors_with_as_long_vectors():
    assert instruction_costs(16) is AVX_512
    assert instruction_costs(8) is instruction_costs(4) is AVX2
