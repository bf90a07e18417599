# SPDX-License-Identifier: Apache-2.0
"""Modules of PTX: arguments, variables, functions, names, and what is refused."""

import re
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.ir.reader import read_module

from .computing import DEVICES, HEADER, module

SCALE = """
.visible .entry _ZN2ns5scaleEPffi(.param .u64 x, .param .f32 a, .param .u32 n)
{
    .reg .pred %p; .reg .b64 %rd<4>; .reg .b32 %r<5>; .reg .f32 %f<3>;
    ld.param.u64 %rd1, [x]; ld.param.f32 %f1, [a]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r2, %r2, %r3, %r4;
    setp.ge.s32 %p, %r2, %r1;
    @%p bra DONE;
    cvta.to.global.u64 %rd2, %rd1; mul.wide.s32 %rd3, %r2, 4; add.s64 %rd2, %rd2, %rd3;
    ld.global.f32 %f2, [%rd2]; mul.f32 %f2, %f2, %f1; st.global.f32 [%rd2], %f2;
DONE:
    ret;
}
"""


CALLED = """
.func (.param .b32 r) twice (.param .b32 x) {
    .reg .b32 %a; ld.param.b32 %a, [x]; add.s32 %a, %a, %a; st.param.b32 [r], %a; ret;
}
.global .u64 table[1] = {twice};
.visible .entry find(.param .u64 out) {
    .reg .b64 %p<3>; ld.param.u64 %p1, [out]; ld.global.u64 %p2, [table]; st.global.u64 [%p1], %p2; ret;
}
.visible .entry apply(.param .u64 out, .param .u64 function) {
    .reg .b64 %p<3>; .reg .b32 %r; .param .b32 x; .param .b32 result;
    ld.param.u64 %p1, [out]; ld.param.u64 %p2, [function];
    st.param.b32 [x], 21;
shape: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (result), %p2, (x), shape;
    ld.param.b32 %r, [result]; st.global.u32 [%p1], %r; st.global.u64 [%p1+8], %p2;
    ret;
}
"""


@pytest.mark.parametrize("device", DEVICES)
def test_a_function_whose_address_the_host_passes(device: str):
    """A parameter is a pointer where it is called, and a number where it is stored."""
    made = lw.compile(HEADER + CALLED, language="ptx")
    address, out = np.zeros(1, np.uint64), np.zeros(2, np.uint64)
    read_module(made.ir())
    made["find"].launch(1, 1, (address,), device=device)
    made["apply"].launch(1, 1, (out, int(address[0])), device=device)
    assert out.tolist() == [42, address[0]]


@pytest.mark.parametrize("device", DEVICES)
def test_a_kernel_by_its_name_in_the_program(device: str, tmp_path: Path):
    path = tmp_path / "scale.ptx"
    path.write_text(HEADER + SCALE)
    kernels = lw.compile(path)
    assert kernels.kernels == ("ns::scale",)
    x = np.arange(100, dtype=np.float32)
    kernels["scale"].launch(4, 32, (x, 2.5, 100), device=device)
    assert (x == np.arange(100, dtype=np.float32) * 2.5).all()


def test_the_language_is_told_by_the_text():
    assert lw.compile(HEADER + SCALE).kernels == ("ns::scale",)


