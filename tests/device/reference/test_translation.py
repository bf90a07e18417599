# SPDX-License-Identifier: Apache-2.0
"""What the Python that runs a kernel looks like."""

from .conftest import Make


def test_a_loop(ir: Make) -> None:
    kernels = ir("""
define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  %i = alloca i32, align 4
  store i32 0, ptr %i, align 4
  br label %loop
loop:
  %before = load i32, ptr %i, align 4
  %after = add nsw i32 %before, 1
  store i32 %after, ptr %i, align 4
  %more = icmp slt i32 %after, %n
  br i1 %more, label %loop, label %done
done:
  store i32 %after, ptr %out, align 4
  ret void
}
""")
    assert (
        kernels.module.python_source("k")
        == """\
def function_0(w, a0, a1):
 at = 0
 for _ in turns:
  if at < 1:
   x2 = unwritten
   x2 = 0
   at = 1
  else:
   v4 = add_nsw_i32(x2, 1)
   x2 = v4
   v5 = icmp_slt_i32(v4, a1)
   if v5:
    at = 1
   else:
    store_0(a0, v4)
    return
 out_of_turns()
"""
    )


def test_a_value_that_is_used_after_its_variable_has_changed_is_copied(ir: Make) -> None:
    kernels = ir("""
define ptx_kernel void @k(ptr %out) {
  %a = alloca i32, align 4
  store i32 1, ptr %a, align 4
  %before = load i32, ptr %a, align 4
  store i32 5, ptr %a, align 4
  %after = load i32, ptr %a, align 4
  %wide = sext i32 %after to i64
  %sum = add nsw i32 %before, %after
  %wide.sum = sext i32 %sum to i64
  store i32 7, ptr %a, align 4
  store i64 %wide.sum, ptr %out, align 8
  store i64 %wide, ptr %out, align 8
  ret void
}
""")
    assert (
        kernels.module.python_source("k")
        == """\
def function_0(w, a0):
 x1 = unwritten
 x1 = 1
 v2 = x1
 x1 = 5
 v4 = x1
 v5 = add_nsw_i32(v2, x1)
 x1 = 7
 store_0(a0, v5)
 store_1(a0, v4)
 return
"""
    )


def test_a_variable_whose_address_is_taken_has_memory(ir: Make) -> None:
    source = ir("""
define void @f(ptr %p) {
  store i32 1, ptr %p, align 4
  ret void
}
define ptx_kernel void @k() {
  %x = alloca i32, align 4
  call void @f(ptr %x)
  ret void
}
""").module.python_source("k")
    assert (
        source
        == """\
def function_0(w):
 depth = w.private.depth()
 v0 = w.private.allocate("variable 'x'", 4, 4)
 function_1(w, v0)
 w.private.leave(depth)
 return
def function_1(w, a0):
 store_0(a0, 1)
 return
"""
    )


def test_what_waits_is_a_generator(ir: Make) -> None:
    source = ir("""
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define i32 @waits(i32 %n) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret i32 %n
}
define ptx_kernel void @k(ptr %p) {
  %r = call i32 @waits(i32 7)
  store i32 %r, ptr %p, align 4
  ret void
}
""").module.python_source("k")
    assert (
        source
        == """\
def function_0(w, a0):
 if False: yield
 v1 = yield from function_1(w, 7)
 store_0(a0, v1)
 return
def function_1(w, a0):
 if False: yield
 yield 'barrier.cta.sync.aligned.all', (0, )
 return a0
"""
    )


def test_a_read_of_shared_memory_and_its_check_for_races_are_two_lines(ir: Make) -> None:
    kernels = ir("""
@s = internal addrspace(3) global [4 x i32] undef, align 4
define ptx_kernel void @k(ptr %p, ptr %out) {
  %known = load i32, ptr addrspacecast (ptr addrspace(3) @s to ptr), align 4
  %any = load i32, ptr %p, align 4
  ret void
}
""")
    assert (
        kernels.module.python_source("k")
        == """\
def function_0(w, a0, a1):
 v2 = load_0(1152921504606846976)
 read_1(w, 1152921504606846976)
 v3 = load_2(a0)
 if a0 >> 60 == 1: read_3(w, a0)
 return
"""
    )
