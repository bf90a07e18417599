# SPDX-License-Identifier: Apache-2.0
"""Which limits LLVM takes a kernel in OpenCL C to be within."""

from __future__ import annotations

import pytest

import lanewise as lw
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module
from lanewise.pipelines.isolate import isolate_kernel
from lanewise.pipelines.open_cl_limits import (
    LimitOptions,
    has_limits_of_open_cl,
    hide_limits,
    may_count_groups_along_y,
    show_limits,
)

REGISTERS = """
define i32 @f() {
  %a = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y() #0
  ret i32 %b
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
attributes #0 = { nounwind }
!opencl.ocl.version = !{!0}
!0 = !{i32 1, i32 2}
"""


def isolated(text: str, options: str = "") -> Module:
    module = read_module(lw.compile(text, options=options if "kernel" in text else [])._program.linked(fused=True))
    isolate_kernel(module, next(kernel.symbol for kernel in module.kernels))
    return module


def test_registers_are_hidden_and_shown():
    for small, groups in ((True, 65536), (False, -2147483648)):
        module = read_module(REGISTERS)
        assert hide_limits(module, LimitOptions(small))
        verify(module)
        text = write_module(module)
        assert "call range(i32 0, 8192) i32 @llvm.nvvm.read.ptx.sreg.envreg2()" in text
        assert f"tail call range(i32 1, {groups}) i32 @llvm.nvvm.read.ptx.sreg.envreg10() #0" in text
        assert "tid" not in text
        assert show_limits(module)
        assert not show_limits(module)
        assert write_module(module) == write_module(read_module(REGISTERS.replace("call noundef", "call")))


@pytest.mark.parametrize(
    ("expression", "counts"),
    [
        ("get_global_id(0) + get_local_id(1)", False),
        ("get_local_size(1)", True),  # it may be smaller in the last group
        ("get_global_id(0) + get_local_size(0) + get_num_groups(0)", False),
        ("get_group_id(2)", True),
        ("get_group_id(p[0])", True),
        ("get_global_linear_id()", True),
        ("get_work_dim()", True),
        ("get_enqueued_local_size(1)", False),
    ],
)
def test_who_counts_groups_along_y(expression: str, counts: bool):
    module = isolated(f"__kernel void k(__global int *p) {{ p[0] = {expression}; }}", "-cl-std=CL2.0")
    assert has_limits_of_open_cl(module)
    assert may_count_groups_along_y(module) == counts


def test_cuda_has_its_own_limits():
    module = lw.compile("__global__ void k(int *p) { if (threadIdx.x < 1024) p[0] = 1; }")
    assert not has_limits_of_open_cl(read_module(module.ir()))
    assert "icmp" not in module.ir("simplify")
    module = lw.compile("__kernel void k(__global int *p) { if (get_local_id(0) < 1024) p[0] = 1; }")
    assert "icmp" in module.ir("simplify")
    assert "envreg" not in module.ir("simplify")
