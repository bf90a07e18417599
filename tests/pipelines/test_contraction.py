# SPDX-License-Identifier: Apache-2.0
import pytest

from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.pipelines.cpu import stages
from lanewise.pipelines.drive import View
from lanewise.pipelines.gpu import stages as stages_of_ptx
from lanewise.pipelines.out_of_line_functions import compile_out_of_line
from lanewise.pipelines.reference import prepared

HELPER = """
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, float %a, float %b) {
  %r = call contract float @helper(float %a, float %b)
  store float %r, ptr %out, align 4
  ret void
}

define float @helper(float %a, float %b) {
  %m = fmul contract float %a, %b
  %s = fadd contract float %m, %a
  %more = fcmp contract olt float %s, %b
  br i1 %more, label %again, label %done

again:
  %next = call contract float @helper(float %s, float %b)
  ret float %next

done:
  ret float %s
}
"""


@pytest.mark.parametrize("fused", [True, False])
def test_all_functions_are_decided(fused: bool):
    text = write_module(prepared(read_module(HELPER), fused=fused))
    assert "contract" not in text
    assert ("@llvm.fma.f32" in text) is fused


def test_ptx_is_fused():
    view = View("contract-multiply-add", texts=frozenset({"contract-multiply-add"}))
    assert "@llvm.fma.f32" in (stages_of_ptx(HELPER, "sm_80", view=view)[-1].text or "")


@pytest.mark.parametrize("fused", [True, False])
def test_kernels_and_out_of_line_functions_are_decided_as_the_host_needs(fused: bool):
    calls_itself = compile_out_of_line(HELPER, fused).module
    inlined = HELPER.replace("call contract float @helper(float %s, float %b)", "fneg contract float %s")
    isolated = stages(inlined, "k", (1, 1, 1), fused, view=View("isolate", texts=None))[-1].text or ""
    for text in (write_module(calls_itself), isolated):
        assert ("call float @llvm.fma.f32" in text) is fused
        assert ("fmul float" in text) is not fused
        assert "contract" not in text
