# SPDX-License-Identifier: Apache-2.0
"""Races that the reference device and the CPU tell alike, and those that only the judge tells, blocks in both orders.

The lines of the source that end with `// here` race with each other; nothing else is told."""

from typing import NamedTuple

import numpy as np
import pytest

import lanewise as lw
from lanewise.program.checked.faults import KernelFault

SOURCE = """
#define I int t = threadIdx.x, b = swap ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
#define BARRIER(what, number, count) asm volatile("bar." #what " " #number ", " #count ";" ::: "memory")

__global__ void named_report(int *report, int swap) {
    report[0] = threadIdx.x;  // here
}
__global__ void reversed(int *a, int swap) { I
    __shared__ int s[32];
    s[t] = t;  // here
    a[32 * b + t] = s[31 - t];  // here
}
__global__ void reversed_right(int *a, int swap) { I
    __shared__ int s[32];
    s[t] = t;
    __syncthreads();
    a[32 * b + t] = s[31 - t];
}
__global__ void written_after_arriving(int *a, int swap) { I
    __shared__ int s[32];
    if (t < 32) {
        s[t] = t;
        BARRIER(arrive, 1, 64);
        s[t] = 100 + t;  // here
    } else {
        __syncwarp();
        __syncwarp();
        BARRIER(sync, 1, 64);
        a[t] = s[t - 32];  // here
    }
}
__global__ void read_after_arriving(int *a, int swap) { I
    __shared__ int s[32];
    __syncthreads();
    if (t < 32) {
        s[t] = t;  // here
        BARRIER(sync, 1, 64);
    } else {
        BARRIER(arrive, 1, 64);
        a[t] = s[t - 32];  // here
    }
}
__global__ void read_after_waiting(int *a, int swap) { I
    __shared__ int s[32];
    if (t < 32) {
        s[t] = t;
        BARRIER(arrive, 1, 64);
    } else {
        BARRIER(sync, 1, 64);
        a[t] = s[t - 32];
    }
}
__global__ void read_and_written_twice(int *a, int swap) { I
    if (b == 0 && t == 0) {
        a[5] = a[0];  // here
        a[0] = 1;
    }
    if (b == 1 && t == 0) a[0] = 1;  // here
}
__global__ void loaded_within_the_block(int *a, int swap) { I
    if (b == 0 && t == 0) a[1] = __nv_atomic_load_n(a, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);  // here
    if (b == 1 && t == 0) atomicAdd(a, 1);  // here
}
__global__ void loaded_by_both(int *a, int swap) { I
    if (t == 0) a[1 + b] = __nv_atomic_load_n(a, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
}
__global__ void added_within_and_loaded(int *a, int swap) { I
    if (b == 0 && t == 0) {
        atomicAdd_block(a, 1);  // here
        a[1] = __nv_atomic_load_n(a, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    }
    if (b == 1 && t == 0) a[2] = __nv_atomic_load_n(a, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);  // here
}
__global__ void handed_over_without_a_fence(int *a, int swap) { I
    if (b == 0 && t == 0) {
        a[1] = 7;  // here
        __threadfence();
        atomicExch(a, 1);
    }
    if (b == 1 && t == 0 && atomicAdd(a, 0) == 1) {
        __syncwarp(1);
        a[2] = a[1];  // here
    }
}
__global__ void handed_over_by_barrier(int *a, int swap) { I
    if (b == 0 && t == 0) {
        a[1] = 7;
        __threadfence();
        atomicExch(a, 1);
    }
    if (b == 1) {
        int seen = t == 0 ? atomicAdd(a, 0) : 0;
        __syncthreads();
        if (seen) a[2] = a[1];
    }
}
__global__ void read_volatile_and_handed_on(int *a, int swap) { I
    if (b == 0 && t == 0) {
        a[1] = 7;
        __threadfence();
        atomicExch(a, 1);
    }
    if (b == 1) {
        int seen = t == 0 ? *(volatile int *)a : 0;
        __syncthreads();
        if (seen) a[2] = a[1];
    }
}
__global__ void counted_without_a_fence(int *a, int swap) { I
    a[32 * b + t] = t;  // here
    __syncthreads();
    int last = atomicAdd(a + 100, 1) == gridDim.x * blockDim.x - 1;
    __syncthreads();
    if (last) a[200 + t] = a[t] + a[63 - t];  // here
}
__global__ void locked_without_a_fence(int *a, int swap) { I
    if (t == 0) {
        while (atomicCAS(a, 0, 1) != 0);
        a[1] = a[1] + 2 + b;  // here
        atomicExch(a, 0);
    }
}
__global__ void locked(int *a, int swap) { I
    if (t == 0) {
        while (atomicCAS(a, 0, 1) != 0);
        __threadfence();
        a[1] = a[1] + 2 + b;
        __threadfence();
        atomicExch(a, 0);
    }
}
__global__ void met_in_the_warp(int *a, int swap) { I
    __syncwarp();
    if (t == 0) a[0] = b;  // here
    __syncwarp();
    a[10 + 32 * b + t] = __shfl_sync(~0u, t, 3);
}
__global__ void fenced_for_the_block(int *a, int swap) { I
    if (t == 0) {
        __threadfence_block();
        a[0] = b;  // here
        __threadfence_block();
    }
}
__global__ void two_flags(volatile int *a, int swap) { I
    if (t == 0) {
        __threadfence();
        a[0] = b + 1;  // here
    }
}
__global__ void read_volatile_again(int *a, int swap) { I
    __shared__ int s;
    if (t == 0) {
        a[1] = s;  // here
        a[2] = *(volatile int *)&s;
    }
    if (t == 1) s = 7;  // here
}
__global__ void last_block(int *a, int swap) { I
    __shared__ bool last;
    a[32 * b + t] = t;
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(a + 100, 1) == gridDim.x - 1;
    __syncthreads();
    if (last) a[200 + t] = a[t] + a[63 - t];
}
__global__ void last_block_unfenced(int *a, int swap) { I
    __shared__ bool last;
    if (t == 0) __threadfence();
    a[32 * b + t] = t;  // here
    __syncthreads();
    if (t == 0) last = atomicAdd(a + 100, 1) == gridDim.x - 1;
    __syncthreads();
    if (last) a[200 + t] = a[t] + a[63 - t];  // here
}
__global__ void overlapping(int *a, int swap) { I
    a[31 * b + t] = 1 + t;  // here
}
__global__ void counted(int *a, int swap) { I
    atomicAdd(a, 1);
    __syncthreads();
    if (t == 0) a[10 + b] = 1;
}
"""