def test_integers_are_bits():
    kernel = module("ld.param.u32 %w, [n]; ld.param.u64 %p, [out]; st.global.u32 [%p], %w;".join(
        (".reg .b32 %w; .reg .b64 %p;", "")), (".u64 out", ".u32 n"))["k"]  # fmt: skip
    out = np.zeros(1, np.uint32)
    for given, stored in ((-1, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (np.float32(1), 0x3F800000), (7, 7)):
        kernel.launch(1, 1, (out, given))
        assert out[0] == stored
    with pytest.raises(lw.LaunchError, match=r"does not fit \.u32"):
        kernel.launch(1, 1, (out, 1 << 32))
    with pytest.raises(lw.LaunchError, match=r"expected an integer for \.u32"):
        kernel.launch(1, 1, (out, 1.5))


def test_eight_bytes_take_a_number_or_an_array():
    kernel = module("ld.param.u64 %v, [n]; ld.param.u64 %p, [out]; st.global.u64 [%p], %v;".join(
        (".reg .b64 %v, %p;", "")), (".u64 out", ".u64 n"))["k"]  # fmt: skip
    out, array = np.zeros(1, np.uint64), np.zeros(3)
    kernel.launch(1, 1, (out, array))
    assert out[0] == array.ctypes.data
    kernel.launch(1, 1, (out, None))
    assert out[0] == 0
    kernel.launch(1, 1, (out, -2))
    assert out[0] == (1 << 64) - 2


@pytest.mark.parametrize("device", DEVICES)
def test_a_structure_by_value(device: str):
    kernel = module(
        ".reg .b32 %a; .reg .f64 %f; .reg .b64 %p; ld.param.u32 %a, [s]; ld.param.f64 %f, [s+8];"
        "ld.param.u64 %p, [out]; cvt.rn.f64.u32 %f, %a; ld.param.f64 %f, [s+8]; st.global.f64 [%p], %f;",
        (".align 8 .b8 s[16]", ".u64 out"),
    )["k"]
    given = np.array((3, 2.25), np.dtype([("a", "u4"), ("f", "f8")], align=True))[()]
    out = np.zeros(1)
    kernel.launch(1, 1, (given, out), device=device)
    assert out[0] == 2.25
    with pytest.raises(lw.LaunchError, match=r"expected \.b8\[16\]"):
        kernel.launch(1, 1, (np.zeros(3), out), device=device)


@pytest.mark.parametrize("device", DEVICES)
def test_variables_of_all_spaces(device: str):
    made = module(
        """
        .reg .b32 %a, %b, %i; .reg .b64 %p, %q; .local .align 4 .b8 own[64]; .shared .align 4 .b8 tile[128];
        mov.u32 %i, %tid.x;
        mov.u64 %p, table; mad.wide.u32 %p, %i, 4, %p; ld.const.u32 %a, [%p];
        mov.u64 %q, own; st.local.u32 [%q+8], %a; ld.local.u32 %b, [own+8];
        shl.b32 %a, %i, 2; mov.u32 %i, tile; add.u32 %a, %i, %a; st.shared.u32 [%a], %b; bar.sync 0;
        ld.shared.u32 %b, [tile+4];
        mov.u32 %i, %tid.x; mov.u64 %p, results; mad.wide.u32 %p, %i, 4, %p; st.global.u32 [%p], %b;
        atom.global.add.u32 %a, [count], 1;
        """,
        more=".const .align 4 .u32 table[4] = {10, 20, 30, 40};\n"
        ".visible .global .u32 results[4]; .global .u32 count = 5;",
    )
    made["k"].launch(1, 4, (), device=device)
    assert made.variable("results", device=device).read().tolist() == [20] * 4
    assert made.variable("count", device=device).read() == 9


@pytest.mark.parametrize("device", DEVICES)
def test_elements_of_arrays(device: str):
    made = module(
        """
        .reg .b32 %a, %b, %s; .reg .b64 %p; .local .align 4 .b32 own[4]; .shared .align 4 .b16 tile[8];
        mov.u32 %a, 7; st.local.u32 own[2], %a; ld.local.u32 %a, [own+8];
        mov.u32 %s, tile[3]; st.shared.u16 [%s], %a; ld.shared.u16 %b, [tile+6]; add.u32 %a, %a, %b;
        mov.u64 %p, table[1]; ld.global.u32 %b, [%p]; add.u32 %a, %a, %b;
        ld.global.u32 %b, table[2]; add.u32 %a, %a, %b;
        ld.param.u64 %p, [out]; st.global.u32 [%p], %a;
        """,
        (".u64 out",),
        ".global .u32 table[3] = {100, 200, 1000};",
    )
    out = np.zeros(1, np.uint32)
    made["k"].launch(1, 1, (out,), device=device)
    assert out[0] == 7 + 7 + 200 + 1000


@pytest.mark.parametrize("device", DEVICES)
def test_functions_called_by_name_and_by_address(device: str):
    functions = """
    .func (.param .b32 r) twice(.param .b32 a) {
        .reg .b32 %a; ld.param.b32 %a, [a]; add.u32 %a, %a, %a; st.param.b32 [r], %a; ret;
    }
    .func (.reg .b32 %r) next(.reg .b32 %a) { add.u32 %r, %a, 1; ret; }
    """
    made = module(
        """
        .reg .b32 %a, %b; .reg .b64 %p, %f;
        mov.u32 %a, %tid.x;
        { .param .b32 x; .param .b32 y; st.param.b32 [x], %a; call.uni (y), twice, (x); ld.param.b32 %b, [y]; }
        call (%b), next, (%b);
        mov.u64 %f, twice;
        { .param .b32 x; .param .b32 y; st.param.b32 [x], %b; PROTO: .callprototype (.param .b32 _) _ (.param .b32 _);
          call (y), %f, (x), PROTO; ld.param.b32 %b, [y]; }
        ld.param.u64 %p, [out]; mad.wide.u32 %p, %a, 4, %p; st.global.u32 [%p], %b;
        """,
        (".u64 out",),
        functions,
    )
    out = np.zeros(8, np.uint32)
    made["k"].launch(1, 8, (out,), device=device)
    assert (out == 2 * (2 * np.arange(8) + 1)).all()


@pytest.mark.parametrize("device", DEVICES)
def test_asynchronous_copies(device: str):
    kernel = module(
        """
        .reg .b32 %i, %s, %a<4>, %n; .reg .b64 %p, %q; .shared .align 16 .b8 tile[1024];
        mov.u32 %i, %tid.x; shl.b32 %s, %i, 4; mov.u32 %n, tile; add.u32 %s, %n, %s;
        ld.param.u64 %p, [from]; mad.wide.u32 %p, %i, 16, %p; ld.param.u64 %q, [out]; mad.wide.u32 %q, %i, 16, %q;
        and.b32 %n, %i, 3; shl.b32 %n, %n, 2;
        cp.async.cg.shared.global [%s], [%p], 16, %n;
        cp.async.ca.shared.global [%s+512], [%p], 8;
        cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;
        ld.shared.v4.b32 {%a0, %a1, %a2, %a3}, [%s]; st.global.v4.b32 [%q], {%a0, %a1, %a2, %a3};
        ld.shared.v2.b32 {%a0, %a1}, [%s+512]; st.global.v2.b32 [%q+512], {%a0, %a1};
        """,
        (".u64 from", ".u64 out"),
    )["k"]
    given, out = np.arange(1, 129, dtype=np.uint32), np.zeros((64, 4), np.uint32)
    kernel.launch(1, 32, (given, out), device=device)
    rows = given.reshape(32, 4)
    assert (out[:32] == np.where(np.arange(4) < np.arange(32)[:, None] % 4, rows, 0)).all()
    assert (out[32:] == np.where(np.arange(4) < 2, rows, 0)).all()


def test_bounds_of_a_launch():
    text = HEADER + SCALE.replace(")\n{", ")\n.maxntid 64, 1, 1\n{")
    with pytest.raises(lw.LaunchError, match="more than the 64"):
        lw.compile(text, language="ptx")["scale"].launch(1, 128, (np.zeros(4, "f4"), 1.0, 4))


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("wgmma.fence.sync.aligned;", "wgmma.fence.sync.aligned: it is not supported"),
        ("bar.sync 1, 40;", "bar.sync: the count 40 is no positive multiple of 32, the size of a warp"),
        ("mov.u32 %r0, %envreg7;", "mov.u32: %envreg7 is not declared, and no special register that is supported"),
        ("add.u32 %r0, %r1, nothing;", "add.u32: no variable, function or register is called nothing"),
        ("ld.global.u32 %r0, [%r1];", "ld.global.u32: an address of 32 bits of .global memory is not supported"),
        ("bra NOWHERE;", "bra: no label NOWHERE is in the function"),
        ("add.u32 %r0, %r1;", "add.u32: these words and operands don't go together"),
        ("mov.b32 %r0, 1, 2;", "mov.b32: these words and operands don't go together"),
        ("bar.sync;", "bar.sync: it has no number"),
        ("call missing;", "call: the function missing is not defined"),
    ],
)  # fmt: skip
def test_what_is_refused_is_named_with_its_line(code: str, said: str):
    more = ".extern .func missing;" if "missing" in code else ""
    with pytest.raises(lw.CompileError) as error:
        module(f".reg .b32 %r<4>;\n{code}", more=more)
    assert re.match(rf"<source>:8:1: error: {re.escape(said)}\n  {re.escape(code)}", str(error.value)), str(error.value)


def test_a_kernel_that_is_there_twice():
    with pytest.raises(lw.CompileError, match=r"^<source>:\d+:1: error: _ZN2ns5scaleEPffi is defined twice"):
        lw.compile(HEADER + SCALE + SCALE, language="ptx")


def test_functions_without_a_body():
    empty = ".func (.reg .b32 %r) any() { }\n.func nothing() { }"
    made = module(".reg .b32 %r0; call (%r0), any; call nothing;", more=empty)
    made["k"].launch(1, 4, ())


def test_a_kernel_that_is_refused_leaves_the_others():
    bad = ".visible .entry bad() { .reg .b32 %r0; wgmma.fence.sync.aligned; ret; }"
    both = lw.compile(HEADER + SCALE + bad, language="ptx")
    assert both.kernels == ("ns::scale",)
    with pytest.raises(lw.Error, match=r"wgmma\.fence"):
        both["bad"]


def test_ptx_that_is_none():
    with pytest.raises(lw.CompileError, match=r"expected '\.version', with which PTX begins"):
        lw.compile("int main;", language="ptx")
