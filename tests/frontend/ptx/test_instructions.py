# SPDX-License-Identifier: Apache-2.0
"""Instructions one by one, on both devices, against what the manual says of them, in Python's integers and NumPy."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from .computing import DEVICES, Computation, computed

Numbers = NDArray[Any]
EDGES = [0, 1, 2, 3, 5, 7, 31, 32, 33, 63, 64, 100, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x12345678, 0x7FFFFFFF,
         0x80000000, 0xDEADBEEF, 0xFFFFFFFE, 0xFFFFFFFF]  # fmt: skip


def words(bits: int, seed: int, count: int = 96) -> Numbers:
    """Numbers at the edges of their type, and others."""
    rng = np.random.default_rng(seed)
    edges = np.array([edge & (1 << bits) - 1 for edge in EDGES], np.uint64)
    if bits == 64:
        edges = np.concatenate([edges, edges << np.uint64(32), ~edges])
    drawn = (
        rng.integers(0, 1 << bits, count, np.uint64, endpoint=False)
        if bits < 64
        else rng.integers(0, 1 << 63, count, np.uint64) * 2 + 1
    )
    both = np.concatenate([rng.choice(edges, count // 2), drawn[: count - count // 2]])
    return both.astype(f"u{bits // 8}")


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> bits - 1 & 1 else value


class Row(NamedTuple):
    """`code` computes %d of `result` from inputs of `bits` bits each; `expected` gives it as an integer."""

    code: str
    result: str
    bits: Sequence[int]
    expected: Callable[..., int]


def _s(value: int) -> int:
    return signed(value, 32)


def _bfe_signed(value: int, start: int, length: int) -> int:
    """The manual's loop over bits."""
    sign = value >> min(start + length - 1, 31) & 1 if length else 0
    return sum((value >> start + i & 1 if i < length and start + i <= 31 else sign) << i for i in range(32))


def _bfi(value: int, into: int, start: int, length: int) -> int:
    start, length = start & 255, length & 255
    mask = ((1 << length) - 1 << start) & 0xFFFFFFFF
    return (into & ~mask) | (value << start & mask)


def _shift_left(value: int, count: int) -> int:
    return value << count if count < 32 else 0


def _funnel(low: int, high: int, count: int, left: bool, wraps: bool) -> int:
    count = count & 31 if wraps else min(count, 32)
    both = high << 32 | low
    return (both << count >> 32 if left else both >> count) & 0xFFFFFFFF


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _dot(a: int, b: int, c: int, parts: int, signs: tuple[bool, bool], high: bool = False) -> int:
    width = 32 // parts
    total = c
    for place in range(parts):
        x = a >> width * place & (1 << width) - 1
        y = b >> 8 * (place + (2 if high else 0)) & 255
        total += (signed(x, width) if signs[0] else x) * (signed(y, 8) if signs[1] else y)
    return total


def _find(value: int, is_signed: bool) -> int:
    if is_signed and value >> 31:
        value ^= 0xFFFFFFFF
    return value.bit_length() - 1


