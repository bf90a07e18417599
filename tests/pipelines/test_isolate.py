# SPDX-License-Identifier: Apache-2.0
import re

import pytest

from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule
from lanewise.pipelines.isolate import isolate_kernel

TEXT = """
target triple = "nvptx64-nvidia-cuda"
module asm "// of no use"
$shared = comdat any
@used = addrspace(1) global i32 0, align 4, !dbg !3
@table = addrspace(1) global [2 x ptr] [ptr @leaf, ptr null], align 8
@unused = addrspace(1) global i32 0, align 4
@shared = linkonce_odr addrspace(1) global i32 1, comdat, align 4
define internal i32 @leaf(i32 %x) #1 !dbg !4 {
  %y = add i32 %x, 1, !dbg !5
  ret i32 %y
}
define i32 @helper(i32 %x) noinline #1 {
  %y = call i32 @leaf(i32 %x)
  ret i32 %y
}
define i32 @unused_helper(i32 %x) {
  ret i32 %x
}
define ptx_kernel void @first(ptr %p) #0 !dbg !4 {
  #dbg_value(ptr %p, !6, !DIExpression(), !5)
  %x = load i32, ptr %p, align 4, !dbg !5, !tbaa !7
  %y = call i32 @helper(i32 %x), !dbg !5
  store i32 %y, ptr addrspace(1) @used, align 4
  store i32 %y, ptr addrspace(1) @shared, align 4
  br label %loop
loop:
  %again = load volatile i1, ptr %p
  br i1 %again, label %loop, label %end, !llvm.loop !8
end:
  ret void
}
define ptx_kernel void @second(ptr %p) #0 {
  store ptr addrspacecast (ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @table, i64 8) to ptr), ptr %p
  ret void
}
attributes #0 = { convergent mustprogress noinline "target-cpu"="sm_80" }
attributes #1 = { "target-cpu"="sm_80" "no-trapping-math"="true" }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!9}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1)
!1 = !DIFile(filename: "k.cu", directory: "/")
!3 = !DIGlobalVariableExpression(var: !10, expr: !DIExpression())
!4 = distinct !DISubprogram(name: "first", unit: !0, file: !1)
!5 = !DILocation(line: 1, scope: !4)
!6 = !DILocalVariable(name: "p", scope: !4)
!7 = !{!11, !11, i64 0}
!8 = distinct !{!8, !5, !12}
!9 = !{i32 2, !"Debug Info Version", i32 3}
!10 = distinct !DIGlobalVariable(name: "used")
!11 = !{!"int", !13, i64 0}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!"root"}
"""


def isolated(symbol: str) -> Module:
    module = read_module(TEXT)
    assert isolate_kernel(module, symbol) is module.function(symbol)
    verify(module)
    return module


def test_only_what_the_kernel_reaches_is_left():
    assert list(isolated("first").symbols) == ["used", "shared", "leaf", "helper", "first"]


def test_callees_are_to_be_inlined_whatever_they_said():
    module = isolated("first")
    helper = module.function("helper")
    assert helper.linkage == "internal"
    assert helper.suffix.split() == ["nounwind", "alwaysinline"]


def test_the_kernel_stays_visible_convergent_and_making_progress():
    kernel = isolated("first").function("first")
    assert kernel.linkage == ""
    assert set(kernel.suffix.split()) == {"nounwind", "mustprogress", "convergent"}


def test_debug_information_but_lines_and_target_attributes_go():
    text = write_module(isolated("first"))
    for word in ("DILocalVariable", "DIGlobalVariable", "#dbg_value", 'k.cu", directory: "/'):
        assert word not in text, word
    assert "sm_80" not in text.split("attributes #")[0]
    assert "comdat" not in text
    assert "module asm" not in text


def test_metadata_that_matters_stays():
    """Aliasing, and what is said of loops but where in the source they are."""
    text = write_module(isolated("first"))
    assert re.search(r"load i32, ptr %p, align 4, !tbaa !7", text)
    assert "!8 = distinct !{!8, !12}" in text


def test_llvm_takes_what_is_left():
    for symbol in ("first", "second"):
        LlvmModule.parse(write_module(isolated(symbol)))


def test_an_unknown_kernel():
    with pytest.raises(KeyError, match="third"):
        isolate_kernel(read_module(TEXT), "third")
