# SPDX-License-Identifier: Apache-2.0
"""Labels as values become numbers, and branches to them switches."""

from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule
from lanewise.passes import lower_computed_goto

TEXT = """
target triple = "nvptx64-nvidia-cuda"
@labels = internal constant [2 x ptr] [ptr blockaddress(@f, %a), ptr blockaddress(@f, %"b c")]
define i32 @f(ptr %p, i1 %c) {
entry:
  %q = select i1 %c, ptr %p, ptr blockaddress(@f, %a)
  indirectbr ptr %q, [label %a, label %"b c"]
a:
  ret i32 1
"b c":
  ret i32 2
}
"""


def without_computed_goto(text: str) -> str:
    module = read_module(text)
    assert lower_computed_goto.run(module)
    verify(module)
    assert not lower_computed_goto.run(module)
    return write_module(module)


def test_before_and_after():
    text = without_computed_goto(TEXT)
    assert "indirectbr" not in text
    assert "blockaddress" not in text
    assert "[ptr inttoptr (i64 2 to ptr), ptr inttoptr (i64 3 to ptr)]" in text
    assert "select i1 %c, ptr %p, ptr inttoptr (i64 2 to ptr)" in text
    assert "switch i64 %0, label %nowhere [" in text
    LlvmModule.parse(text)
    verify(read_module(text))


def test_labels_without_names():
    text = """
define i32 @f(i1 %0) {
  %2 = select i1 %0, ptr blockaddress(@f, %3), ptr blockaddress(@f, %4)
  indirectbr ptr %2, [label %3, label %4]
3:
  ret i32 1
4:
  ret i32 2
}
"""
    after = without_computed_goto(text)
    assert "select i1 %0, ptr inttoptr (i64 2 to ptr), ptr inttoptr (i64 3 to ptr)" in after
    LlvmModule.parse(after)


def test_other_modules_are_left_as_they_are():
    text = "define void @f() {\n  ret void\n}\n"
    module = read_module(text)
    before = write_module(module)
    assert not lower_computed_goto.run(module)
    assert write_module(module) == before


def test_the_front_end_of_cuda_runs_it():
    source = "__global__ void k(int *p) { void *t[] = {&&a, &&b}; goto *t[*p]; a: *p = 1; b: *p += 2; }"
    made = compile_cuda(Source(source), CudaOptions())
    assert "switch i64" in made.text
    assert "indirectbr" not in made.text + write_module(made.module)