INTEGERS = {
    "add": Row("add.u32 %d, %a, %b;", "b32", (32, 32), lambda a, b: a + b),
    "add.sat": Row(
        "add.sat.s32 %d, %a, %b;", "b32", (32, 32), lambda a, b: max(-(1 << 31), min((1 << 31) - 1, _s(a) + _s(b)))
    ),
    "sub.s16": Row("sub.s16 %d, %a, %b;", "b16", (16, 16), lambda a, b: a - b),
    "mul.lo": Row("mul.lo.s64 %d, %a, %b;", "b64", (64, 64), lambda a, b: a * b),
    "mul.hi.s32": Row("mul.hi.s32 %d, %a, %b;", "b32", (32, 32), lambda a, b: _s(a) * _s(b) >> 32),
    "mul.hi.u64": Row("mul.hi.u64 %d, %a, %b;", "b64", (64, 64), lambda a, b: a * b >> 64),
    "mul.wide.s16": Row("mul.wide.s16 %d, %a, %b;", "b32", (16, 16), lambda a, b: signed(a, 16) * signed(b, 16)),
    "mul.wide.u32": Row("mul.wide.u32 %d, %a, %b;", "b64", (32, 32), lambda a, b: a * b),
    "mad.lo": Row("mad.lo.s32 %d, %a, %b, %c;", "b32", (32, 32, 32), lambda a, b, c: a * b + c),
    "mad.wide.s32": Row("mad.wide.s32 %d, %a, %b, %c;", "b64", (32, 32, 64), lambda a, b, c: _s(a) * _s(b) + c),
    "mad.hi.sat": Row(
        "mad.hi.sat.s32 %d, %a, %b, %c;",
        "b32",
        (32, 32, 32),
        lambda a, b, c: max(-(1 << 31), min((1 << 31) - 1, (_s(a) * _s(b) >> 32) + _s(c))),
    ),
    "mul24.lo.s32": Row(
        "mul24.lo.s32 %d, %a, %b;", "b32", (32, 32), lambda a, b: signed(a & 0xFFFFFF, 24) * signed(b & 0xFFFFFF, 24)
    ),
    "mul24.hi.u32": Row(
        "mul24.hi.u32 %d, %a, %b;", "b32", (32, 32), lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF) >> 16
    ),
    "mad24": Row(
        "mad24.lo.u32 %d, %a, %b, %c;", "b32", (32, 32, 32), lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c
    ),
    "sad": Row("sad.s32 %d, %a, %b, %c;", "b32", (32, 32, 32), lambda a, b, c: abs(_s(a) - _s(b)) + c),
    "div.u32": Row("or.b32 %b, %b, 1; div.u32 %d, %a, %b;", "b32", (32, 32), lambda a, b: a // (b | 1)),
    "div.s64": Row(
        "or.b64 %b, %b, 4; and.b64 %b, %b, 0xffffffff; div.s64 %d, %a, %b;",
        "b64",
        (64, 64),
        lambda a, b: _quotient(signed(a, 64), (b | 4) & 0xFFFFFFFF),
    ),
    "rem.u16": Row("or.b16 %b, %b, 1; rem.u16 %d, %a, %b;", "b16", (16, 16), lambda a, b: a % (b | 1)),
    "abs": Row("abs.s32 %d, %a;", "b32", (32,), lambda a: abs(_s(a))),
    "neg": Row("neg.s64 %d, %a;", "b64", (64,), lambda a: -a),
    "min.s32": Row("min.s32 %d, %a, %b;", "b32", (32, 32), lambda a, b: min(_s(a), _s(b))),
    "max.u64": Row("max.u64 %d, %a, %b;", "b64", (64, 64), max),
    "min.relu": Row("min.relu.s32 %d, %a, %b;", "b32", (32, 32), lambda a, b: max(0, min(_s(a), _s(b)))),
    "popc.b64": Row("popc.b64 %d, %a;", "b32", (64,), lambda a: a.bit_count()),
    "clz.b32": Row("clz.b32 %d, %a;", "b32", (32,), lambda a: 32 - a.bit_length()),
    "clz.b64": Row("clz.b64 %d, %a;", "b32", (64,), lambda a: 64 - a.bit_length()),
    "bfind.u32": Row("bfind.u32 %d, %a;", "b32", (32,), lambda a: _find(a, False)),
    "bfind.s32": Row("bfind.s32 %d, %a;", "b32", (32,), lambda a: _find(a, True)),
    "bfind.shiftamt": Row("bfind.shiftamt.u32 %d, %a;", "b32", (32,), lambda a: 31 - _find(a, False) if a else -1),
    "brev": Row("brev.b32 %d, %a;", "b32", (32,), lambda a: int(f"{a:032b}"[::-1], 2)),
    "bfe.u32": Row(
        "and.b32 %b, %b, 63; and.b32 %c, %c, 63; bfe.u32 %d, %a, %b, %c;",
        "b32",
        (32, 32, 32),
        lambda a, b, c: (a >> (b & 63)) & (1 << (c & 63)) - 1,
    ),
    "bfe.s32": Row(
        "and.b32 %b, %b, 63; and.b32 %c, %c, 63; bfe.s32 %d, %a, %b, %c;",
        "b32",
        (32, 32, 32),
        lambda a, b, c: _bfe_signed(a, b & 63, c & 63),
    ),
    "bfi": Row(
        "and.b32 %c, %c, 63; and.b32 %e, %e, 63; bfi.b32 %d, %a, %b, %c, %e;",
        "b32",
        (32, 32, 32, 32),
        lambda a, b, c, e: _bfi(a, b, c & 63, e & 63),
    ),
    "bmsk": Row(
        "bmsk.clamp.b32 %d, %a, %b;", "b32", (32, 32), lambda a, b: ((1 << min(b, 32)) - 1) << a if a < 32 else 0
    ),
    "szext.u32": Row("szext.clamp.u32 %d, %a, %b;", "b32", (32, 32), lambda a, b: a & (1 << min(b, 32)) - 1),
    "dp4a.s32.u32": Row(
        "dp4a.s32.u32 %d, %a, %b, %c;", "b32", (32, 32, 32), lambda a, b, c: _dot(a, b, c, 4, (True, False))
    ),
    "dp2a.hi": Row(
        "dp2a.hi.u32.s32 %d, %a, %b, %c;", "b32", (32, 32, 32), lambda a, b, c: _dot(a, b, c, 2, (False, True), True)
    ),
    "and": Row("and.b64 %d, %a, %b;", "b64", (64, 64), lambda a, b: a & b),
    "not": Row("not.b16 %d, %a;", "b16", (16,), lambda a: ~a),
    "cnot": Row("cnot.b32 %d, %a;", "b32", (32,), lambda a: int(a == 0)),
    **{
        f"lop3 {table:#x}": Row(
            f"lop3.b32 %d, %a, %b, %c, {table};",
            "b32",
            (32, 32, 32),
            lambda a, b, c, t=table: sum(
                (t >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1) & 1) << i for i in range(32)
            ),
        )
        for table in (0x00, 0x01, 0x1E, 0x80, 0x96, 0xCA, 0xE8, 0xF8, 0xFE, 0xFF, 0x3C, 0x55, 0x2D, 0xB7)
    },
    "shl": Row("shl.b32 %d, %a, %b;", "b32", (32, 32), lambda a, b: _shift_left(a, b)),
    "shr.s32": Row("shr.s32 %d, %a, %b;", "b32", (32, 32), lambda a, b: _s(a) >> min(b, 31)),
    "shr.u64": Row("shr.u64 %d, %a, %b;", "b64", (64, 32), lambda a, b: a >> b if b < 64 else 0),
    "shl by 40": Row("shl.b32 %d, %a, 40;", "b32", (32,), lambda a: 0),
    "shf.l.wrap": Row(
        "shf.l.wrap.b32 %d, %a, %b, %c;", "b32", (32, 32, 32), lambda a, b, c: _funnel(a, b, c, True, True)
    ),
    "shf.r.clamp": Row(
        "shf.r.clamp.b32 %d, %a, %b, %c;", "b32", (32, 32, 32), lambda a, b, c: _funnel(a, b, c, False, False)
    ),
    "shf.l.clamp": Row(
        "shf.l.clamp.b32 %d, %a, %b, %c;", "b32", (32, 32, 32), lambda a, b, c: _funnel(a, b, c, True, False)
    ),
    "add.cc, addc": Row(
        "add.cc.u32 %q0, %a, %b; addc.u32 %d, %c, 0;", "b32", (32, 32, 32), lambda a, b, c: c + (a + b >> 32)
    ),
    "addc.cc, addc": Row(
        "add.cc.u32 %q0, %a, %b; addc.cc.u32 %q1, %b, %c; addc.u32 %d, 0, 0;",
        "b32",
        (32, 32, 32),
        lambda a, b, c: (b + c + (a + b >> 32)) >> 32,
    ),
    "sub.cc, subc": Row(
        "sub.cc.u32 %q0, %a, %b; subc.u32 %d, %c, 1;", "b32", (32, 32, 32), lambda a, b, c: c - 1 - (a < b)
    ),
    "mad.cc, madc": Row(
        "mad.lo.cc.u32 %q0, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0;",
        "b32",
        (32, 32, 32),
        lambda a, b, c: (a * b + c) >> 32,
    ),
    "setp, selp": Row(
        "setp.lt.s32 %s0, %a, %b; selp.b32 %d, %a, %b, %s0;", "b32", (32, 32), lambda a, b: a if _s(a) < _s(b) else b
    ),
    "setp with and": Row(
        "setp.lo.u32 %s0, %a, %b; setp.ne.and.b32 %s1|%s2, %a, %c, %s0;"
        "selp.b32 %q0, 1, 0, %s1; selp.b32 %q1, 2, 0, %s2; or.b32 %d, %q0, %q1;",
        "b32",
        (32, 32, 32),
        lambda a, b, c: (a < b and a != c) + 2 * (a < b and a == c),
    ),
    "setp with !": Row(
        "setp.hs.u32 %s0, %a, %b; setp.eq.or.b32 %s1, %a, 1, !%s0; selp.b32 %d, 1, 0, %s1;",
        "b32",
        (32, 32),
        lambda a, b: int(a == 1 or a < b),
    ),
    "set": Row("set.ge.u32.s32 %d, %a, %b;", "b32", (32, 32), lambda a, b: -1 if _s(a) >= _s(b) else 0),
    "slct": Row("slct.b32.s32 %d, %a, %b, %c;", "b32", (32, 32, 32), lambda a, b, c: a if _s(c) >= 0 else b),
    "prmt": Row(
        "prmt.b32 %d, %a, %b, %c;",
        "b32",
        (32, 32, 32),
        lambda a, b, c: sum(
            (0xFF if c >> 4 * i & 8 and byte >> 7 else 0 if c >> 4 * i & 8 else byte) << 8 * i
            for i in range(4)
            for byte in [(b << 32 | a) >> 8 * (c >> 4 * i & 7) & 255]
        ),
    ),
    "mov pack": Row("mov.b64 %d, {%a, %b};", "b64", (32, 32), lambda a, b: b << 32 | a),
    "mov unpack": Row(
        "mov.b32 {%h0, %h1}, %a; mov.b32 %d, {%h1, %h0};", "b32", (32,), lambda a: (a & 0xFFFF) << 16 | a >> 16
    ),
    "cvt.s16.s8": Row("cvt.s16.s8 %d, %a;", "b16", (16,), lambda a: signed(a & 255, 8)),
    "cvt.u64.s32": Row("cvt.u64.s32 %d, %a;", "b64", (32,), lambda a: _s(a)),
    "cvt.sat.u8.s32": Row("cvt.sat.u8.s32 %d, %a;", "b16", (32,), lambda a: max(0, min(255, _s(a)))),
    "cvt.sat.s16.u32": Row("cvt.sat.s16.u32 %d, %a;", "b16", (32,), lambda a: min(0x7FFF, a)),
    "predicated": Row(
        "mov.b32 %d, %a; setp.gt.u32 %s0, %a, %b; @%s0 add.u32 %d, %d, 5; @!%s0 mov.b32 %d, %b;",
        "b32",
        (32, 32),
        lambda a, b: a + 5 if a > b else b,
    ),
    "loop": Row(
        "mov.b32 %d, 0; and.b32 %q0, %a, 15; L: setp.eq.u32 %s0, %q0, 0; @%s0 bra DONE;"
        "add.u32 %d, %d, %q0; sub.u32 %q0, %q0, 1; bra L; DONE:",
        "b32",
        (32,),
        lambda a: sum(range((a & 15) + 1)),
    ),
    "brx.idx": Row(
        "and.b32 %q0, %a, 1; TABLE: .branchtargets A, B; brx.idx %q0, TABLE;"
        "A: mov.b32 %d, 10; bra END; B: mov.b32 %d, 20; END:",
        "b32",
        (32,),
        lambda a: 20 if a & 1 else 10,
    ),
}

