# SPDX-License-Identifier: Apache-2.0
"""Masked stores of truncated numbers where it is known when compiling that one lane is active: no neighbour changes."""

import numpy as np
import pytest

import lanewise as lw

LAST_UNIT = """
__global__ void kernel(signed char *line, const unsigned *in) {
    const unsigned lane = threadIdx.x % 32, live = __ballot_sync(0xffffffffu, true);
    unsigned x = in[threadIdx.x];
    for (unsigned d = 1; d < 32; d *= 2) {
        const unsigned other = __shfl_up_sync(live, x, d);
        if (lane >= d) x += other;
    }
    line[64 - threadIdx.x] = (signed char)x;
}
"""
ONE_WORK_ITEM = """
__global__ void kernel(signed char *bytes, short *shorts, int *words, const long long *in) {
    if (threadIdx.x == 5) {
        long long x = in[threadIdx.x];
        bytes[threadIdx.x] = (signed char)x;
        shorts[threadIdx.x] = (short)(x >> 3);
        words[threadIdx.x] = (int)(x >> 5);
    }
}
"""
MAPPINGS = ("auto", "lanes:4x8", "lanes:8x4", "lanes:16x2")


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_the_last_unit_has_one_work_item(mapping: str):
    values = np.arange(65, dtype=np.uint32) * 3 + 7
    kernel = lw.compile(LAST_UNIT, language="cuda", mapping=mapping)["kernel"]
    line = np.zeros(80, np.int8)
    kernel[1, 65](line, values)
    sums = np.concatenate([np.cumsum(values[start : start + 32]) for start in (0, 32, 64)])
    assert line[:65].tolist() == sums[::-1].astype(np.int8).tolist()
    assert not line[65:].any()


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_a_condition_names_the_one_work_item(mapping: str):
    values = np.arange(64, dtype=np.int64) * 987654321987
    kernel = lw.compile(ONE_WORK_ITEM, language="cuda", mapping=mapping)["kernel"]
    got = [np.full(80, 7, dtype) for dtype in (np.int8, np.int16, np.int32)]
    kernel[1, 64](*got, values)
    for array, shift in zip(got, (0, 3, 5), strict=True):
        wanted = np.full(80, 7, array.dtype)
        wanted[5] = (values[5] >> shift).astype(array.dtype)
        assert array.tolist() == wanted.tolist()
