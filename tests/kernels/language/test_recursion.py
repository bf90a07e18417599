# SPDX-License-Identifier: Apache-2.0
"""A function that calls itself can't be inlined away: the reference device runs it, the CPU says that it can't."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void numbers(int *out) { out[threadIdx.x] = fibonacci(threadIdx.x); }
"""


def test_reference_device_runs_it():
    out = np.zeros(10, np.int32)
    lw.compile(SOURCE, language="cuda")["numbers"].launch(1, 10, (out,), device=lw.device("reference"))
    assert out.tolist() == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]


def test_cpu_refuses_it_by_name():
    kernel = lw.compile(SOURCE, language="cuda")["numbers"]
    with pytest.raises(lw.CompileError, match="fibonacci"):
        kernel.launch(1, 10, (np.zeros(10, np.int32),), device=lw.device("cpu"))