COUNTED = ("shr.u64", "shl", "shr.s32", "szext.u32", "shf.r.clamp", "shf.l.clamp")
"""Their last input is a count, of which few are interesting."""


def inputs_of(name: str) -> list[Numbers]:
    """The inputs of a row of INTEGERS."""
    inputs = [words(bits, 100 * place + len(name)) for place, bits in enumerate(INTEGERS[name].bits)]
    for place in {"bmsk": (0, 1)}.get(name, (-1,) if name in COUNTED else ()):
        inputs[place] %= np.array(70, inputs[place].dtype)
    return inputs


@cache
def all_integers(device: str) -> dict[str, Numbers]:
    return computed(
        {name: Computation(row.code, row.result, inputs_of(name)) for name, row in INTEGERS.items()}, device
    )


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name: str, device: str):
    row = INTEGERS[name]
    mask = (1 << int(row.result[1:])) - 1
    expected = [row.expected(*map(int, values)) & mask for values in zip(*inputs_of(name), strict=True)]
    assert all_integers(device)[name].tolist() == expected


SINGLES = np.array([0.0, -0.0, 1.0, -1.5, 2.5, 3.5, -2.5, 0.1, 1e-40, -1e-40, 1e38, -3e38, np.inf, -np.inf, np.nan, 7.0,
                    255.7, -0.5, 65504.0, 1e10, -1e10, 3e9], np.float32)  # fmt: skip


