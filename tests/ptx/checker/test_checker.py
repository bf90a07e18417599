# SPDX-License-Identifier: Apache-2.0
"""The interpreter itself: instructions with results known by hand, memory, warps, control, what is undefined; and whole
kernels against the CPU device."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.kernelgen.suite import SUITE

import lanewise as lw
from lanewise.ptx.language.parser import parse

from .judge import Launch, Undetermined, compare
from .memory import Placed, Undefined
from .operands import Unsupported
from .program import Program, run

_HEAD = """.version 8.0
.target sm_80
.address_size 64
"""


def _kernel(body: str, extra: str = "") -> str:
    """A kernel k(out, in, n), with out's cell of the thread in %out, and the flat thread in %me."""
    return f"""{_HEAD}{extra}
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)
{{
    .reg .pred %p<20>; .reg .b16 %h<20>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<20>; .reg .f64 %fd<20>;
    .reg .b32 %me; .reg .b64 %out; .reg .b64 %in; .reg .b64 %step;
    ld.param.u64 %out, [a]; ld.param.u64 %in, [b];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.s32 %me, %r1, %r2, %r0;
    mul.wide.u32 %step, %me, 8; add.s64 %out, %out, %step;
    {body}
}}
"""


def _results(
    body: str, grid: int = 1, block: Any = 32, data: Any = None, seed: int = 0, random_order: bool = False,
    extra: str = "",
) -> list[int]:  # fmt: skip
    """What each thread of the grid stored at [%out], as u64; 0 if nothing."""
    x, y, z = ((block, 1, 1) if isinstance(block, int) else (*block, 1))[:3]
    out = np.zeros(grid * x * y * z, np.uint64)
    data = np.zeros(1, np.uint64) if data is None else data
    Program(parse(_kernel(body, extra)), "k").run(grid, block, (out, data, 5), seed, random_order=random_order)
    return [int(value) for value in out]


_M32 = (1 << 32) - 1
_M64 = (1 << 64) - 1


@pytest.mark.parametrize(
    ("instruction", "operands", "expected"),
    [
        ("add.s32", (_M32, 3), 2),
        ("sub.u32", (2, 3), _M32),
        ("mul.lo.s32", (0x10001, 0x10001), 0x20001),
        ("mul.hi.u32", (0x80000000, 6), 3),
        ("mul.hi.s32", (0x80000000, 6), _M32 - 2),
        ("mul24.lo.u32", (0xFF000003, 0xFF000005), 15),
        ("mul24.lo.s32", (0x00FFFFFF, 5), _M32 - 4),
        ("mad.lo.s32", (3, 4, 5), 17),
        ("mad.hi.u32", (0x80000000, 4, 5), 7),
        ("mad24.lo.u32", (3, 4, 5), 17),
        ("sad.s32", (_M32, 4, 10), 15),
        ("sad.u32", (4, 9, 10), 15),
        ("div.s32", (_M32 - 6, 2), _M32 - 2),
        ("rem.s32", (_M32 - 6, 4), _M32 - 2),
        ("div.u32", (_M32, 16), 0x0FFFFFFF),
        ("min.s32", (_M32, 1), _M32),
        ("min.u32", (_M32, 1), 1),
        ("max.s32", (_M32, 1), 1),
        ("neg.s32", (5,), _M32 - 4),
        ("abs.s32", (_M32 - 4,), 5),
        ("not.b32", (0xF0,), 0xFFFFFF0F),
        ("cnot.b32", (0,), 1),
        ("and.b32", (12, 10), 8),
        ("or.b32", (12, 10), 14),
        ("xor.b32", (12, 10), 6),
        ("shl.b32", (3, 31), 0x80000000),
        ("shl.b32", (3, 32), 0),
        ("shr.u32", (0x80000000, 31), 1),
        ("shr.u32", (0x80000000, 99), 0),
        ("shr.s32", (0x80000000, 99), _M32),
        ("shf.l.wrap.b32", (0x80000000, 1, 33), 3),
        ("shf.r.clamp.b32", (1, 7, 40), 7),
        ("shf.r.wrap.b32", (0x10, 0x3, 4), 0x30000001),
        ("popc.b32", (0xFF0F,), 12),
        ("clz.b32", (0x00010000,), 15),
        ("clz.b32", (0,), 32),
        ("bfind.u32", (0x00010000,), 16),
        ("bfind.s32", (_M32 - 1,), 0),
        ("bfind.u32", (0,), _M32),
        ("brev.b32", (6,), 0x60000000),
        ("bfe.u32", (0xABCD, 4, 8), 0xBC),
        ("bfe.s32", (0xABCD, 4, 8), 0xFFFFFFBC),
        ("bfe.s32", (0x80000000, 28, 8), 0xFFFFFFF8),
        ("bfe.s32", (_M32, 3, 0), 0),
        ("bfi.b32", (0xF, 0, 8, 4), 0xF00),
        ("prmt.b32", (0x33221100, 0x77665544, 0x7610), 0x77661100),
        ("prmt.b32", (0x00008000, 0, 0x9999), 0xFFFFFFFF),
        ("lop3.b32", (0xF0F0F0F0, 0xCCCCCCCC, 0xAAAAAAAA, 0xE8), 0xE8E8E8E8),
        ("lop3.b32", (0xF0, 0xCC, 0xAA, 0x01), 0xFFFFFF01),
    ],
)
def test_integers(instruction: str, operands: tuple[int, ...], expected: int) -> None:
    loads = " ".join(f"mov.b32 %r{10 + i}, {value};" for i, value in enumerate(operands))
    last = str(operands[-1]) if instruction == "lop3.b32" else f"%r{9 + len(operands)}"
    words = ", ".join([*(f"%r{10 + i}" for i in range(len(operands) - 1)), last])
    body = f"{loads} {instruction} %r9, {words}; cvt.u64.u32 %rd1, %r9; st.global.u64 [%out], %rd1;"
    assert _results(body) == [expected] * 32


