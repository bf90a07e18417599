# SPDX-License-Identifier: Apache-2.0
"""Branches, loops, switches, phis, calls."""

import numpy as np
import pytest

from lanewise.errors import CompileError, LaunchError

from .conftest import Make


def test_phis_are_assigned_at_once(ir: Make) -> None:
    kernels = ir("""
define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  store i32 %a, ptr %out, align 4
  ret void
}
""")
    out = np.zeros(1, np.int32)
    for n, wanted in ((1, 1), (2, 2), (3, 1)):
        kernels("k", out, n)
        assert out[0] == wanted


def test_phis_that_tell_predecessors_apart(ir: Make) -> None:
    kernels = ir("""
define ptx_kernel void @k(ptr %out, i32 %n) {
  switch i32 %n, label %other [
    i32 1, label %join
    i32 2, label %join
    i32 -3, label %third
  ]
third:
  br label %join
other:
  br label %join
join:
  %r = phi i32 [ 12, %0 ], [ 12, %0 ], [ 3, %third ], [ 99, %other ]
  store i32 %r, ptr %out, align 4
  ret void
}
""")
    out = np.zeros(1, np.int32)
    for n, wanted in ((1, 12), (2, 12), (-3, 3), (7, 99)):
        kernels("k", out, n)
        assert out[0] == wanted


def test_a_switch_without_cases(ir: Make) -> None:
    out = np.zeros(1, np.int32)
    ir("""
define ptx_kernel void @k(ptr %out) {
  switch i32 3, label %only [ ]
only:
  store i32 1, ptr %out, align 4
  ret void
}
""")("k", out)
    assert out[0] == 1


def test_many_blocks_one_after_the_other(ir: Make) -> None:
    count = 400
    blocks = "".join(
        f"b{i}:\n  %v{i} = add i32 {f'%v{i - 1}' if i else '%n'}, {i}\n  br label %b{i + 1}\n" for i in range(count)
    )
    out = np.zeros(1, np.int32)
    kernels = ir(
        f"define ptx_kernel void @k(ptr %out, i32 %n) {{\n  br label %b0\n{blocks}b{count}:\n"
        f"  store i32 %v{count - 1}, ptr %out, align 4\n  ret void\n}}\n"
    )
    kernels("k", out, 5)
    assert out[0] == 5 + count * (count - 1) // 2


def test_branches_nested_deeply(cuda: Make) -> None:
    depth = 40
    source = "__global__ void k(int *out, int n) {\n" + "".join(
        f"if (n > {i}) {{ out[0] = {i};\n" for i in range(depth)
    )
    out = np.zeros(1, np.int32)
    cuda(source + "}" * depth + "}")("k", out, 33)
    assert out[0] == 32


def test_goto_into_and_out_of_loops(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out, int n) {
    int i = 0, sum = 0;
    if (n < 0) goto inside;
    while (i < n) {
inside:
        sum += ++i;
        if (sum > 20) goto done;
    }
    sum = -sum;
done:
    out[0] = sum;
}
""")
    out = np.zeros(1, np.int32)
    for n, wanted in ((3, -6), (10, 21), (-1, -1)):
        kernels("k", out, n)
        assert out[0] == wanted


def test_recursion(cuda: Make) -> None:
    kernels = cuda("""
__device__ int fibonacci(int n) { int own[2] = {n, 0}; return n < 2 ? own[0] : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void k(int *out, int n) { out[0] = fibonacci(n); }
""")
    out = np.zeros(1, np.int32)
    kernels("k", out, 12)
    assert out[0] == 144


def test_endless_recursion(cuda: Make) -> None:
    kernels = cuda("""
__device__ int deep(int n) { return n == 0 ? 0 : 1 + deep(n + 2); }
__global__ void k(int *out, int n) { out[0] = deep(1); }
""")
    with pytest.raises(LaunchError, match=r"^<source>:1: .* calls too deep"):
        kernels("k", np.zeros(1, np.int32), 1)


def test_an_endless_loop(cuda: Make) -> None:
    kernels = cuda(
        """
__global__ void k(volatile int *flag) {
    while (*flag == 0) {}
}
""",
        turn_limit=10_000,
    )
    with pytest.raises(LaunchError, match=r"kernel k, .* still running after 10000 jumps .* an endless loop"):
        kernels("k", np.zeros(1, np.int32))
    kernels("k", np.ones(1, np.int32))


def test_virtual_functions(cuda: Make) -> None:
    kernels = cuda("""
struct Shape { __device__ virtual int area() const { return 0; } };
struct Square : Shape {
    int side;
    __device__ Square(int s) : side(s) {}
    __device__ int area() const override { return side * side; }
};
struct Strip : Shape {
    int length;
    __device__ Strip(int l) : length(l) {}
    __device__ int area() const override { return length; }
};
__global__ void k(int *out) {
    Square square(5);
    Strip strip(7);
    const Shape *shapes[2] = {&square, &strip};
    for (int i = 0; i < 2; i++) out[i] = shapes[i]->area();
}
""")
    out = np.zeros(2, np.int32)
    kernels("k", out)
    assert out.tolist() == [25, 7]


def test_a_call_of_no_function(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out, long long address) {
    out[0] = reinterpret_cast<int (*)(int)>(address)(1);
}
""")
    with pytest.raises(LaunchError, match=r"^<source>:2: .* a call of the function at 0x10, where there is none"):
        kernels("k", np.zeros(1, np.int32), 16)


def test_trap_and_exit(cuda: Make) -> None:
    kernels = cuda("""
__device__ void leave() { __nvvm_exit(); }
__global__ void ends(int *out) {
    out[threadIdx.x] = 1;
    if (threadIdx.x < 2) leave();
    __syncthreads();
    out[threadIdx.x] = 2;
}
__global__ void k(int *out) {
    out[0] = 1;
    if (threadIdx.x == 5)
        __trap();
}
""")
    out = np.zeros(8, np.int32)
    kernels("ends", out, block=8)
    assert out.tolist() == [1, 1] + [2] * 6
    with pytest.raises(LaunchError, match=r"^<source>:11: kernel k, block \(0, 0, 0\), thread \(5, 0, 0\): a trap"):
        kernels("k", out, block=8)


def test_an_unknown_function(cuda: Make) -> None:
    kernels = cuda("""
extern "C" __device__ int nobody_defines(int);
__global__ void k(int *out) { out[0] = nobody_defines(1); }
__global__ void other(int *out) { out[0] = 1; }
""")
    with pytest.raises(CompileError, match=r"^<source>:2: error: nothing defines the function 'nobody_defines'"):
        kernels("k", np.zeros(1, np.int32))
    kernels("other", np.zeros(1, np.int32))


def test_an_unknown_intrinsic(ir: Make) -> None:
    kernels = ir("""
declare i32 @llvm.nvvm.made.up(i32)
define ptx_kernel void @k(ptr %out) {
  %r = call i32 @llvm.nvvm.made.up(i32 1)
  store i32 %r, ptr %out
  ret void
}
""")
    with pytest.raises(CompileError, match=r"llvm\.nvvm\.made\.up"):
        kernels("k", np.zeros(1, np.int32))


def test_inline_assembly(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    asm("setmaxnreg.inc.sync.aligned.u32 64;");
}
""")
    with pytest.raises(CompileError, match=r"^<source>:2: error: inline assembly \(.*setmaxnreg.*\) can't run on the"):
        kernels("k", np.zeros(1, np.int32))
