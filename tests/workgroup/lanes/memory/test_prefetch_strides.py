# SPDX-License-Identifier: Apache-2.0
"""Prefetches for later iterations of loops by a stride: of which loads, up to where, and that nothing else changes."""

import re

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
#define LOOP for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
__global__ void roots(double *out, const double *in, int n) { LOOP out[i] = sqrt(in[i]); }
__global__ void wide(double *out, const double *in, long n) {
    long stride = (long)gridDim.x * blockDim.x;
    for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[i] = sqrt(in[i]);
}
__global__ void downwards(float *out, const float *in, int n, int stride) {
    for (int i = n - 256 + threadIdx.x; i >= 0; i -= stride) out[i] = in[i] + 1;
}
__global__ void neighbours(float *out, const float *in, int n) { LOOP out[i] = in[i] + in[i + 1] + in[i + 100]; }
__global__ void by_a_constant(float *out, const float *in, int n) {
    for (int i = threadIdx.x; i < n; i += 256) out[i] = in[i] + 1;
}
__global__ void gathered(float *out, const float *in, const int *at, int n) { LOOP out[i] = in[at[i]]; }
__global__ void until_negative(float *out, const float *in, int stride) {
    for (int i = threadIdx.x; in[i] >= 0; i += stride) out[i] = in[i];
}
__global__ void in_shared_memory(float *out, int n, int stride) {
    __shared__ float tile[1024];
    for (int i = threadIdx.x; i < 1024; i += stride) tile[i] = i;
    __syncthreads();
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += stride) sum += tile[i];
    out[threadIdx.x] = sum;
}
"""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda", mapping="lanes:16x2")


def prefetches(module: lw.Module, kernel: str) -> int:
    return module.ir("work-group", kernel, block=256).count("call void @llvm.prefetch")


@pytest.mark.parametrize(("kernel", "lines"), [("roots", 4), ("wide", 4), ("neighbours", 4), ("gathered", 2)])
def test_each_line_of_a_load_is_prefetched(module: lw.Module, kernel: str, lines: int):
    assert prefetches(module, kernel) == lines


@pytest.mark.parametrize("kernel", ["by_a_constant", "until_negative", "in_shared_memory"])
def test_nothing_is_prefetched(module: lw.Module, kernel: str):
    assert prefetches(module, kernel) == 0


def test_not_past_the_bound(module: lw.Module):
    text = module.ir("work-group", "wide", block=256)
    ahead, inside = re.findall(r"(%[\w.]+) = mul i64 %[\w.]+, 6\n.*\n\s+(%[\w.]+) = icmp slt i64 %[\w.]+, %n\n", text)[
        0
    ]
    assert re.search(rf"select i1 {re.escape(inside)}, i64 {re.escape(ahead)}, i64 0", text)


@pytest.mark.parametrize("n", [5, 4096, 10_001])
def test_values(module: lw.Module, n: int):
    data = np.random.default_rng(n).random(n + 100)
    for kernel in ("roots", "wide"):
        out = np.zeros_like(data)
        module[kernel][3, 256](out, data, n)
        assert (out[:n] == np.sqrt(data[:n])).all()
        assert not out[n:].any()


def test_values_of_a_loop_that_goes_down(module: lw.Module):
    data = np.arange(4096, dtype=np.float32)
    out = np.zeros_like(data)
    module["downwards"][1, 256](out, data, len(data), 256)
    assert (out == data + 1).all()