def test_selections_differ_from_lane_to_lane() -> None:
    body = "setp.lt.u32 %p1, %r0, 3; selp.b64 %rd1, 7, 9, %p1; st.global.u64 [%out], %rd1;"
    assert _results(body) == [7] * 3 + [9] * 29


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("mov.b32 %r9, -2; mul.wide.s32 %rd1, %r9, 3;", _M64 - 5),
        ("mov.b32 %r9, -2; mul.wide.u32 %rd1, %r9, 3;", 3 * (_M32 - 1)),
        ("mov.b32 %r9, -2; mov.u64 %rd2, 10; mad.wide.s32 %rd1, %r9, 3, %rd2;", 4),
        ("mov.b64 %rd2, 0xFFFFFFFFFFFFFFFF; mul.hi.u64 %rd1, %rd2, %rd2;", _M64 - 1),
        ("mov.b64 %rd2, -3; mul.hi.s64 %rd1, %rd2, 5;", _M64),
        ("mov.b64 %rd2, 0x123456789ABCDEF0; mul.hi.s64 %rd1, %rd2, -16;", _M64 - 1),
        ("mov.b16 %h1, -2; mul.wide.s16 %r9, %h1, 300; cvt.s64.s32 %rd1, %r9;", _M64 - 599),
        ("mov.b16 %h1, 65535; add.s16 %h2, %h1, 3; cvt.u64.u16 %rd1, %h2;", 2),
        ("mov.b64 %rd2, 1; shl.b64 %rd1, %rd2, 63;", 1 << 63),
        ("mov.b64 %rd2, -1; clz.b64 %r9, %rd2; popc.b64 %r8, %rd2; mad.lo.u32 %r9, %r8, 2, %r9; "
         "cvt.u64.u32 %rd1, %r9;", 128),
        ("mov.b64 %rd2, -7; div.s64 %rd3, %rd2, 2; rem.s64 %rd4, %rd2, 2; shl.b64 %rd4, %rd4, 8; "
         "add.s64 %rd1, %rd3, %rd4;", _M64 - 2 - 256),
        ("mov.b32 %r3, -1; add.cc.u32 %r4, %r3, 2; addc.u32 %r5, 0, 7; mov.b64 %rd1, {%r4, %r5};", 8 << 32 | 1),
        ("mov.b32 %r3, 1; sub.cc.u32 %r4, %r3, 2; subc.u32 %r5, 9, 0; mov.b64 %rd1, {%r4, %r5};", 8 << 32 | _M32),
        ("mov.b32 %r3, -1; add.cc.u32 %r4, %r3, 1; addc.cc.u32 %r5, %r3, 0; addc.u32 %r6, 0, 0; "
         "mov.b64 %rd1, {%r6, %r5};", 1),
        ("mov.b64 %rd2, 0x0000000200000001; mov.b64 {%r3, %r4}, %rd2; mov.b64 %rd1, {%r4, %r3};", 1 << 32 | 2),
        ("mov.b32 %r3, 0xFFFF8001; cvt.s64.s16 %rd1, 5; cvt.s32.s16 %r4, %r3; cvt.s64.s32 %rd1, %r4;", _M64 - 0x7FFE),
        ("mov.b32 %r3, 0x180; cvt.u8.u32 %r4, %r3; cvt.u64.u32 %rd1, %r4;", 0x80),
        ("mov.b32 %r3, 0x180; cvt.s8.u32 %r4, %r3; cvt.u64.u32 %rd1, %r4;", 0xFFFFFF80),
        ("mov.b32 %r3, 300; cvt.sat.u8.s32 %r4, %r3; cvt.u64.u32 %rd1, %r4;", 255),
        ("mov.f32 %f1, 0fC0200000; cvt.rzi.s32.f32 %r3, %f1; cvt.s64.s32 %rd1, %r3;", _M64 - 1),
        ("mov.f32 %f1, 0fC0200000; cvt.rni.s32.f32 %r3, %f1; cvt.s64.s32 %rd1, %r3;", _M64 - 1),
        ("mov.f32 %f1, 0fC0200000; cvt.rmi.s32.f32 %r3, %f1; cvt.s64.s32 %rd1, %r3;", _M64 - 2),
        ("mov.f32 %f1, 0fC0200000; cvt.rzi.u32.f32 %r3, %f1; cvt.u64.u32 %rd1, %r3;", 0),
        ("mov.f32 %f1, 0f7F800000; cvt.rzi.s32.f32 %r3, %f1; cvt.u64.u32 %rd1, %r3;", 0x7FFFFFFF),
        ("mov.f32 %f1, 0f7FC00000; cvt.rzi.s32.f32 %r3, %f1; cvt.u64.u32 %rd1, %r3;", 0),
        ("cvt.rn.f64.s32 %fd1, -3; mov.b64 %rd1, %fd1;", 0xC008000000000000),
        ("mov.f32 %f1, 0f40400000; fma.rn.f32 %f2, %f1, %f1, 0f3F800000; mov.b32 %r3, %f2; cvt.u64.u32 %rd1, %r3;",
         0x41200000),
        ("mov.f32 %f1, 0f3F800001; fma.rn.f32 %f2, %f1, %f1, 0fBF800002; mov.b32 %r3, %f2; cvt.u64.u32 %rd1, %r3;",
         0x28800000),
        ("mov.f64 %fd1, 0d4008000000000000; mul.f64 %fd2, %fd1, %fd1; mov.b64 %rd1, %fd2;", 0x4022000000000000),
        ("mov.f32 %f1, 0f7FC00000; min.f32 %f2, %f1, 0f40000000; mov.b32 %r3, %f2; cvt.u64.u32 %rd1, %r3;", 0x40000000),
        ("mov.f32 %f1, 0f7FC00000; setp.ne.f32 %p1, %f1, %f1; setp.neu.f32 %p2, %f1, %f1; selp.b32 %r3, 1, 0, %p1; "
         "selp.b32 %r4, 2, 0, %p2; or.b32 %r3, %r3, %r4; cvt.u64.u32 %rd1, %r3;", 2),
        ("setp.lt.s32 %p1|%p2, -1, 0; selp.b32 %r3, 1, 0, %p1; selp.b32 %r4, 2, 0, %p2; or.b32 %r3, %r3, %r4; "
         "cvt.u64.u32 %rd1, %r3;", 1),
        ("setp.eq.s32 %p3, 1, 1; setp.lt.and.u32 %p1|%p2, -1, 0, !%p3; selp.b32 %r3, 1, 0, %p1; "
         "selp.b32 %r4, 2, 0, %p2; or.b32 %r3, %r3, %r4; cvt.u64.u32 %rd1, %r3;", 0),
        ("set.lt.u32.s32 %r3, -1, 0; cvt.u64.u32 %rd1, %r3;", _M32),
        ("slct.s32.s32 %r3, 5, 6, -1; cvt.u64.u32 %rd1, %r3;", 6),
        ("{ .reg .b64 %rd1; mov.b64 %rd1, 9; } mov.b64 %rd1, 4;", 4),
        ("ld.param.u32 %r3, [n]; cvt.u64.u32 %rd1, %r3;", 5),
    ],
)  # fmt: skip
def test_wider_and_mixed(body: str, expected: int) -> None:
    assert _results(f"{body} st.global.u64 [%out], %rd1;") == [expected] * 32


