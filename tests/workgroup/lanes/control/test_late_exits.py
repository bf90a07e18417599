# SPDX-License-Identifier: Apache-2.0
"""Loops whose later iterations test whether any work-item leaves: the same results as the reference device's."""

from functools import cache

import numpy as np
import pytest

import lanewise as lw
from lanewise.workgroup.lanes.control.late_exits import ITERATIONS

SOURCE = """
__global__ void two_exits(unsigned *out, const unsigned *in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], step = 0, found = 1000;
    for (; step < v; step++) {
        if ((v * 31 + step) % 97 == 5) { found = step; break; }
        v -= (v ^ step) & 1;
    }
    out[i] = found + 7 * step + 1000000 * (v & 1);
}
__global__ void at_the_end(unsigned *out, const unsigned *in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], a = 0, b = 1;
    do {
        unsigned c = a + b;
        a = b ^ v;
        b = c;
    } while (--v > n);
    out[i] = a + 3 * b;
}
__global__ void with_stores(unsigned *out, const unsigned *in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], sum = 0;
    while (true) {
        if (v % 5 == 1 && v < n) break;
        sum += v;
        if (v % 3 == 0) out[i] += sum;
        else if (v == 2) { sum = 12345; break; }
        if (v-- == 0) break;
    }
    out[i] += sum;
}
__global__ void again(unsigned *out, const unsigned *in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], count = 0;
    for (unsigned k = 0; k < v; k++) {
        if (k % 4 == threadIdx.x % 4) continue;
        count += k;
        if (count > 40 * v) break;
    }
    if (threadIdx.x & 1) {
        for (; count > 9; count = count * 3 / 4) v += count & 3;
    }
    out[i] = 17 * count + v;
}
"""
MOST = 5 * ITERATIONS


@cache
def module(mapping: str) -> lw.Module:
    return lw.compile(SOURCE, language="cuda", mapping=mapping)


def few_stay_long() -> np.ndarray:
    """Work-items that leave at once, one by one, and late; some warps have none of the last kind."""
    random = np.random.default_rng(5)
    early = random.integers(1, 9, 160)
    late = random.integers(1, MOST, 160)
    return np.where((np.arange(160) < 64) | (random.random(160) < 0.3), late, early).astype(np.uint32)


@pytest.mark.parametrize("mapping", ["lanes", "lanes:4x2", "lanes:16x1"])
@pytest.mark.parametrize("kernel", ["two_exits", "at_the_end", "with_stores", "again"])
@pytest.mark.parametrize("block", [32, 40])
def test_late_exits_change_no_result(mapping: str, kernel: str, block: int):
    given, n = few_stay_long(), np.uint32(4)
    found, expected = np.zeros_like(given), np.zeros_like(given)
    module(mapping)[kernel].launch(len(given) // block, block, (found, given, n))
    module("lanes")[kernel].launch(len(given) // block, block, (expected, given, n), device="reference")
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("kernel", ["two_exits", "at_the_end", "again"])
def test_the_loop_is_made_twice(kernel: str):
    assert ".late" in module("lanes").ir("work-group", kernel=kernel, block=32)


def test_loops_that_are_left_together_are_made_once():
    source = """
    __global__ void strides(float *out, const float *in, int n) {
        float sum = 0;
        for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
        out[threadIdx.x] = sum;
    }
    """
    assert ".late" not in lw.compile(source, language="cuda", mapping="lanes").ir("work-group", block=32)
