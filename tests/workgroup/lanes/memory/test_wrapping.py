# SPDX-License-Identifier: Apache-2.0
"""Indices that may wrap round, and grid-stride loops: neighbours all the same, right where lanes are switched off."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void shifted(float *out, const float *in, unsigned n) {
    unsigned i = threadIdx.x - 1;                    // wraps in the first lane, which is switched off
    if (threadIdx.x > 0 && i < n) out[i] = 2 * in[i];
}
__global__ void far_below(float *out, const float *in, unsigned n) {
    unsigned i = threadIdx.x - 37;                   // wraps in the middle of a vector
    if (i < n) out[i] = in[i];
}
__global__ void downwards(float *out, const float *in, unsigned n) {
    unsigned i = 200 - 3 * threadIdx.x;
    if (i < n) out[i] = in[i];
}
__global__ void to_and_fro(float *out, const float *in, unsigned n) {
    unsigned i = threadIdx.x * 0x80000001u;          // 0, 2^31 + 1, 2, 2^31 + 3, ...
    if (i < n) out[i] = in[i] + 1;
}
__global__ void by_wide_steps(float *out, const float *in, unsigned n) {
    unsigned i = threadIdx.x * 0x20000000u + threadIdx.x;  // once round every eight lanes
    if (i < n) out[i] = in[i] + 1;
}
__global__ void grid_stride(float *out, const float *in, int n) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void grid_stride_of_bytes(unsigned char *out, const unsigned char *in, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] ^ 255;
}
__global__ void offset_and_scaled(float *out, const float *in, unsigned n) {
    unsigned long long i = threadIdx.x - 5u;         // extended, then shifted and added to
    if (threadIdx.x > 4 && 2 * i + 1 < n) out[threadIdx.x] = in[2 * i + 1];
}
__global__ void carried_along(float *out, const float *in, unsigned n) {
    const float *p = in + (unsigned)(threadIdx.x + blockIdx.x * 96u - 3u);  // a pointer that loops carry
    float sum = 0;
    if (threadIdx.x + blockIdx.x * 96u >= 3)
        for (unsigned k = 0; k < n; k += 7, p += 5) sum += *p;
    out[blockIdx.x * 96 + threadIdx.x] = sum;
}
__global__ void left_early(float *out, const float *in, unsigned n) {
    const float *p = in + (unsigned)(threadIdx.x - 3u);
    unsigned k = 0;
    float sum = 0;
    while (threadIdx.x >= 3 && k * threadIdx.x < n) { sum += *p; p += 3; k += 4; }
    out[threadIdx.x] = sum + (threadIdx.x >= 3 ? *p : 0);     // each where its thread has left the loop
}
__global__ void chosen(float *out, const float *in, unsigned n) {
    unsigned i = threadIdx.x + 70u * (n & 1), j = 4000u - threadIdx.x * (n & 3);
    const float *p = n & 4 ? in + i : in + j;                 // one choice for all
    const float *q = threadIdx.x & 2 ? in + i : in + i + 1;   // each its own
    out[threadIdx.x] = *p + 2 * *q;
}
__global__ void clamped(float *out, const float *in, int n) {
    int x = threadIdx.x, low = n % 9, high = 90 - n % 7;
    int left = x - 1 < low ? low : x - 1, right = x + 1 > high ? high : x + 1;
    if (x % 11) out[x] = in[left];
    if (x > low + 1 && x < high - 1) out[x + 96] = in[left] + 2 * in[right];
}
__global__ void collatz(float *out, const float *in, int n) {
    int x = threadIdx.x + 1, steps = 0;
    do { x = x & 1 ? 3 * x + 1 : x / 2; ++steps; } while (x > 1 && steps < n);
    out[threadIdx.x] = steps + in[steps];
}
"""
MAPPINGS = ["loop", "lanes:16x4", "lanes:8x2", "lanes:4x1", "lanes:4x8"]


@pytest.mark.parametrize("n", [0, 1, 20, 96, 1111])
@pytest.mark.parametrize("mapping", MAPPINGS)
@pytest.mark.parametrize(
    "name",
    [
        "to_and_fro",
        "by_wide_steps",
        "shifted",
        "far_below",
        "downwards",
        "grid_stride",
        "grid_stride_of_bytes",
        "offset_and_scaled",
        "carried_along",
        "left_early",
        "chosen",
        "clamped",
        "collatz",
    ],
)
def test_as_on_the_reference_device(name: str, mapping: str, n: int):
    kernel = lw.compile(SOURCE, language="cuda", mapping=mapping)[name]
    given = np.arange(4096) % 251
    given = given.astype(np.uint8 if "bytes" in name else np.float32)
    found, expected = np.zeros_like(given), np.zeros_like(given)
    kernel.launch(2, 96, (found, given, n), device="cpu")
    kernel.launch(2, 96, (expected, given, n), device="reference")
    assert (found == expected).all()


def test_no_gather_is_left():
    module = lw.compile(SOURCE, language="cuda", mapping="lanes:16x4")
    for name in ("shifted", "far_below", "grid_stride", "offset_and_scaled", "carried_along"):
        text = module.ir("work-group", block=96, kernel=name)
        assert "masked.gather" not in text
        assert "masked.load" in text


def test_a_loop_that_all_are_in_needs_no_masks():
    text = lw.compile(SOURCE, language="cuda", mapping="lanes:16x4").ir("work-group", block=128, kernel="grid_stride")
    together = text.partition("together:\n")[2].partition("\n\n")[0]
    assert "load <16 x float>" in together
    assert "masked" not in together
