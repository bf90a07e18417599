# SPDX-License-Identifier: Apache-2.0
"""Saved modules whose kernels call functions: through pointers in variables, virtual ones, and recursive ones."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

import lanewise as lw

SOURCE = """
__device__ int offset = 100;
__device__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int plus(int x) { return x + offset; }
__device__ int (*table[2])(int) = {twice, plus};
extern "C" __global__ void by_pointer(int *out) {
    out[threadIdx.x] = table[threadIdx.x % 2](threadIdx.x);
}

struct Shape { __device__ virtual int area(int x) = 0; };
struct Square : Shape { __device__ int area(int x) override { return x * x; } };
struct Strip : Shape {
    int width;
    __device__ Strip(int width) : width(width) {}
    __device__ int area(int x) override { return x * width; }
};
extern "C" __global__ void by_table(int *out) {
    Square square;
    Strip strip(7);
    Shape *shape = threadIdx.x & 1 ? static_cast<Shape *>(&square) : &strip;
    __syncthreads();
    out[threadIdx.x] = shape->area(threadIdx.x);
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void recursive(int *out) { out[threadIdx.x] = fibonacci(threadIdx.x % 16); }
"""


def test_functions_come_along_and_each_copy_has_its_own_variables(
    tmp_path: Path, compile_cuda: Callable[[str], lw.Module]
):
    path = tmp_path / "k.lwo"
    compile_cuda(SOURCE).save(path, ir=False)
    one, other = lw.load(path), lw.load(path)
    other.variable("offset").write(1000)
    item, fibonacci = np.arange(40), [0, 1]
    while len(fibonacci) < 16:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    for _ in range(2):
        for module, offset in ((one, 100), (other, 1000)):
            wanted = {
                "by_pointer": np.where(item % 2, item + offset, 2 * item),
                "by_table": np.where(item % 2, item * item, 7 * item),
                "recursive": np.array(fibonacci)[item % 16],
            }
            for kernel, values in wanted.items():
                out = np.zeros(40, np.int32)
                module[kernel][1, 40](out)
                assert (out == values).all(), kernel