def floats() -> tuple[Numbers, Numbers, Numbers]:
    rng = np.random.default_rng(7)
    return tuple(rng.choice(SINGLES, 120) for _ in range(3))  # type: ignore[return-value]


def _ftz(values: Numbers) -> Numbers:
    return np.where(np.abs(values) < np.float32(2.0**-126), np.copysign(np.float32(0), values), values)


def _minimum(a: Numbers, b: Numbers) -> Numbers:
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.where((a == b) & np.signbit(a), a, np.minimum(a, b))))


def _to_int(values: Numbers, low: int, high: int) -> Numbers:
    exact = np.nan_to_num(values.astype(np.float64), nan=0.0, posinf=2.0**70, neginf=-(2.0**70))
    return np.clip(exact, low, high).astype(np.int64)


FLOATS: dict[str, tuple[str, str, Callable[..., Numbers]]] = {
    "add": ("add.f32 %d, %a, %b;", "f4", lambda a, b, c: a + b),
    "add.ftz": ("add.f32 %q0, %a, %b; add.ftz.f32 %d, %a, %b;", "f4", lambda a, b, c: _ftz(_ftz(a) + _ftz(b))),
    "mul.sat": (
        "mul.sat.f32 %d, %a, %b;",
        "f4",
        lambda a, b, c: np.nan_to_num(np.clip(a * b, 0, 1), nan=0.0) + np.float32(0),
    ),
    "div.rn": ("div.rn.f32 %d, %a, %b;", "f4", lambda a, b, c: a / b),
    "sqrt": ("sqrt.rn.f32 %d, %a;", "f4", lambda a, b, c: np.sqrt(a)),
    "min": ("min.f32 %d, %a, %b;", "f4", lambda a, b, c: _minimum(a, b)),
    "min.NaN": (
        "min.NaN.f32 %d, %a, %b;",
        "f4",
        lambda a, b, c: np.where(np.isnan(a) | np.isnan(b), np.float32(np.nan), _minimum(a, b)),
    ),
    "abs": ("abs.f32 %d, %a;", "f4", lambda a, b, c: np.abs(a)),
    "neg": ("neg.f32 %d, %a;", "f4", lambda a, b, c: -a),
    "copysign": ("copysign.f32 %d, %a, %b;", "f4", lambda a, b, c: np.copysign(b, a)),
    "setp.lt": ("setp.lt.f32 %s0, %a, %b; selp.f32 %d, %a, %b, %s0;", "f4", lambda a, b, c: np.where(a < b, a, b)),
    "setp.geu": ("setp.geu.f32 %s0, %a, %b; selp.f32 %d, %a, %b, %s0;", "f4", lambda a, b, c: np.where(~(a < b), a, b)),
    "setp.num": (
        "setp.num.f32 %s0, %a, %b; selp.f32 %d, %a, 0f3F800000, %s0;",
        "f4",
        lambda a, b, c: np.where(np.isnan(a) | np.isnan(b), np.float32(1), a),
    ),
    "testp": (
        "testp.finite.f32 %s0, %a; selp.f32 %d, 0f3F800000, 0f00000000, %s0;",
        "f4",
        lambda a, b, c: np.isfinite(a).astype("f4"),
    ),
    "set.f32": ("set.gt.f32.f32 %d, %a, %b;", "f4", lambda a, b, c: (a > b).astype("f4")),
    "cvt.rzi.s32": (
        "cvt.rzi.s32.f32 %d, %a;",
        "i4",
        lambda a, b, c: _to_int(np.trunc(a), -(1 << 31), (1 << 31) - 1).astype("i4"),
    ),
    "cvt.rni.u32": (
        "cvt.rni.u32.f32 %d, %a;",
        "u4",
        lambda a, b, c: _to_int(np.rint(a), 0, (1 << 32) - 1).astype("u4"),
    ),
    "cvt.rmi.s8": (
        "{ .reg .b16 %t; cvt.rmi.s8.f32 %t, %a; cvt.s32.s16 %d, %t; }",
        "i4",
        lambda a, b, c: _to_int(np.floor(a), -128, 127).astype("i4"),
    ),
    "cvt.rpi.f32": ("cvt.rpi.f32.f32 %d, %a;", "f4", lambda a, b, c: np.ceil(a)),
    "cvt.sat.f32": (
        "cvt.sat.f32.f32 %d, %a;",
        "f4",
        lambda a, b, c: np.nan_to_num(np.clip(a, 0, 1), nan=0.0) + np.float32(0),
    ),
    "through f16": ("cvt.rn.f16.f32 %h0, %a; cvt.f32.f16 %d, %h0;", "f4", lambda a, b, c: a.astype("f2").astype("f4")),
    "through f64": (
        "{ .reg .f64 %x, %y; cvt.f64.f32 %x, %a; cvt.f64.f32 %y, %b; add.f64 %x, %x, %y; cvt.rn.f32.f64 %d, %x; }",
        "f4",
        lambda a, b, c: (a.astype("f8") + b.astype("f8")).astype("f4"),
    ),
    "cvt.rn.f32.u32": (
        "{ .reg .b32 %t; mov.b32 %t, %a; cvt.rn.f32.u32 %d, %t; }",
        "f4",
        lambda a, b, c: a.view("u4").astype("f4"),
    ),
    "f16x2": (
        "{ .reg .b32 %t; cvt.rn.f16x2.f32 %t, %a, %b; add.f16x2 %t, %t, %t;"
        "mov.b32 {%h0, %h1}, %t; cvt.f32.f16 %d, %h1; }",
        "f4",
        lambda a, b, c: (a.astype("f2") + a.astype("f2")).astype("f4"),
    ),
    "a constant": ("add.f32 %d, %a, 0f40200000;", "f4", lambda a, b, c: a + np.float32(2.5)),
}