# -- memory ------------------------------------------------------------------------------------------------------


def test_loads_of_all_widths_and_vectors() -> None:
    data = np.arange(1, 33, dtype=np.uint8) | 0x80
    body = """
        ld.global.s8 %r3, [%in]; ld.global.u16 %r4, [%in+2]; ld.global.nc.v2.u32 {%r5, %r6}, [%in+8];
        ld.global.v4.u8 {%r7, %r8, %r9, %r10}, [%in+16]; ld.v2.u64 {%rd3, %rd4}, [%in+16];
        add.u32 %r11, %r3, %r4; xor.b32 %r11, %r11, %r6; xor.b32 %r11, %r11, %r10; cvt.u64.u32 %rd1, %r11;
        xor.b64 %rd1, %rd1, %rd4; st.global.u64 [%out], %rd1;"""
    words = data.view(np.uint32)
    low = (0xFFFFFF81 + int(data.view(np.uint16)[1]) & _M32) ^ int(words[3]) ^ int(data[19])
    assert _results(body, data=data) == [low ^ int(data.view(np.uint64)[3])] * 32


def test_stores_of_parts() -> None:
    body = "st.global.u8 [%out], 300; mov.b32 %r3, 7; st.global.v2.u16 [%out+4], {%h1, %h1};"
    assert _results("mov.b16 %h1, 3;" + body) == [(3 << 16 | 3) << 32 | 300 - 256] * 32


