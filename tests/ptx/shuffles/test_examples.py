# SPDX-License-Identifier: Apache-2.0
"""Before and After of docstrings in src/lanewise/ptx/shuffles, executed: statements within one kernel."""

import pytest

from lanewise.ptx.language.parser import parse
from lanewise.ptx.shuffles.synthesis import Options, synthesise

from ...excerpts import has_excerpt, lines
from ...passes.test_other_examples import pairs

KERNEL = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 y, .param .u64 x)
{
    .reg .pred %p<3>; .reg .f32 %f<5>; .reg .b32 %r<5>; .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [y];
    ld.param.u64 %rd2, [x];
    mov.u32 %r1, %tid.x;
    mul.wide.s32 %rd3, %r1, 4;
    add.s64 %rd4, %rd2, %rd3;
    add.s64 %rd5, %rd1, %rd3;
BEFORE
    add.f32 %f3, %f1, %f2;
    st.global.f32 [%rd5], %f3;
    ret;
}
"""
EXECUTED = {"ptx.shuffles.iterations", "ptx.shuffles.rewriting"}
"""Modules whose examples the test executes."""


@pytest.mark.parametrize("module", sorted(EXECUTED))
def test_statements(module: str):
    pytest.importorskip("z3", reason="proofs of shuffles need Z3")
    ((before, after),) = pairs(module)
    made = synthesise(parse(KERNEL.replace("BEFORE", before)), Options(always=True))
    wanted = [line.partition("//")[0].strip() for line in lines(after)]
    assert has_excerpt(wanted, lines(made.text), {}, True), f"{after}\nis no part of\n{made.text}"
