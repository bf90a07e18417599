# SPDX-License-Identifier: Apache-2.0
"""The CPU's pipeline as a whole, and what LLVM's simplification leaves."""

import pytest

from lanewise.ir.loops import find_loops
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.pipelines.cpu import compile_for_cpu, simplified_for_cpu, simplify
from lanewise.workgroup.launch_assumptions import ALL, LaunchAssumptions

KERNEL = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
define internal i32 @scaled(ptr %x) alwaysinline {
  %v = load i32, ptr %x
  %r = mul i32 %v, 3
  ret i32 %r
}
define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  %x = alloca i32
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr %x
  %r = call i32 @scaled(ptr %x)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %to
  ret void
}
"""


def test_calls_are_inlined_and_memory_is_in_registers():
    module = read_module(KERNEL)
    module = simplify(module, "k")
    kernel = module.function("k")
    assert [f.symbol for f in module.functions if f.blocks] == ["k"]
    assert not [i for i in kernel.instructions() if i.op in ("alloca", "load")]


def test_barriers_are_neither_cloned_nor_dropped():
    loop = KERNEL.replace(
        "  %to = getelementptr",
        """  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, 4
  br i1 %on, label %loop, label %end
end:
  %to = getelementptr""",
    )
    module = read_module(loop)
    kernel = simplify(module, "k").function("k")
    calls = [i for i in kernel.instructions() if "barrier" in i.callee]
    assert len(calls) in (2, 5)  # 5: the loop of four rounds unrolled, which copies no control dependence
    assert len(find_loops(kernel).loops) == (1 if len(calls) == 2 else 0)


@pytest.mark.parametrize("assumptions", [ALL, LaunchAssumptions(small_grid=False, apart=False)])
@pytest.mark.parametrize("block", [None, (64, 1, 1)])
def test_all_code_of_a_kernel_can_be_made_from_its_simplified_form(
    block: tuple[int, int, int] | None, assumptions: LaunchAssumptions
):
    simplified = simplified_for_cpu(KERNEL, "k")
    assert simplified is not None
    made, expected = (compile_for_cpu(source, "k", block, assumptions) for source in (simplified, KERNEL))
    assert write_module(made.module) == write_module(expected.module)
    assert made.facts == expected.facts


def test_kernels_whose_simplified_form_depends_on_launches_have_none_to_share():
    assert simplified_for_cpu(KERNEL + "!opencl.ocl.version = !{!0}\n!0 = !{i32 3, i32 0}\n", "k") is None
    calls = KERNEL.replace("@scaled(ptr %x) alwaysinline {", "@scaled(ptr %x) {\n  call i32 @scaled(ptr %x)")
    assert simplified_for_cpu(calls, "k") is None


RETURN_THROUGH_A_FLAG = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %leaves = icmp eq i32 %t, %i
  br i1 %leaves, label %cleanup, label %stay
stay:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %cleanup
cleanup:
  %flag = phi i32 [ 1, %loop ], [ 0, %stay ]
  switch i32 %flag, label %behind [ i32 0, label %again ]
again:
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, %n
  br i1 %on, label %loop, label %behind
behind:
  %which = phi i32 [ %flag, %cleanup ], [ 2, %again ]
  %done = icmp eq i32 %which, 2
  br i1 %done, label %more, label %end
more:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 1, ptr %to
  br label %end
end:
  ret void
}
"""


def test_an_early_return_through_a_flag_gets_a_way_of_its_own():
    """As clang writes a return out of a scope with variables. Who returns must not seem to meet the last barrier."""
    function = compile_for_cpu(RETURN_THROUGH_A_FLAG, "k", (32, 1, 1))
    for region in function.regions.splitlines():
        others = [d for d in region.split(" -> ")[1].removesuffix(", partial").split(", ") if d != "the end"]
        assert len(others) <= 1, function.regions
