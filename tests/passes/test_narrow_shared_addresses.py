# SPDX-License-Identifier: Apache-2.0
"""Addresses in shared memory that `narrow-shared-addresses` computes: the varying part may be negative."""

import numpy as np

import lanewise as lw

SOURCE = """
extern "C" __global__ void shifted(int *out, int n) {
    __shared__ int line[40];
    int *middle = line + 4;
    for (int k = (int)threadIdx.x - 4; k < n; k += blockDim.x)
        middle[k] = 3 * k;
    __syncthreads();
    out[threadIdx.x] = line[threadIdx.x];
}
"""


def test_the_simulated_gpu_finds_what_is_before_the_middle():
    out = np.zeros(32, np.int32)
    lw.compile(SOURCE, language="cuda")["shifted"].launch(1, 32, (out, 36), device="simt")
    np.testing.assert_array_equal(out, 3 * (np.arange(32) - 4))