def test_shared_memory_is_a_blocks_own() -> None:
    body = """
        mov.u32 %r3, tile; shl.b32 %r4, %r0, 2; add.s32 %r4, %r3, %r4; st.shared.u32 [%r4], %me;
        bar.sync 0;
        xor.b32 %r5, %r0, 63; shl.b32 %r5, %r5, 2; cvt.u64.u32 %rd2, %r5;
        mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; add.s64 %rd3, %rd3, %rd2;
        ld.u32 %r6, [%rd3]; cvt.u64.u32 %rd1, %r6; st.global.u64 [%out], %rd1;"""
    for random_order in (False, True):
        found = _results(body, 2, 64, random_order=random_order, extra=".shared .align 4 .b8 tile[256];")
        assert found == [*range(63, -1, -1), *range(127, 63, -1)]


def test_constants_local_memory_and_variables() -> None:
    extra = ".const .align 4 .u32 table[3] = {5, 6, 7}; .global .align 8 .u64 total;"
    body = """
        .local .align 8 .b8 depot[16];
        mov.u64 %rd2, depot; cvta.local.u64 %rd3, %rd2; st.local.u32 [%rd2+4], %me; ld.u32 %r3, [%rd3+4];
        ld.const.u32 %r4, [table+8]; mov.u64 %rd4, table; ld.const.u32 %r5, [%rd4+4];
        atom.global.add.u64 %rd5, [total], 1; setp.gt.u64 %p1, %rd5, 31; @%p1 trap;
        mad.lo.u32 %r3, %r4, 100, %r3; mad.lo.u32 %r3, %r5, 1000, %r3; cvt.u64.u32 %rd1, %r3;
        st.global.u64 [%out], %rd1;"""
    assert _results(body, extra=extra) == [6700 + i for i in range(32)]


def test_a_load_under_a_false_guard_reads_nothing() -> None:
    body = """
        mov.b64 %rd1, 3; setp.eq.u32 %p1, %r0, 4; @!%p1 mov.u64 %in, 0;
        @%p1 ld.global.u64 %rd1, [%in]; st.global.u64 [%out], %rd1;"""
    assert _results(body, data=np.array([9], np.uint64)) == [3] * 4 + [9] + [3] * 27