APPROXIMATIONS: dict[str, tuple[Callable[[Numbers], Numbers], float]] = {
    "rcp.approx.ftz": (lambda x: 1 / x, 2e-7), "sqrt.approx": (np.sqrt, 2e-7),
    "rsqrt.approx": (lambda x: 1 / np.sqrt(x), 3e-7), "sin.approx": (np.sin, 1e-6), "cos.approx": (np.cos, 1e-6),
    "lg2.approx": (np.log2, 1e-6), "ex2.approx": (np.exp2, 1e-6), "tanh.approx": (np.tanh, 5e-4),
}  # fmt: skip
"""Functions of single precision with the error that the manual allows, relative to results of more than 1."""
DIRECTED = {"rz": 0.0, "rm": -np.inf, "rp": np.inf}
ARGUMENTS = np.linspace(0.1, 3.0, 120, dtype="f4")


@cache
def all_floats(device: str) -> dict[str, Numbers]:
    rows = {name: Computation(code, "b32", floats()) for name, (code, _, _) in FLOATS.items()}
    for mode in DIRECTED:
        rows[mode] = Computation(f"mul.{mode}.f32 %d, %a, %b;", "b32", (ARGUMENTS, ARGUMENTS[::-1].copy()))
    for name in APPROXIMATIONS:
        rows[name] = Computation(f"{name}.f32 %d, %a;", "b32", (ARGUMENTS,))
    return computed(rows, device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", FLOATS)
def test_floating_point(name: str, device: str):
    _, dtype, expected = FLOATS[name]
    a, b, c = floats()
    found = all_floats(device)[name].view(dtype)
    with np.errstate(all="ignore"):
        wanted = np.asarray(expected(a, b, c)).astype(dtype)
    same = found.view("u4") == wanted.view("u4")
    if dtype == "f4":
        same |= np.isnan(found) & np.isnan(wanted)
    if "sat" in name:
        same |= found == wanted  # the sign of a zero is open
    assert same.all(), [(a[i], b[i], found[i], wanted[i]) for i in np.flatnonzero(~same)[:5]]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("mode", DIRECTED)
def test_directed_roundings(mode: str, device: str):
    exact = ARGUMENTS.astype("f8") * ARGUMENTS[::-1]
    nearest = exact.astype("f4")
    beyond = {"rz": np.abs(nearest) > np.abs(exact), "rm": nearest > exact, "rp": nearest < exact}[mode]
    wanted = np.where(beyond, np.nextafter(nearest, np.float32(DIRECTED[mode])), nearest)
    assert (all_floats(device)[mode].view("f4") == wanted).all()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", APPROXIMATIONS)
def test_approximate_instructions_keep_within_the_errors_of_the_manual(name: str, device: str):
    function, error = APPROXIMATIONS[name]
    wanted = function(ARGUMENTS.astype("f8"))
    found = all_floats(device)[name].view("f4")
    assert (np.abs(found - wanted) <= error * np.maximum(1, np.abs(wanted))).all()
