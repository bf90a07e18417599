# SPDX-License-Identifier: Apache-2.0
"""`lw.ptx.emulate`: the trace of a small stencil, and the error where a kernel can't be emulated."""

from __future__ import annotations

from typing import Any

import pytest

import lanewise as lw

from .emulating import HEAD

_END = "\n    ret;\n}\n"


def test_a_trace_names_parameters_places_and_iterations() -> None:
    """In the form of PTXASW's Listing 5."""
    text = HEAD + """
    mul.wide.u32 %d1, %x, 4;
    add.s64 %d1, %d1, %a;
    mov.u32 %r1, 0;
L:
    ld.global.f32 %f1, [%d1+8];
    st.global.f32 [%d1], %f1;
    add.s64 %d1, %d1, 256;
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p1, %r1, %n;
    @%p1 bra L;
""" + _END  # fmt: skip
    trace = lw.ptx.emulate(lw.ptx.parse(text).kernels[0])
    assert [str(access)[:3] for access in trace.accesses] == ["LD:", "ST:"]
    load, store = trace.accesses
    assert (load.is_store, load.bytes, load.space) == (False, 4, "global")
    assert text.splitlines()[load.line - 1].strip() == "ld.global.f32 %f1, [%d1+8];"
    for name in ("load(param0)", "(%tid.x << 0x2)", "(loop(0) << 0x8)"):
        assert name in load.text
        assert name in store.text
    assert load.text.startswith("0x8 + ")
    assert str(trace) == f"{load}\n{store}\n"


@pytest.mark.parametrize(
    ("body", "line", "why"),
    [
        ("add.s32 %r1, %r2, 1;", "add.s32 %r1, %r2, 1;", "%r2 is read but never written"),
        ("add.s32 %r1, %n, %oops;", "add.s32 %r1, %n, %oops;", "%oops is not declared"),
        ("@%q ret;", "@%q ret;", "%q is not declared"),
        ("frobnicate.b32 %r1, 1;", "frobnicate.b32 %r1, 1;", "frobnicate.b32 is not known"),
        ("bra NOWHERE;", "bra NOWHERE;", "NOWHERE"),
    ],
)
def test_an_error_names_the_line(body: str, line: str, why: str) -> None:
    text = HEAD + body + _END
    kernel = lw.ptx.parse(text, "some.ptx").kernels[0]
    with pytest.raises(lw.CompileError) as raised:
        lw.ptx.emulate(kernel)
    number = next(n for n, each in enumerate(text.splitlines(), 1) if line in each)
    assert f"some.ptx:{number}" in str(raised.value)
    assert why in str(raised.value)
    assert "k can't be emulated" in str(raised.value)


def test_a_prototype_has_no_trace() -> None:
    prototype: Any = lw.ptx.parse(".version 8.0\n.target sm_80\n.address_size 64\n.extern .entry k();\n").items[0]
    with pytest.raises(lw.CompileError, match="k has no body"):
        lw.ptx.emulate(prototype)
