# SPDX-License-Identifier: Apache-2.0
"""Addresses by what an earlier loop counted: neighbours where all lanes left that loop together, right elsewhere."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
#define GLOBAL_ID (blockIdx.x * blockDim.x + threadIdx.x)
__device__ unsigned left_over(int first, int n, unsigned stride) {
    return first < n ? ((unsigned)(n - 1 - first) / stride + 1) & 3 : 0;
}

__global__ void by_four(float *out, const float *in, int n) {       // as nvcc unrolls a loop over the grid's stride
    unsigned i = GLOBAL_ID, stride = gridDim.x * blockDim.x;
    float sum = 0;
    if ((int)i < n) {
        unsigned rest = left_over(i, n, stride);
#pragma unroll 1
        for (; rest; --rest, i += stride) sum += in[(int)i];
#pragma unroll 1
        for (; (int)i < n; i += 4 * stride)
            sum += in[(int)i] + in[(int)(i + stride)] + in[(int)(i + 2 * stride)] + in[(int)(i + 3 * stride)];
    }
    out[GLOBAL_ID] = sum;
}
__global__ void switched_off(float *out, const float *in, int n) {  // unsigned: lanes below 5 are far away
    unsigned i = GLOBAL_ID - 5u, stride = blockDim.x * gridDim.y;
    float sum = 0;
    if (GLOBAL_ID >= 5 && threadIdx.x % 7 != 3) {
        unsigned rest = left_over(GLOBAL_ID, n, stride);
#pragma unroll 1
        for (; rest; --rest, i += stride) sum += 2 * in[i];
#pragma unroll 1
        for (; (int)i < n - (int)stride; i += stride) sum += in[i] - in[i + stride];
    }
    out[GLOBAL_ID] = sum;
}
__global__ void written(float *out, const float *in, int n) {       // where each lane has left the loop
    unsigned i = threadIdx.x;
#pragma unroll 1
    for (int k = in[0] > 0 ? blockIdx.x : threadIdx.x % 5 + blockIdx.x; k > 0; --k) i += blockDim.x;
    if ((int)i < n) out[(int)i] = in[threadIdx.x] + i;
}
__global__ void by_count(float *out, const float *in, int n) {      // the step is what each lane has counted
    unsigned i = threadIdx.x, stride = gridDim.x * blockDim.x, step = stride;
    float sum = 0;
#pragma unroll 1
    for (float left = in[threadIdx.x & 1]; left > 0; left -= 4, i += stride, step += stride) sum += in[(int)i];
#pragma unroll 1
    for (; (int)i < n; i += step) sum += in[(int)i] + in[(int)i + 64];
    out[GLOBAL_ID] = sum;
}
"""
NAMES = ("by_four", "switched_off", "written", "by_count")


@pytest.mark.parametrize("n", [2048, 2046, 2051, 3000, 3])
@pytest.mark.parametrize("name", NAMES)
def test_lanes_that_left_a_loop(name: str, n: int):
    kernel = lw.compile(SOURCE, language="cuda")[name]
    given = np.random.default_rng(n).integers(-9, 9, 4096).astype(np.float32)
    results: dict[str, np.ndarray] = {}
    for device in ("cpu", "reference"):
        out = np.zeros(4096, np.float32)
        kernel.launch(3, 64, (out, given.copy(), np.int32(n)), device=device)
        results[device] = out
    np.testing.assert_array_equal(results["cpu"], results["reference"])
    assert results["cpu"].any() or (name == "switched_off" and n < 5)


def test_no_access_is_a_gather():
    module = lw.compile(SOURCE, language="cuda")
    for name in ("by_four", "switched_off"):
        remarks = "\n".join(module[name].remarks(64))
        assert "lanes" in remarks
        assert "gather" not in remarks


def together(name: str) -> str:
    """The loop that all lanes run without masks."""
    text = lw.compile(SOURCE, language="cuda").ir("work-group", kernel=name, block=64)
    return "".join(part.partition(".parting:")[0] for part in text.split(".together:")[1:])


def test_steps_are_tested_once_before_a_loop():
    loop = together("by_four")
    assert loop.count("load <") >= 4
    assert "neighbours.yes" not in loop
    assert together("by_count").count("neighbours.yes") >= 2  # the step may differ


def test_a_step_that_differs_between_lanes_stays_a_gather():
    source = """
__global__ void apart(float *out, const float *in, int n) {
    unsigned i = threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int k = threadIdx.x; k > 0; --k) i += threadIdx.x;
#pragma unroll 1
    for (; (int)i < n; i += 64) sum += in[(int)i] * in[(int)i] + 1.5f * in[(int)i] + sum * 0.25f;
    out[threadIdx.x] = sum;
}"""
    kernel = lw.compile(source, language="cuda")["apart"]
    given, out, wanted = np.arange(5000, dtype=np.float32) % 7, np.zeros(64, np.float32), np.zeros(64, np.float32)
    kernel.launch(1, 64, (out, given, np.int32(5000)))
    kernel.launch(1, 64, (wanted, given, np.int32(5000)), device="reference")
    np.testing.assert_array_equal(out, wanted)
    assert "gather" in "\n".join(kernel.remarks(64))