class Case(NamedTuple):
    kernel: str
    grid: int = 1
    block: int = 32
    orders: tuple[int, ...] = (0, 1)
    on_cpu: bool = True
    """False where the CPU tells something else."""


CASES = (
    Case("named_report"),
    Case("reversed", grid=2),
    Case("reversed_right", grid=2),
    Case("written_after_arriving", block=64, on_cpu=False),
    Case("read_after_arriving", block=64, on_cpu=False),
    Case("read_after_waiting", block=64),
    Case("read_and_written_twice", grid=2, on_cpu=False),
    Case("loaded_within_the_block", grid=2, on_cpu=False),
    Case("loaded_by_both", grid=2),
    Case("added_within_and_loaded", grid=2, on_cpu=False),
    Case("handed_over_without_a_fence", grid=2, orders=(0,), on_cpu=False),
    Case("handed_over_by_barrier", grid=2),
    Case("read_volatile_and_handed_on", grid=2),
    Case("counted_without_a_fence", grid=2, orders=(0,)),
    Case("locked_without_a_fence", grid=2),
    Case("locked", grid=2),
    Case("met_in_the_warp", grid=2),
    Case("fenced_for_the_block", grid=2),
    Case("two_flags", grid=2, on_cpu=False),
    Case("read_volatile_again"),
    Case("last_block", grid=2),
    Case("last_block_unfenced", grid=2, on_cpu=False),
    Case("overlapping", grid=2),
    Case("counted", grid=2),
)
RUNS = [(case, order) for case in CASES for order in case.orders if order == 0 or case.grid > 1]


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, checked="races")


def told(kernel: lw.Kernel, case: Case, order: int, device: str) -> tuple[KernelFault, ...]:
    try:
        kernel.launch(case.grid, case.block, (np.zeros(512, np.int32), order), device=device)
    except lw.CheckError as error:
        return error.faults
    return ()


def lines_of(faults: tuple[KernelFault, ...]) -> set[int]:
    return {each.line for fault in faults for each in (fault, fault.other) if each is not None}


def marked(kernel: str) -> set[int]:
    """The lines of a kernel that race."""
    lines = SOURCE.splitlines()
    start = next(n for n, text in enumerate(lines) if f" {kernel}(" in text)
    end = lines.index("}", start)
    return {n + 1 for n in range(start, end) if lines[n].endswith("// here")}


@pytest.mark.parametrize(("case", "order"), RUNS, ids=lambda of: of.kernel if isinstance(of, Case) else str(of))
def test_races_are_told_in_both_orders_of_blocks(module: lw.Module, case: Case, order: int) -> None:
    judged = told(module[case.kernel], case, order, "reference")
    assert (lines_of(judged), {fault.kind for fault in judged} - {"race"}) == (marked(case.kernel), set())
    if case.on_cpu:
        found = told(module[case.kernel], case, order, "cpu")
        assert lines_of(found) == lines_of(judged)
        assert {(f.kind, f.object, f.name, f.shape) for f in found} == {
            (f.kind, f.object, f.name, f.shape) for f in judged
        }


OPENCL = """
kernel void equal(global float4 *a, float f) {
    a[0] = (float4)(f, f, f, f);
}
kernel void handed_on(global int *a, local int *s) {
    s[get_local_id(0)] = 1;
    a[get_local_id(0)] = s[31 - get_local_id(0)];
}
"""


@pytest.mark.parametrize(("kernel", "lines"), [("equal", {3}), ("handed_on", {6, 7})])
def test_races_of_opencl_are_told_alike(kernel: str, lines: set[int]) -> None:
    compiled = lw.compile(OPENCL, language="opencl", checked="races")[kernel]
    arguments = (np.zeros((32, 4), np.float32), 2.0) if kernel == "equal" else (np.zeros(32, np.int32), lw.local(128))
    for device in ("cpu", "reference"):
        with pytest.raises(lw.CheckError) as caught:
            compiled.ndrange(32, 32, device=device)(*arguments)
        assert lines_of(caught.value.faults) == lines
