# SPDX-License-Identifier: Apache-2.0
"""split-inductions in whole kernels: nested loops, whose inner counters start at outer ones.

The examples of the pass itself are in `split_inductions/`.
"""

import numpy as np
import pytest

import lanewise as lw

SIDE, SIZE, BATCHES = 8, 16, 3

GEMM = """__global__ void gemm(const float *A, const float *B, float *C, int n, int batches) {
    __shared__ float a[8][8], b[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    const float *first = A + (blockIdx.y * 8 + y) * n + x, *second = B + y * n + blockIdx.x * 8 + x;
    float sum = 0;
    for (int batch = 0; batch < batches; batch++) {
        const float *p = first, *q = second;
        for (int tile = 0; tile < n; tile += 8) {
            a[y][x] = *p;
            b[y][x] = *q;
            __syncthreads();
            for (int i = 0; i < 8; i++)
                sum += a[y][i] * b[i][x];
            __syncthreads();
            p += 8;
            q += 8l * n;
        }
        first += (long)n * n;
        second += (long)n * n;
    }
    C[(blockIdx.y * 8 + y) * n + blockIdx.x * 8 + x] = sum;
}"""

INDICES = """kernel void indices(global const float *p, global float *out, int n, int m, int outer, int inner) {
    local float t[32];
    int x = get_local_id(0), first = x * 3 % 11;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        int i = first;
        for (int j = 0; j < m; j++) {
            t[x] = p[x + i];
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += t[(x + 7) % 32] * (j + 1);
            barrier(CLK_LOCAL_MEM_FENCE);
            i += inner;
        }
        first += outer;
    }
    out[get_global_id(0)] = sum;
}"""

DEVICES = ["cpu", "reference"]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("mapping", ["auto", "loop", "lanes:8x1"])
def test_matrices_in_batches_are_multiplied_in_tiles(device: str, mapping: str):
    random = np.random.default_rng(1)
    a, b = random.integers(0, 9, (2, BATCHES, SIZE, SIZE)).astype(np.float32)
    c = np.zeros((SIZE, SIZE), np.float32)
    module = lw.compile(GEMM, language="cuda", mapping=mapping)
    grid, block = (SIZE // SIDE, SIZE // SIDE), (SIDE, SIDE)
    module["gemm"].launch(grid, block, (a, b, c, SIZE, BATCHES), device=device)
    assert (c == (a @ b).sum(axis=0)).all()


@pytest.mark.parametrize("mapping", ["auto", "loop", "lanes:8x1"])
def test_an_index_starts_at_that_of_the_outer_loop(mapping: str):
    p = np.random.default_rng(2).integers(0, 9, 300).astype(np.float32)
    module = lw.compile(INDICES, language="opencl", mapping=mapping)
    found = {device: np.zeros(64, np.float32) for device in DEVICES}
    for device, out in found.items():
        module["indices"].ndrange((64,), (32,), device=device)(p, out, 4, 3, 50, 9)
    assert found["cpu"].any()
    assert (found["cpu"] == found["reference"]).all()
