# SPDX-License-Identifier: Apache-2.0
"""Failures of kernels that were compiled with `-g` name the line, on the CPU as on the reference device."""

from typing import Any

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__device__ float pick(const float *p, int i) {
    return p[i];                                      // line 3
}
__global__ void reads(float *out, const float *p, int n) {
    out[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == n) out[threadIdx.x] = pick(p, threadIdx.x);
}
__global__ void traps(float *out, const float *p, int n) {
    if (threadIdx.x == n)
        __trap();                                     // line 12
}
__device__ __noinline__ float deep(const float *p, int n) {
    return n ? deep(p, n - 1) + 1 : *p;               // line 15
}
__global__ void recurses(float *out, const float *p, int n) { *out = deep(p, n); }
__global__ void spins(float *out, const float *p, int n) {
    while (n) atomicAdd(out, 1.0f);                   // line 19
}
"""


def failure(kernel: str, options: tuple[str, ...], **launch: Any) -> str:
    module = lw.compile(SOURCE, language="cuda", options=options)
    with pytest.raises(lw.LaunchError) as caught:
        module[kernel].launch(2, 64, (np.zeros(64, np.float32), None, 37), **launch)
    return str(caught.value)


@pytest.mark.parametrize(
    ("kernel", "thread", "line"),
    [("reads", "(37, 0, 0)", "<source>:3"), ("traps", "(37, 0, 0)", "<source>:12"), ("recurses", "", "<source>:15")],
)
@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_the_line_and_the_thread(kernel: str, thread: str, line: str, device: str):
    message = failure(kernel, ("-g",), device=device)
    assert f"thread {thread}" in message
    assert line in message


def test_an_endless_loop_says_where():
    message = failure("spins", ("-g",), timeout=0.2, device="cpu")
    assert "its timeout of 0.2 s" in message
    assert "<source>:19 (spins)" in message


def test_without_debugging_the_cpu_knows_the_line_but_not_the_thread():
    message = failure("reads", (), device="cpu")
    assert "null pointer + 148" in message
    assert "one of the threads (0, 0, 0) to (63, 0, 0), at <source>:3;" in message


def test_results_are_the_same():
    source = """
        __global__ void sum(int *out, const int *in) {
            __shared__ int part[64];
            int t = threadIdx.x;
            part[t] = in[blockIdx.x * 64 + t];
            __syncthreads();
            for (int step = 32; step; step /= 2) {
                if (t < step) part[t] += part[t + step];
                __syncthreads();
            }
            if (t == 0) out[blockIdx.x] = part[0];
        }
    """
    given = np.arange(256, dtype=np.int32)
    out = np.zeros(4, np.int32)
    lw.compile(source, language="cuda", options=["-g"])["sum"][4, 64](out, given)
    assert (out == given.reshape(4, 64).sum(axis=1)).all()
