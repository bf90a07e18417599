# SPDX-License-Identifier: Apache-2.0
"""What instructions compute (`symbolic/instructions.py`), for random operands, against what the PTX manual says in
whole numbers: with operands that are known, and with symbols for which the numbers are put afterwards."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import pytest

import lanewise as lw
from lanewise.ptx.language.statements import Instruction
from lanewise.ptx.symbolic.instructions import Encoder
from lanewise.ptx.symbolic.operations import Operations
from lanewise.ptx.symbolic.terms import Differs, Terms

from .evaluation import BINARY, as_signed, value_of

_Oracle = Callable[..., int]
_s: Final = as_signed


def _compared(name: str, kind: str, width: int) -> _Oracle:
    def oracle(a: int, b: int, *rest: int) -> int:
        x, y = (_s(a, width), _s(b, width)) if kind == "s" else (a, b)
        return int({"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y,
                    "lo": a < b, "ls": a <= b, "hi": a > b, "hs": a >= b}[name])  # fmt: skip

    return oracle


def _table() -> dict[str, tuple[_Oracle, tuple[int, ...], int]]:
    """By opcode: the oracle, the widths of operands, that of the result's register."""
    table: dict[str, tuple[_Oracle, tuple[int, ...], int]] = {}
    for width in (16, 32, 64):
        for kind in "us":
            t = f"{kind}{width}"
            two = (width, width)
            table[f"add.{t}"] = (lambda a, b: a + b, two, width)
            table[f"sub.{t}"] = (lambda a, b: a - b, two, width)
            table[f"mul.lo.{t}"] = (lambda a, b: a * b, two, width)
            table[f"mad.lo.{t}"] = (lambda a, b, c: a * b + c, (width,) * 3, width)
            for name in ("div", "rem"):
                table[f"{name}.{t}"] = (
                    lambda a, b, k=kind, n=name, w=width: BINARY[k + n](a, b or 1, w), two, width
                )  # fmt: skip
            for name in ("min", "max"):
                table[f"{name}.{t}"] = (lambda a, b, k=kind, n=name, w=width: BINARY[k + n](a, b, w), two, width)
            shift = "ashr" if kind == "s" else "lshr"
            table[f"shr.{t}"] = (lambda a, b, n=shift, w=width: BINARY[n](a, b, w), (width, 32), width)
            for name in ("eq", "ne", "lt", "le", "gt", "ge", *(("lo", "ls", "hi", "hs") if kind == "u" else ())):
                compared = _compared(name, kind, width)
                table[f"setp.{name}.{t}"] = (compared, two, 1)
                if width < 64:
                    table[f"set.{name}.u32.{t}"] = (lambda a, b, o=compared: -o(a, b), two, 32)
            less = _compared("lt", kind, width)
            for name, op in (("and", int.__and__), ("or", int.__or__), ("xor", int.__xor__)):
                table[f"setp.lt.{name}.{t}"] = (
                    lambda a, b, c, o=less, f=op: f(o(a, b), c), (width, width, 1), 1
                )  # fmt: skip
            if width < 64:
                wide = _s if kind == "s" else (lambda a, w: a)
                table[f"mul.wide.{t}"] = (lambda a, b, f=wide, w=width: f(a, w) * f(b, w), two, 2 * width)
                table[f"mad.wide.{t}"] = (
                    lambda a, b, c, f=wide, w=width: f(a, w) * f(b, w) + c, (width, width, 2 * width), 2 * width
                )  # fmt: skip
            table[f"selp.{t}"] = (lambda a, b, c: a if c else b, (width, width, 1), width)
            for source in (8, 16, 32, 64):
                for sign in "us":
                    name = f"cvt.{t}.{sign}{source}"
                    register = max(source, 16)
                    table[name] = (
                        lambda a, g=sign, n=source: _s(a % 2**n, n) if g == "s" else a % 2**n, (register,), width
                    )  # fmt: skip
        table[f"abs.s{width}"] = (lambda a, w=width: abs(_s(a, w)), (width,), width)
        table[f"neg.s{width}"] = (lambda a: -a, (width,), width)
        table[f"not.b{width}"] = (lambda a: ~a, (width,), width)
        table[f"cnot.b{width}"] = (lambda a: int(a == 0), (width,), width)
        table[f"shl.b{width}"] = (lambda a, b, w=width: BINARY["shl"](a, b, w), (width, 32), width)
        for name, op in (("and", int.__and__), ("or", int.__or__), ("xor", int.__xor__)):
            table[f"{name}.b{width}"] = (lambda a, b, f=op: f(a, b), (width, width), width)
        table[f"mov.b{width}"] = (lambda a: a, (width,), width)
    for name, op in (("and", int.__and__), ("or", int.__or__), ("xor", int.__xor__)):
        table[f"{name}.pred"] = (lambda a, b, f=op: f(a, b), (1, 1), 1)
    table["not.pred"] = (lambda a: 1 - a, (1,), 1)
    table["slct.s32.s32"] = (lambda a, b, c: a if _s(c, 32) >= 0 else b, (32, 32, 32), 32)
    table["slct.u64.s32"] = (lambda a, b, c: a if _s(c, 32) >= 0 else b, (64, 64, 32), 64)
    # A register that is wider than the type: 9.4.1.
    table["cvt.s8.s32"] = (lambda a: _s(a % 256, 8), (32,), 32)
    table["cvt.u8.u32"] = (lambda a: a % 256, (32,), 32)
    table["cvt.s16.s64"] = (lambda a: _s(a % 65536, 16), (64,), 32)
    return table


TABLE: Final = _table()
_EDGES: Final = (0, 1, 2, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 32767, 32768, 65535, 2**31 - 1, 2**31, -1, -2)