def test_atomics_of_one_cell() -> None:
    body = """
        atom.global.add.u64 %rd1, [%in], 2; red.global.max.u32 [%in+8], %me; atom.global.cas.b32 %r3, [%in+12], 0, %r0;
        st.global.u64 [%out], %rd1;"""
    data = np.zeros(2, np.uint64)
    assert sorted(_results(body, data=data, random_order=True)) == list(range(0, 64, 2))
    assert data[0] == 64
    assert int(data[1]) & _M32 == 31


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("ld.global.u64 %rd1, [%in+8];", "outside any array"),
        ("ld.global.u64 %rd1, [%in+-8];", "outside any array"),
        ("st.global.u32 [%out+2], 0;", "is not a multiple of 4"),
        ("ld.shared.u32 %r3, [4096];", "beyond the"),
        ("mov.u64 %rd2, 0; ld.u32 %r3, [%rd2];", "outside any array"),
        ("trap;", "trap of thread (0, 0, 0)"),
        ("setp.lt.u32 %p1, %r0, 3; @%p1 bra L; bar.sync 0; L: bar.sync 1;", "not all come to"),
        ("L: bra L;", "no end"),
    ],
)
def test_undefined(body: str, message: str) -> None:
    with pytest.raises(Undefined) as raised:
        _results(body)
    assert message in str(raised.value)


def test_errors_name_line_and_thread() -> None:
    with pytest.raises(Undefined, match=r"line \d+: ld.global.u64 of thread \(5, 0, 0\) of block \(1, 0, 0\)"):
        _results("setp.eq.u32 %p1, %me, 37; @%p1 ld.global.u64 %rd1, [%in+80];", grid=2)


@pytest.mark.parametrize("body", ["vadd.s32.s32.s32 %r3, %r4, %r5;", "add.rz.f32 %f1, %f2, %f3;", "bar.arrive 1, 64;"])
def test_unsupported_names_the_line(body: str) -> None:
    with pytest.raises(Unsupported, match=r"line \d+: "):
        _results(body)


def test_arrays_that_are_slices_or_apart() -> None:
    text = f"""{_HEAD}.visible .entry k(.param .u64 a, .param .u64 b)
    {{ .reg .b64 %rd<9>; .reg .b32 %r<3>; ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.global.u32 %r1, [%rd1+-4];
       mov.u64 %rd3, 0x400000000; add.s64 %rd4, %rd2, %rd3; ld.global.u32 %r2, [%rd4]; add.s32 %r1, %r1, %r2;
       st.global.u32 [%rd1], %r1; }}"""
    whole, far = np.arange(10, dtype=np.uint32), np.array([100], np.uint32)
    run(parse(text), "k", 1, 1, (whole[5:], Placed(((0, np.zeros(4, np.uint32)), (1 << 34, far)))), 0)
    assert whole.tolist() == [0, 1, 2, 3, 4, 104, 6, 7, 8, 9]


# -- warps -------------------------------------------------------------------------------------------------------


def _shuffled(text: str, block: int = 32) -> list[int]:
    return _results(f"{text} cvt.u64.u32 %rd1, %r9; st.global.u64 [%out], %rd1;", block=block)


_LANES = list(range(32))


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("up.b32 %r9, %r0, 3, 0", [max(i - 3, i if i < 3 else 0) for i in _LANES]),
        ("down.b32 %r9, %r0, 3, 31", [i + 3 if i < 29 else i for i in _LANES]),
        ("bfly.b32 %r9, %r0, 5, 31", [i ^ 5 for i in _LANES]),
        ("idx.b32 %r9, %r0, 7, 31", [7] * 32),
        ("idx.b32 %r9, %r0, 3, 0x181F", [i & ~7 | 3 for i in _LANES]),
        ("down.b32 %r9, %r0, 2, 0x1807", [i + 2 if i % 8 < 6 else i for i in _LANES]),
        ("up.b32 %r9, %r0, 2, 0x1800", [i - 2 if i % 8 >= 2 else i for i in _LANES]),
    ],
)
def test_shuffles(form: str, expected: list[int]) -> None:
    assert _shuffled(f"shfl.sync.{form}, -1;") == expected


def test_shuffles_say_whether_the_lane_was_in_range() -> None:
    found = _shuffled("shfl.sync.down.b32 %r8|%p1, %r0, 1, 31, -1; selp.b32 %r9, 1, 0, %p1;")
    assert found == [1] * 31 + [0]


