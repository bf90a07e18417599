# SPDX-License-Identifier: Apache-2.0
"""Values that go from one work-item to another of its warp without a barrier, as programs from before Volta do it."""

from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

FOLD = """
__global__ void fold(int *o, const int *in) {
    __shared__ int s[64];
    int t = 0;
    for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = in[i];
    __syncthreads();
    if (threadIdx.x < 17) {
        for (int i = threadIdx.x; i < 64; i += 17) t += s[i];
        s[threadIdx.x] = t;
    }
    if (threadIdx.x == 0) {
        t = 0;
        for (int i = 0; i < 17; i++) t += s[i];
        o[0] = t;
    }
}
"""
SUMS = """
__kernel void sums(__global int *o, __global const int *in, __local int *s) {
    int t = get_local_id(0) + get_local_id(1) * get_local_size(0), lane = t % 32;
    s[t] = in[t];
    if (lane == 0) {
        int sum = 0;
        for (int i = t; i < t + 32 && i < get_local_size(0) * get_local_size(1); i++) {
            sum += s[i];
            s[i] = sum;
        }
    }
    o[t] = s[t ^ 1];
}
"""
MAPPINGS = ("auto", "lanes:2x1", "lanes:8x1", "lanes:16x4", "lanes:32x1")
KEPT = "whole warps in step, since threads exchange values in shared memory without a barrier"
LOST = "threads exchange values in shared memory without a barrier, which a loop doesn't keep in step"


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_a_fold_within_a_warp(mapping: str):
    module = lw.compile(FOLD, language="cuda", mapping=mapping)
    for block in (17, 32, 40, 64):
        out = np.zeros(1, np.int32)
        module["fold"][1, block](out, np.arange(64, dtype=np.int32))
        assert out[0] == 63 * 32
    stepped = [remark for remark in module["fold"].remarks(64) if KEPT in remark]
    assert [remark[:9] for remark in stepped] == ["region 1:"]


@pytest.mark.parametrize("mapping", ["auto", "lanes:4x1"])
@pytest.mark.parametrize("local", [(32, 1), (96, 1), (16, 4), (5, 7), (6, 1), (16, 1), (4, 4), (2, 9)])
def test_prefix_sums_of_sub_groups(mapping: str, local: tuple[int, int]):
    count = local[0] * local[1]
    given = np.arange(1, count + 1, dtype=np.int32)
    out = np.zeros(count, np.int32)
    kernel = lw.compile(SUMS, language="opencl", mapping=mapping)["sums"]
    kernel.ndrange(local, local)(out, given, lw.local(4 * count + 4))
    expected = [given[i // 32 * 32 : i + 1].sum() for i in range(count)] + [0]
    assert [out[i] for i in range(count - count % 2)] == [expected[i ^ 1] for i in range(count - count % 2)]


def test_code_for_any_local_size_keeps_warps_in_step(tmp_path: Path):
    lw.compile(FOLD, language="cuda").save(tmp_path / "fold.lwo")
    module = lw.load(tmp_path / "fold.lwo")
    for block in (17, 32, 64):
        out = np.zeros(1, np.int32)
        module["fold"][1, block](out, np.ones(64, np.int32))
        assert out[0] == 64


def test_a_loop_says_what_it_loses():
    module = lw.compile(FOLD, language="cuda", mapping="loop")
    assert module["fold"].remarks(32) == [
        "region 0: a loop over threads",
        f"region 1: a loop over threads; {LOST}",
    ]
