# SPDX-License-Identifier: Apache-2.0
"""Variables with internal linkage: what the host writes to them, kernels see, whatever their initial values are."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
static __constant__ float weights[4];
static __device__ int offset = 5;
__global__ void weigh(float *y) { y[threadIdx.x] = weights[threadIdx.x] + offset; }
__global__ void advance() { offset += 2; }
"""


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_initial_values_are_not_folded_into_kernels(device: str):
    module = lw.compile(SOURCE, language="cuda")
    y = np.zeros(4, np.float32)
    module["weigh"].launch(1, 4, (y,), device=device)
    assert y.tolist() == [5, 5, 5, 5]
    module.variable("weights", device).write([1, 2, 3, 4])
    module["advance"].launch(1, 1, (), device=device)
    module["weigh"].launch(1, 4, (y,), device=device)
    assert y.tolist() == [8, 9, 10, 11]