def test_an_inactive_lane_gives_garbage() -> None:
    body = "activemask.b32 %r3; mov.b32 %r4, 7; shfl.sync.down.b32 %r9, %r4, 1, 31, %r3;"
    found = _shuffled(body, block=20)
    assert found[:19] == [7] * 19
    assert found[19] != 7
    again = _results(f"{body} cvt.u64.u32 %rd1, %r9; st.global.u64 [%out], %rd1;", block=20, seed=1)
    assert again[19] != found[19]


def test_registers_hold_garbage_at_first() -> None:
    assert len({_results("st.global.u64 [%out], %rd9;", seed=seed)[3] for seed in range(4)}) == 4


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("setp.lt.u32 %p1, %r0, 8; @%p1 shfl.sync.up.b32 %r9, %r0, 1, 0, -1;", "names lanes that are not active"),
        ("shfl.sync.up.b32 %r9, %r0, 1, 0, 0xFFFF;", "doesn't name the lane itself"),
        ("setp.lt.u32 %p1, %r0, 8; @%p1 ret; vote.sync.any.pred %p2, %p1, -1;", "names lanes that are not active"),
    ],
)
def test_member_masks_are_checked(body: str, message: str) -> None:
    with pytest.raises(Undefined, match=message):
        _results(body)


def test_votes_masks_and_matches() -> None:
    body = """
        setp.lt.u32 %p1, %r0, 5; vote.sync.ballot.b32 %r3, %p1, -1; vote.sync.any.pred %p2, %p1, -1;
        vote.sync.all.pred %p3, %p1, -1; selp.b32 %r4, 1, 0, %p2; selp.b32 %r5, 1, 0, %p3;
        shr.u32 %r6, %r0, 4; match.any.sync.b32 %r7, %r6, -1; activemask.b32 %r8; mov.u32 %r10, %lanemask_lt;
        redux.sync.add.s32 %r11, %r0, -1;
        add.u32 %r9, %r3, %r4; add.u32 %r9, %r9, %r5; xor.b32 %r9, %r9, %r7; xor.b32 %r9, %r9, %r8;
        xor.b32 %r9, %r9, %r10; add.u32 %r9, %r9, %r11;"""
    expected = [((32 ^ (0xFFFF if i < 16 else 0xFFFF0000) ^ _M32 ^ (1 << i) - 1) + 496) & _M32 for i in _LANES]
    assert _shuffled(body) == expected


def test_lanes_count_along_all_dimensions_of_a_block() -> None:
    body = """
        mov.u32 %r3, %tid.y; mad.lo.u32 %r4, %r3, 7, %r0; mul.wide.u32 %rd2, %r4, 8; ld.param.u64 %out, [a];
        add.s64 %out, %out, %rd2; mov.u32 %r5, %laneid; mov.u32 %r6, %warpid; mad.lo.u32 %r5, %r6, 32, %r5;
        cvt.u64.u32 %rd1, %r5; st.global.u64 [%out], %rd1;"""
    assert _results(body, block=(7, 9)) == list(range(63))


