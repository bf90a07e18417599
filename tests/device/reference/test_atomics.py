# SPDX-License-Identifier: Apache-2.0
"""Atomic read-modify-write: every operation, and what concurrent work-items see."""

from typing import Any

import numpy as np
import pytest

from lanewise.errors import LaunchError

from .conftest import Make


def update(ir: Make, operation: str, type_: str, old: Any, operand: Any) -> tuple[Any, Any]:
    """(what memory holds afterwards, what the operation gave)"""
    numpy_type = {"i32": np.int32, "i64": np.int64, "float": np.float32, "double": np.float64}[type_]
    memory, out = np.array([old], numpy_type), np.zeros(1, numpy_type)
    align = memory.itemsize
    ir(f"""
define ptx_kernel void @k(ptr %p, {type_} %v, ptr %out) {{
  %old = atomicrmw {operation} ptr %p, {type_} %v monotonic, align {align}
  store {type_} %old, ptr %out, align {align}
  ret void
}}
""")("k", memory, operand, out)
    return memory[0].item(), out[0].item()


@pytest.mark.parametrize(
    ("operation", "type_", "old", "operand", "new"),
    [
        ("xchg", "i32", 5, 7, 7),
        ("add", "i32", 2**31 - 1, 1, -(2**31)),
        ("sub", "i64", 5, 7, -2),
        ("and", "i32", 12, 10, 8),
        ("nand", "i32", 12, 10, ~8),
        ("or", "i32", 12, 10, 14),
        ("xor", "i32", 12, 10, 6),
        ("max", "i32", -5, 3, 3),
        ("min", "i32", -5, 3, -5),
        ("umax", "i32", -5, 3, -5),
        ("umin", "i64", -5, 3, 3),
        ("fadd", "float", 0.1, 0.2, float(np.float32(0.1) + np.float32(0.2))),
        ("fsub", "double", 1.5, 0.25, 1.25),
        ("fmax", "float", 1.0, float("nan"), 1.0),
        ("fmin", "double", 1.0, -2.0, -2.0),
        ("uinc_wrap", "i32", 3, 5, 4),
        ("uinc_wrap", "i32", 5, 5, 0),
        ("uinc_wrap", "i32", -1, 5, 0),
        ("udec_wrap", "i32", 0, 5, 5),
        ("udec_wrap", "i32", 9, 5, 5),
        ("udec_wrap", "i32", 3, 5, 2),
        ("usub_cond", "i32", 3, 5, 3),
        ("usub_cond", "i32", 8, 5, 3),
        ("usub_sat", "i32", 3, 5, 0),
    ],
)
def test_operations(ir: Make, operation: str, type_: str, old: Any, operand: Any, new: Any) -> None:
    found, given = update(ir, operation, type_, old, operand)
    assert found == new
    assert given == (float(np.float32(old)) if type_ == "float" else old)


def test_compare_and_exchange(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(unsigned *p, unsigned *out) {
    out[0] = atomicCAS(p, 5u, 9u);
    out[1] = atomicCAS(p, 5u, 11u);
}
__global__ void lock_free_maximum(float *p, const float *in) {
    int *bits = reinterpret_cast<int *>(p);
    int seen = *bits;
    while (__int_as_float(seen) < in[threadIdx.x]) {
        int before = seen;
        seen = atomicCAS(bits, before, __float_as_int(in[threadIdx.x]));
        if (seen == before) break;
    }
}
""")
    p, out = np.array([5], np.uint32), np.zeros(2, np.uint32)
    kernels("k", p, out)
    assert (p.tolist(), out.tolist()) == ([9], [5, 9])
    largest, values = np.zeros(1, np.float32), np.random.default_rng(1).random(64, np.float32)
    kernels("lock_free_maximum", largest, values, block=64)
    assert largest[0] == values.max()


def test_a_histogram_in_shared_memory(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *counts, const unsigned char *in, int n) {
    __shared__ int own[16];
    if (threadIdx.x < 16) own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i] % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
""")
    values = np.random.default_rng(2).integers(0, 256, 1000, np.uint8)
    counts = np.zeros(16, np.int32)
    kernels("k", counts, values, values.size, grid=(3, 1, 1), block=64)
    assert counts.tolist() == np.bincount(values % 16, minlength=16).tolist()


def test_atomics_are_checked_as_stores_are(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *p) {
    atomicAdd(p + 3, 1);
}
""")
    with pytest.raises(LaunchError, match=r"^<source>:2: .* past the end of argument 'p'"):
        kernels("k", np.zeros(3, np.int32))
