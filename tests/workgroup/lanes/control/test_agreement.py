# SPDX-License-Identifier: Apache-2.0
"""Branches that all work-items of a unit take alike, as seen of the first and the last of them."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
#define MUCH float v = x; v = v * v + 1; v = v * v + 2; v = v * v + 3; v = v * v + 4
#define MUCH_MORE v = v * v + 5; v = v * v + 6; v = v * v + 7; v = v * v + 8
__global__ void inside(float *out, int from, int to, int low, int high) {
    int i = threadIdx.x, j = threadIdx.y;
    if (i > from && i < to && j >= low && j <= high) { int x = i + j; MUCH; out[j * blockDim.x + i] = v; }
}
__global__ void outside(float *out, int from, int to, int low, int high) {
    int i = threadIdx.x, j = threadIdx.y;
    if (i <= from || i == 0 || i >= to || j < low || j > high) return;
    int x = i - j;
    MUCH;
    out[j * blockDim.x + i] = v;
}
__global__ void above(float *out, int from, int to, int low, int high) {
    int i = threadIdx.x, j = threadIdx.y;
    bool within = (i < to) & (j >= low) & (j <= high);                   // in a block above the branch
    if (i > from) { int x = i + j; MUCH; if (within) { MUCH_MORE; out[j * blockDim.x + i] = v; } }
}
__global__ void carried(float *out, int from, int to, int low, int high) {
    int i = threadIdx.x, x = i;
    bool before = i > from;
    float sum = 0;
    for (int k = low; k < high + 2; ++k) {
        bool now = i + k < to;
        if (before && i >= k) { MUCH; sum += v; }                         // of the iteration before
        before = now;
    }
    out[threadIdx.y * blockDim.x + i] = sum;
}
__global__ void wraps(float *out, int from, int to, int low, int high) {
    int i = threadIdx.x + 0x7fffffc0u + low, x = threadIdx.x;             // to negative numbers
    if (i > from - 64 && i < (int)(to + 0x7fffffb0u)) { MUCH; out[threadIdx.y * blockDim.x + x] = v; }
}
__global__ void wraps_unsigned(float *out, int from, int to, int low, int high) {
    unsigned i = threadIdx.x - (unsigned)low;
    int x = threadIdx.x;
    if (i != 0 && i < (unsigned)to) { MUCH; out[threadIdx.y * blockDim.x + x] = v; }
}
__global__ void downwards(float *out, int from, int to, int low, int high) {
    int i = 100 - 2 * (int)threadIdx.x, x = threadIdx.x;
    if (i >= from && i <= to && threadIdx.y != low) { MUCH; out[threadIdx.y * blockDim.x + x] = v; }
}
__global__ void some_vary(float *out, int from, int to, int low, int high) {
    int i = threadIdx.x, x = i ^ 5;
    if (i >= from && (x & 12) != high && i < to) { MUCH; out[threadIdx.y * blockDim.x + i] = v; }
}
__global__ void not_defined_for_all(float *out, int from, int to, int low, int high) {
    int i = threadIdx.x, x = i;
    if (i < 31 && (1 << i) > from && to / (i + 1) >= low) { MUCH; out[threadIdx.y * blockDim.x + i] = v; }
}
__global__ void never(float *out, int from, int to, int low, int high) {
    int i = threadIdx.x, x = i;
    if (!(i >= 0 && i < 4096)) return;
    if (!(from < to)) return;
    MUCH;
    out[threadIdx.y * blockDim.x + i] = v;
}
"""
KERNELS = [
    "inside",
    "outside",
    "above",
    "carried",
    "wraps",
    "wraps_unsigned",
    "downwards",
    "some_vary",
    "not_defined_for_all",
    "never",
]
MAPPINGS = ["lanes:16x4", "lanes:16x16", "lanes:8x2", "lanes:4x1"]
BOUNDS = [
    (0, 64, 0, 7),
    (-1, 100, 0, 3),
    (15, 48, 2, 5),
    (16, 17, 4, 4),
    (70, 80, 0, 9),
    (-9, -3, 1, 0),
    (31, 33, 8, 12),
]


@pytest.mark.parametrize("block", [(64, 8), (16, 8), (8, 8), (40, 2)])
@pytest.mark.parametrize("name", KERNELS)
def test_as_on_the_reference_device(name: str, block: tuple[int, int]):
    size = block[0] * block[1]
    for bounds in BOUNDS:
        expected = np.zeros(size, np.float32)
        lw.compile(SOURCE, language="cuda")[name].launch(1, block, (expected, *bounds), device="reference")
        for mapping in MAPPINGS:
            found = np.zeros(size, np.float32)
            lw.compile(SOURCE, language="cuda", mapping=mapping)[name].launch(1, block, (found, *bounds), device="cpu")
            assert found.tobytes() == expected.tobytes(), (mapping, bounds)


@pytest.mark.parametrize("name", ["inside", "outside", "downwards"])
def test_ends_say_it(name: str):
    """The version without masks asks no vectors of conditions."""
    text = lw.compile(SOURCE, language="cuda", mapping="lanes:16x4").ir("work-group", name, block=(64, 8))
    fast = text.partition("\nunit:\n")[2].partition("\nunit.masked")[0]
    assert "icmp" in fast
    assert "vector.reduce" not in fast


def test_where_all_turn_back_no_work_is_done():
    """A unit in which no work-item is inside goes past both versions."""
    text = lw.compile(SOURCE, language="cuda", mapping="lanes:16x4").ir("work-group", "inside", block=(64, 8))
    assert "freeze i1" in text.partition("not.all:\n")[2].partition("\n\n")[0]