# -- control -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("random_order", [False, True])
def test_loops_and_diamonds(random_order: bool) -> None:
    body = """
        mov.u64 %rd1, 0; mov.u32 %r3, %r0;
        L: setp.eq.u32 %p1, %r3, 0; @%p1 bra OUT;
        and.b32 %r4, %r3, 1; setp.eq.u32 %p2, %r4, 0; @%p2 bra EVEN;
        add.u64 %rd1, %rd1, 100; bra.uni NEXT;
        EVEN: add.u64 %rd1, %rd1, 1;
        NEXT: sub.u32 %r3, %r3, 1; bra L;
        OUT: st.global.u64 [%out], %rd1; ret;"""
    expected = [(i + 1) // 2 * 100 + i // 2 for i in range(48)]
    for seed in range(4 if random_order else 1):
        assert _results(body, block=48, random_order=random_order, seed=seed) == expected


def test_branches_by_index() -> None:
    body = """
        and.b32 %r3, %r0, 1; W: .branchtargets A, B; brx.idx %r3, W;
        A: mov.u64 %rd1, 7; bra OUT; B: mov.u64 %rd1, 8;
        OUT: st.global.u64 [%out], %rd1;"""
    assert _results(body) == [7, 8] * 16


def test_lanes_meet_again_in_order_but_perhaps_not_at_random() -> None:
    body = """
        setp.lt.u32 %p1, %r0, 16; @%p1 bra L; mov.u32 %r3, 1; L: activemask.b32 %r9; cvt.u64.u32 %rd1, %r9;
        st.global.u64 [%out], %rd1;"""
    assert _results(body) == [_M32] * 32
    assert {tuple(_results(body, random_order=True, seed=seed)) for seed in range(20)} == {
        (_M32,) * 32, (0xFFFF,) * 16 + (0xFFFF0000,) * 16
    }  # fmt: skip


def test_a_warps_barrier_makes_lanes_meet() -> None:
    body = """
        setp.lt.u32 %p1, %r0, 16; @%p1 bra L; mov.u32 %r3, 1; L: bar.warp.sync -1; activemask.b32 %r9;
        cvt.u64.u32 %rd1, %r9; st.global.u64 [%out], %rd1;"""
    for seed in range(10):
        assert _results(body, random_order=True, seed=seed) == [_M32] * 32


def test_those_that_left_are_not_waited_for() -> None:
    body = "setp.lt.u32 %p1, %me, 40; @%p1 ret; bar.sync 0; st.global.u64 [%out], 1;"
    for random_order in (False, True):
        assert _results(body, block=64, random_order=random_order) == [0] * 40 + [1] * 24


# -- comparing ---------------------------------------------------------------------------------------------------


def _launch(rng: np.random.Generator) -> tuple[Any, ...]:
    return np.zeros(64, np.uint64), rng.integers(0, 9, 64, np.uint64), 5


def test_the_first_difference_is_told() -> None:
    one = _kernel("mov.u64 %rd1, 1; st.global.u64 [%out], %rd1;")
    launch = Launch(2, 32, _launch)
    assert compare(one, one, "k", [launch], range(3)) is None
    other = _kernel("mov.u64 %rd1, 1; setp.gt.u32 %p1, %me, 40; @%p1 mov.u64 %rd1, 2; st.global.u64 [%out], %rd1;")
    difference = compare(one, other, "k", [launch], range(3))
    assert difference
    assert (difference.argument, difference.index, int(difference.expected), int(difference.found)) == (0, 41, 1, 2)
    assert difference.thread == "thread (9, 0, 0) of block (1, 0, 0)"


def test_undefined_in_the_rewritten_one_is_a_difference() -> None:
    difference = compare(_kernel("ret;"), _kernel("trap;"), "k", [Launch(1, 32, _launch)], [0])
    assert difference
    assert "trap" in str(difference)


def test_an_original_with_several_results_judges_nothing() -> None:
    racy = _kernel("st.global.u64 [%out], %rd1;")
    with pytest.raises(Undetermined):
        compare(racy, racy, "k", [Launch(1, 32, _launch)], [0])


# -- whole kernels -----------------------------------------------------------------------------------------------


def _nvcc(source: Path, folder: Path) -> str:
    result = folder / "nvcc.ptx"
    subprocess.run(
        ["nvcc", "-ptx", "-arch=sm_80", "-o", result, source], check=True, capture_output=True, timeout=120
    )  # fmt: skip
    return result.read_text()


@pytest.mark.parametrize("name", ["divergence", "gameoflife", "jacobi", "matmul", "sincos", "whispering"])
@pytest.mark.parametrize("compiler", ["lanewise", "nvcc"])
def test_kernels_give_what_the_cpu_gives(name: str, compiler: str, tmp_path: Path) -> None:
    if compiler == "nvcc" and not shutil.which("nvcc"):
        pytest.skip("needs nvcc")
    (benchmark,) = [each for each in SUITE if each.name == name]
    module = lw.compile(benchmark.source)
    text = module.ptx(arch="sm_80") if compiler == "lanewise" else _nvcc(benchmark.source, tmp_path)
    problem = benchmark.prepare(benchmark.small, np.random.default_rng(7))
    expected, found = (
        [each.copy() if isinstance(each, np.ndarray) else each for each in problem.arguments] for _ in range(2)
    )
    grid = problem.points.grid(48)
    module[name].launch(grid, 48, tuple(expected), device=lw.device("cpu"))
    ptx = parse(text)
    run(ptx, ptx.kernels[0].name, grid, 48, found, 1)
    for right, other in zip(expected, found, strict=True):
        if isinstance(right, np.ndarray) and isinstance(other, np.ndarray):
            tolerance = benchmark.ulps * np.spacing(np.abs(right).max())
            np.testing.assert_allclose(other, right, rtol=0, atol=tolerance)
