# SPDX-License-Identifier: Apache-2.0
"""Races beside what orders accesses, and beside what doesn't: python -m pytest tests/checks/test_ordering.py"""

from typing import NamedTuple

import numpy as np
import pytest

import lanewise as lw

CUDA = """
__global__ void counted_before_a_fence(int *a) {
    int t = threadIdx.x;
    atomicAdd(&a[64 + (t & 7)], 1);
    a[t] = blockIdx.x;  // race
    __threadfence();
    atomicAdd(a + 72, 1);
}
__global__ void volatile_in_private_memory(int *a) {
    int t = threadIdx.x;
    volatile float x = t;
    x = x + 1;
    a[t] = blockIdx.x;  // race
    __threadfence();
    if (x > 100) a[64 + t] = x;
}
__global__ void acquired_and_handed_on(int *a) {
    __shared__ int s[32];
    __shared__ volatile int flag;
    int t = threadIdx.x;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t < 32) {
        s[t] = t;
        a[t] = t;
        __syncwarp();
        if (t == 0) {
            __threadfence_block();
            flag = 1;
        }
    } else {
        if (t == 32) {
            while (!flag);
            __threadfence_block();
        }
        __syncwarp();
        a[32 + t] = s[t - 32] + a[t - 32];
    }
}
__global__ void acquired_by_another_warp(int *a) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) s[t] = a[t] = t;  // race
    if (t == 32) __threadfence_block();
    __syncwarp();
    if (t >= 64) a[t] = s[t - 64] + a[t - 64];  // race
}
__global__ void acquired_after_the_warp_met(int *a) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) s[t] = a[t] = t;  // race
    __syncwarp();
    if (t == 32) __threadfence_block();
    if (t == 34) a[t] = s[t - 32] + a[t - 32];  // race
}
__global__ void acquired_before_a_barrier(int *a) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t == 32) __threadfence_block();
    __syncwarp();
    __syncthreads();
    if (t < 32) s[t] = a[t] = t;  // race
    __syncwarp();
    if (t >= 32) a[t] = s[t - 32] + a[t - 32];  // race
}
"""
OPENCL = """
kernel void atomic_in_local_memory(global int *a, local atomic_int *n) {
    int t = get_local_id(0);
    atomic_fetch_add(n, 1);
    a[t] = get_group_id(0);  // race
}
"""


class Case(NamedTuple):
    kernel: str
    grid: int
    block: int
    devices: tuple[str, ...] = ("cpu", "reference")


CASES = (
    Case("counted_before_a_fence", 2, 32),
    Case("volatile_in_private_memory", 2, 32),
    Case("acquired_and_handed_on", 1, 64),
    Case("acquired_by_another_warp", 1, 96),
    Case("acquired_after_the_warp_met", 1, 64),
    Case("acquired_before_a_barrier", 1, 64),
)


def told(kernel: lw.Kernel, grid: int, block: int, arguments: tuple[object, ...], device: str) -> list[int]:
    """The lines of the source that are told."""
    try:
        kernel.launch(grid, block, arguments, device=device)
    except lw.CheckError as error:
        faults = error.faults
        assert {fault.kind for fault in faults} == {"race"}
        return sorted({each.line for fault in faults for each in (fault, fault.other) if each is not None})
    return []


def marked(source: str, kernel: str) -> list[int]:
    """The lines of a kernel that race."""
    lines = source.splitlines()
    start = next(n for n, text in enumerate(lines) if f" {kernel}(" in text)
    return [n + 1 for n in range(start, lines.index("}", start)) if lines[n].endswith("// race")]


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(CUDA, language="cuda", checked="races")


@pytest.mark.parametrize(
    ("case", "device"), [(case, device) for case in CASES for device in case.devices],
    ids=lambda of: of.kernel if isinstance(of, Case) else of,
)  # fmt: skip
def test_races_beside_fences(module: lw.Module, case: Case, device: str) -> None:
    found = told(module[case.kernel], case.grid, case.block, (np.zeros(256, np.int32),), device)
    assert found == marked(CUDA, case.kernel)


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_atomic_operations_in_local_memory_order_no_groups(device: str) -> None:
    compiled = lw.compile(OPENCL, language="opencl", options="-cl-std=CL3.0", checked="races")
    kernel = compiled["atomic_in_local_memory"]
    found = told(kernel, 2, 32, (np.zeros(32, np.int32), lw.local(4)), device)
    assert found == marked(OPENCL, "atomic_in_local_memory")
