# SPDX-License-Identifier: Apache-2.0
"""Work-items that meet at barriers, and those that never do."""

import numpy as np
import pytest

from lanewise.errors import LaunchError

from .conftest import Make


def test_all_have_written_before_any_reads(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    __shared__ int s[100];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
""")
    out = np.zeros(300, np.int32)
    kernels("k", out, grid=(3, 1, 1), block=100)
    assert out.tolist() == list(range(99, -1, -1)) * 3


def test_those_that_returned_are_not_waited_for(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out, int n) {
    __shared__ int s[64];
    int i = threadIdx.x;
    if (i >= n) return;
    s[i] = i;
    __syncthreads();
    out[i] = s[n - 1 - i];
}
""")
    out = np.full(64, -1, np.int32)
    kernels("k", out, 40, block=64)
    assert out.tolist() == list(range(39, -1, -1)) + [-1] * 24


def test_rounds_in_which_different_ones_leave(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    for (int round = 0; round < 4; round++) {
        if (threadIdx.x % 4 == round) { out[threadIdx.x] = round; return; }
        __syncthreads();
    }
}
""")
    out = np.zeros(16, np.int32)
    kernels("k", out, block=16)
    assert out.tolist() == [0, 1, 2, 3] * 4


def test_counting_barriers(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    int i = threadIdx.x;
    out[3 * i] = __syncthreads_count(i % 3 == 0);
    out[3 * i + 1] = __syncthreads_and(i < 10) != 0;
    out[3 * i + 2] = __syncthreads_or(i == 9) != 0;
}
""")
    out = np.zeros((10, 3), np.int32)
    kernels("k", out, block=10)
    assert out.tolist() == [[4, 1, 1]] * 10


@pytest.mark.parametrize(
    ("name", "result", "predicate"),
    [
        ("barrier0.popc", 2, "i32 %p32"),
        ("barrier0.and", 0, "i32 %p32"),
        ("barrier0.or", 1, "i32 %p32"),
        ("barrier.cta.red.popc.aligned.all", 2, "i32 0, i1 %p"),
        ("barrier.cta.red.and.aligned.all", 0, "i32 0, i1 %p"),
        ("barrier.cta.red.or.aligned.all", 1, "i32 0, i1 %p"),
    ],
)
def test_names_of_counting_barriers(ir: Make, name: str, result: int, predicate: str) -> None:
    of_bit = "red" in name and "popc" not in name
    type_ = "i1" if of_bit else "i32"
    parameters = ", ".join(p.split()[0] for p in predicate.split(", "))
    out = np.zeros(3, np.int32)
    ir(f"""
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare {type_} @llvm.nvvm.{name}({parameters})
define ptx_kernel void @k(ptr %out) {{
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = icmp sgt i32 %i, 0
  %p32 = zext i1 %p to i32
  %r = call {type_} @llvm.nvvm.{name}({predicate})
  {"%w = zext i1 %r to i32" if of_bit else "%w = add i32 %r, 0"}
  %at = getelementptr i32, ptr %out, i32 %i
  store i32 %w, ptr %at, align 4
  ret void
}}
""")("k", out, block=3)
    assert out.tolist() == [result] * 3


def test_a_barrier_in_code_that_only_some_reach(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    if (threadIdx.x < 3)
        __syncthreads();
    out[threadIdx.x] = 1;
    __syncthreads();
}
""")
    with pytest.raises(
        LaunchError,
        match=r"^<source>:3: kernel k, block \(0, 0, 0\), thread \(0, 0, 0\): not all work-items of the group that "
        r"have not returned reach the same barrier: 3 wait for a barrier at <source>:3 \(the first is thread "
        r"\(0, 0, 0\)\); "
        r"5 wait for a barrier at <source>:5 \(the first is thread \(3, 0, 0\)\)$",
    ):
        kernels("k", np.zeros(8, np.int32), block=8)


def test_one_barrier_called_from_two_places_is_two(cuda: Make) -> None:
    kernels = cuda("""
__device__ void wait() { __syncthreads(); }
__global__ void k() {
    if (threadIdx.x == 0)
        wait();
    else
        wait();
}
""")
    with pytest.raises(
        LaunchError, match=r"1 waits for a barrier at <source>:1 .*; 3 wait for a barrier at <source>:1"
    ):
        kernels("k", block=4)


def test_helpers_that_wait_in_loops_and_recursion(cuda: Make) -> None:
    kernels = cuda("""
__shared__ int s[8];
__device__ int rotate(int v) {
    s[threadIdx.x] = v;
    __syncthreads();
    int w = s[(threadIdx.x + 1) % 8];
    __syncthreads();
    return w;
}
__device__ int rotate_by(int v, int n) { return n == 0 ? v : rotate_by(rotate(v), n - 1); }
__global__ void k(int *out, int n) { out[threadIdx.x] = rotate_by(threadIdx.x, n); }
""")
    out = np.zeros(8, np.int32)
    kernels("k", out, 11, block=8)
    assert out.tolist() == [3, 4, 5, 6, 7, 0, 1, 2]


def test_a_barrier_behind_a_function_pointer(cuda: Make) -> None:
    kernels = cuda("""
__shared__ int s[4];
__device__ int waits(int v) { s[threadIdx.x] = v; __syncthreads(); return s[3 - threadIdx.x]; }
__device__ int does_not(int v) { return -v; }
__global__ void k(int *out, int which) {
    int (*chosen)(int) = which ? waits : does_not;
    out[threadIdx.x] = chosen(threadIdx.x);
}
""")
    out = np.zeros(4, np.int32)
    kernels("k", out, 1, block=4)
    assert out.tolist() == [3, 2, 1, 0]
    kernels("k", out, 0, block=4)
    assert out.tolist() == [0, -1, -2, -3]


def test_groups_and_work_items_run_in_order(cuda: Make) -> None:
    kernels = cuda("""
__device__ int next;
__global__ void k(int *out) {
    int group = blockIdx.x + 2 * (blockIdx.y + 2 * blockIdx.z);
    out[atomicAdd(&next, 1)] = 8 * group + threadIdx.x + 2 * (threadIdx.y + 2 * threadIdx.z);
}
""")
    out = np.zeros(64, np.int32)
    kernels("k", out, grid=(2, 2, 2), block=(2, 2, 2))
    assert out.tolist() == list(range(64))
