# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/llvm/test_module.py"""

import gc
import subprocess
import sys

import pytest

from lanewise.llvm import LlvmError, LlvmModule, Machine, run_passes, verify

KERNEL = """
target triple = "nvptx64-nvidia-cuda"
$f = comdat any
define linkonce_odr i32 @f(i32 %x) comdat {
  %y = add i32 %x, 1
  ret i32 %y
}
define i32 @g(i32 %x) noinline {
  ret i32 %x
}
declare i32 @h(i32)
define ptx_kernel void @k(ptr %p) {
  %v = load i32, ptr %p
  %w = call i32 @f(i32 %v)
  %u = call i32 @g(i32 %w)
  %t = call i32 @h(i32 %u)
  store i32 %t, ptr %p
  ret void
}
"""


def test_nothing_is_loaded_before_first_use():
    code = "import sys, lanewise.llvm; print('llvmlite' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_text_reads_back():
    text = LlvmModule.parse(KERNEL).text()
    assert LlvmModule.parse(text).text() == text


def test_a_syntax_error_names_line_and_column():
    with pytest.raises(LlvmError, match=r":2:\d+: error: value doesn't match function result type 'i32'"):
        LlvmModule.parse("define i32 @f() {\n  ret float 0.0\n}")


def test_a_broken_rule_names_the_instruction():
    with pytest.raises(LlvmError, match=r"Instruction does not dominate all uses!\s+%y = add i32 1, 1"):
        verify("define i32 @f() {\n  %x = add i32 %y, 1\n  %y = add i32 1, 1\n  ret i32 %x\n}")


def test_every_broken_rule_is_reported():
    twice = "".join(
        f"define i32 @f{i}() {{\n  %x = add i32 %y{i}, 1\n  %y{i} = add i32 1, 1\n  ret i32 %x\n}}\n" for i in "12"
    )
    with pytest.raises(LlvmError) as caught:
        verify(twice)
    assert "%y1" in str(caught.value)
    assert "%y2" in str(caught.value)


def test_functions_in_order():
    functions = LlvmModule.parse(KERNEL).functions()
    assert functions == [
        ("f", False, "linkonce_odr", ()),
        ("g", False, "external", ("noinline",)),
        ("h", True, "external", ()),
        ("k", False, "external", ()),
    ]


def test_modules_in_reference_cycles_are_collected():
    """A module must go before its context, in whatever order the garbage collector finds them."""

    class Cycle:
        def __init__(self):
            self.module = LlvmModule.parse(KERNEL)
            self.itself = self

    for _ in range(20):
        Cycle()
    gc.collect()


def test_inlined_and_internal_functions_go():
    module = LlvmModule.parse(KERNEL)
    module.set_internal("f")
    assert module.always_inline("f")
    run_passes(module, ["always-inline", "globaldce"], Machine.nvptx("sm_80", 78))
    text = module.text()
    assert "@f" not in text
    assert "define ptx_kernel void @k" in text


def test_noinline_is_left_as_it_is():
    module = LlvmModule.parse(KERNEL)
    assert not module.always_inline("g")
    assert [f.attributes for f in module.functions() if f.name == "g"] == [("noinline",)]
    module.verify()


def test_edits_need_a_definition():
    module = LlvmModule.parse(KERNEL)
    with pytest.raises(KeyError, match="no function 'nowhere'"):
        module.set_internal("nowhere")
    with pytest.raises(ValueError, match="'h' is declared, not defined"):
        module.always_inline("h")