def _operands(rng: random.Random, opcode: str, widths: tuple[int, ...]) -> list[int]:
    found = [rng.choice((*_EDGES, rng.getrandbits(w))) & ((1 << w) - 1) for w in widths]
    if opcode.startswith(("div", "rem")) and found[1] == 0:
        found[1] = 3  # PTX leaves the result open
    return found


@pytest.mark.parametrize("opcode", TABLE)
def test_an_instruction_is_what_the_manual_says(opcode: str) -> None:
    oracle, widths, width = TABLE[opcode]
    rng = random.Random(opcode)
    for _ in range(60):
        terms = Terms()
        encoder = Encoder(terms, Operations(terms))
        values = _operands(rng, opcode, widths)
        names = [f"v{place}" for place in range(len(values))]
        arguments = [
            terms.constant(w, value) if rng.random() < 0.4 else terms.symbol(name, w, Differs.NOT)
            for name, w, value in zip(names, widths, values, strict=True)
        ]
        term = encoder.encode(Instruction(opcode), arguments, width)
        assert term.width == width
        assert not any(atom.op == "call" for atom in term.atoms()), "it is in the table"
        assert value_of(term, dict(zip(names, values, strict=True))) == oracle(*values) % (1 << width), values


@pytest.mark.parametrize("kind", ["u32", "s32", "u64", "s64"])
def test_fields_of_bits(kind: str) -> None:
    rng = random.Random(kind)
    width = int(kind[1:])
    for _ in range(200):
        terms = Terms()
        encoder = Encoder(terms, Operations(terms))
        place, length, value = rng.randrange(width), rng.randrange(1, width), rng.getrandbits(width)
        arguments = [terms.symbol("v", width, Differs.NOT), terms.constant(32, place), terms.constant(32, length)]
        term = encoder.encode(Instruction(f"bfe.{kind}"), arguments, width)
        if place + length > width:
            assert next(iter(term.atoms())).op == "call"
            continue
        field = value >> place & ((1 << length) - 1)
        wanted = _s(field, length) % (1 << width) if kind[0] == "s" else field
        assert value_of(term, {"v": value}) == wanted


@pytest.mark.parametrize(
    "opcode",
    ["add.sat.s32", "mad.hi.s32", "mul.hi.u32", "mul24.lo.u32", "min.s16x2", "min.relu.s32", "add.f32", "neg.f32",
     "abs.f64", "popc.b32", "cvt.rzi.s32.f32", "cvt.sat.u8.s32", "cvt.rn.f32.s32", "prmt.b32", "lop3.b32", "fma.rn.f32",
     "setp.lt.f32", "slct.s32.f32", "add.u16x2"],
)  # fmt: skip
def test_what_is_not_in_the_table_is_a_function_of_its_operands(opcode: str) -> None:
    terms = Terms()
    encoder = Encoder(terms, Operations(terms))
    arguments = [terms.symbol(name, 32, Differs.BY_PLACE) for name in "abc"]
    width = 1 if opcode.startswith("setp") else 32
    term = encoder.encode(Instruction(opcode), arguments, width)
    (atom,) = term.atoms()
    assert atom.op == "call"
    assert term is encoder.encode(Instruction(opcode), arguments, width)
    assert term is not encoder.encode(Instruction(opcode), [*arguments[1:], arguments[0]], width)
    assert atom.differs is Differs.BY_PLACE


def _address(body: str) -> Any:
    """The address of the one load of a kernel."""
    text = f"""
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 k_0, .param .u32 k_1)
{{
    .reg .pred %p<9>;
    .reg .b16 %h<9>;
    .reg .b32 %r<9>;
    .reg .b64 %d<9>;
    .reg .f32 %f<9>;
    ld.param.u64 %d1, [k_0];
    ld.param.u32 %r1, [k_1];
    {body}
    ld.global.f32 %f1, [%d2];
    ret;
}}
"""
    (access,) = lw.ptx.emulate(lw.ptx.parse(text).kernels[0], extensions=True).accesses
    return access.text


@pytest.mark.parametrize(
    ("body", "address"),
    [
        ("add.s64 %d2, %d1, 16;", "0x10 + load(param0)"),
        ("mov.b64 {%r2, %r3}, %d1;\nmov.b64 %d2, {%r1, %r1};", None),
        ("setp.gt.s32 %p1|%p2, %r1, 0;\nselp.b64 %d2, %d1, 0, %p1;", "((0x0 <s load(param1)) ? load(param0) : 0x0)"),
        ("setp.gt.s32 %p1|%p2, %r1, 0;\nselp.b64 %d2, %d1, 0, %p2;", "((0x0 <s load(param1)) ? 0x0 : load(param0))"),
        ("mov.u64 %d2, 0;\nsetp.gt.s32 %p1, %r1, 0;\n@%p1 mov.u64 %d2, 8;", "((0x0 <s load(param1)) ? 0x8 : 0x0)"),
        ("mov.u64 %d2, 0;\nsetp.gt.s32 %p1, %r1, 0;\n@!%p1 mov.u64 %d2, 8;", "((0x0 <s load(param1)) ? 0x0 : 0x8)"),
        ("cvta.to.global.u64 %d2, %d1;", "load(param0)"),
        ("sub.s32 %r2, %r1, %r1;\ncvt.s64.s32 %d2, %r2;", "0x0"),
        ("mov.b32 {%h1, %h2}, %r1;\nmov.b32 %r2, {%h1, %h2};\ncvt.u64.u32 %d2, %r1;", "zext(load(param1))"),
        ("shl.b64 %d2, %d1, 64;", "0x0"),
        ("or.b64 %d2, %d1, 0;", "load(param0)"),
    ],
)
def test_operands_of_all_kinds(body: str, address: str | None) -> None:
    assert address is None or _address(body) == address
