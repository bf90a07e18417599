# SPDX-License-Identifier: Apache-2.0
"""Kernel IR on which LLVM ends the process: python -m pytest tests/program/test_foreign_ir.py"""

import numpy as np
import pytest

import lanewise as lw
from lanewise.program.source.compilation import compile_source
from lanewise.session import Session

HEAD = 'target triple = "nvptx64-nvidia-cuda"\n'

NO_SUCH_FLOAT = (
    HEAD
    + """
define ptx_kernel void @k(ptr %p) {
  %a = load ppc_fp128, ptr %p
  %b = fdiv ppc_fp128 %a, %a
  store ppc_fp128 %b, ptr %p
  ret void
}
"""
)

NO_SUCH_REGISTER = (
    HEAD
    + """
define ptx_kernel void @k(ptr %p) {
  call void asm sideeffect "mov $0, 1;", "{zz99}"(i32 1)
  ret void
}
"""
)

WHOLE = (
    HEAD
    + """
define ptx_kernel void @k(ptr %p) {
  store i32 7, ptr %p
  ret void
}
"""
)


def _module(session: Session, text: str) -> lw.Module:
    return compile_source(session, text, language="ir")


def test_code_generation_that_aborts(session: Session):
    module = _module(session, NO_SUCH_FLOAT)
    with pytest.raises(lw.CompileError, match=r"kernel k: LLVM was ended by SIGABRT in code generation: LLVM ERROR: "):
        module["k"][1, 1](np.zeros(4))
    with pytest.raises(lw.CompileError, match=r"LLVM was ended by SIGABRT in code generation: LLVM ERROR: "):
        module.asm()


def test_code_generation_that_exits(session: Session):
    with pytest.raises(lw.CompileError, match=r"PTX: LLVM ended with exit code 1: error: couldn't allocate"):
        _module(session, NO_SUCH_REGISTER).ptx()


def test_what_is_right_runs(session: Session):
    module = _module(session, WHOLE)
    out = np.zeros(1, np.int32)
    module["k"][1, 1](out)
    assert out[0] == 7
    assert "st.global" in module.ptx()
    assert "store i32 7" in module.ir("simplify")


def test_refusals_read_as_ever(session: Session):
    text = WHOLE.replace("store i32 7, ptr %p", 'call void asm "x", ""()')
    with pytest.raises(lw.CompileError, match=r"^kernel k: inline assembly"):
        _module(session, text)["k"][1, 1](np.zeros(1, np.int32))


def test_code_that_needs_what_the_host_has_not(session: Session):
    text = NO_SUCH_FLOAT.replace("ppc_fp128", "fp128")
    with pytest.raises(lw.CompileError, match=r"^kernel k: its machine code can't be loaded here: .*__divtf3"):
        _module(session, text)["k"][1, 1](np.zeros(4))


def test_our_own_front_end_needs_no_child(session: Session, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lanewise.child.in_child", lambda *_: pytest.fail("started a child"))
    out = np.zeros(1, np.int32)
    compile_source(session, "__global__ void k(int *p) { *p = 3; }", language="cuda")["k"][1, 1](out)
    assert out[0] == 3
