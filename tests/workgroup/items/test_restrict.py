# SPDX-License-Identifier: Apache-2.0
"""`__restrict__` on pointers that work-items exchange values through: it says nothing of what others store."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
extern "C" __global__ void neighbours(int *__restrict__ out, const int *__restrict__ in) {
    int t = threadIdx.x, before = out[t ^ 1];
    __syncthreads();
    out[t] = in[t];
    __syncthreads();
    int after = out[t ^ 1];
    __syncthreads();
    out[t] = after - before;
}
extern "C" __global__ void from_before(int *__restrict__ out, const int *__restrict__ in) {
    int t = threadIdx.x;
    out[t] = 5;
    __syncthreads();
    if (t < blockDim.x - 1) out[t + 1] = in[t];
    __syncthreads();
    int x = out[t];
    __syncthreads();
    out[t] = x + 1;
}
__device__ int turned(int *__restrict__ out, int value) {
    out[threadIdx.x] = value;
    __syncthreads();
    int x = out[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    return x;
}
extern "C" __global__ void in_a_function(int *__restrict__ out, const int *__restrict__ in) {
    out[threadIdx.x] = turned(out, in[threadIdx.x]) + turned(out, 7 * in[threadIdx.x]);
}
extern "C" __global__ void aligned(int *__restrict__ out, const int *__restrict__ in) {
    int t = threadIdx.x, before = out[t];
    __syncthreads();
    if (t == 0) *(int *)__builtin_align_down((char *)(out + 3) + 1, 4) = in[5];
    __syncthreads();
    int after = out[t];
    __syncthreads();
    out[t] = after - before;
}
extern "C" __global__ void by_atomics(int *__restrict__ out, const int *__restrict__ in) {
    int t = threadIdx.x, x = 0;
    if (t == 0) out[1] = 3;
    __syncthreads();
    atomicAdd(&out[1], in[t]);
    __syncthreads();
    if (t == 0) x = out[1];
    __syncthreads();
    if (t != 1) out[t] = x;
}
"""
KERNELS = ("neighbours", "from_before", "in_a_function", "aligned", "by_atomics")


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


@pytest.mark.parametrize("kernel", KERNELS)
def test_barriers_show_what_others_have_stored(module: lw.Module, kernel: str):
    values = np.arange(64, dtype=np.int32) * 3
    out, wanted = np.arange(64, dtype=np.int32) * 7, np.arange(64, dtype=np.int32) * 7
    module[kernel].launch(1, 64, (out, values), device="cpu")
    module[kernel].launch(1, 64, (wanted, values), device="reference")
    assert out.tolist() == wanted.tolist()


def test_ptx_loads_again_behind_a_barrier(module: lw.Module):
    text = module.ptx()
    kernel = text[text.index(".entry neighbours") :]
    kernel = kernel[: kernel.index("ret;")]
    behind = kernel.rpartition("bar")[0].rpartition("bar")[2]
    assert "ld.global" in behind, kernel
