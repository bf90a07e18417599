# SPDX-License-Identifier: Apache-2.0
"""What the model says of a text: each form of statement and operand once."""

from __future__ import annotations

import pytest

from lanewise.ptx.language.module import Function
from lanewise.ptx.language.opcodes import arguments_of, results_of
from lanewise.ptx.language.operands import (
    Address,
    AddressList,
    Combined,
    Group,
    Immediate,
    Name,
    Negated,
    Offset,
    Operand,
    Pair,
    Vector,
    names_of,
)
from lanewise.ptx.language.parser import parse
from lanewise.ptx.language.statements import Block, Declaration, Directive, Guard, Instruction, Label

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"


def body(text: str) -> list[Instruction | Label | Declaration | Directive | Block]:
    module = parse(f"{HEAD}.entry k()\n{{\n{text}\n}}\n")
    assert module.kernels[0].body is not None
    return module.kernels[0].body.statements


def instruction(text: str) -> Instruction:
    (found,) = body(text)
    assert isinstance(found, Instruction)
    return found


def declaration(text: str) -> Declaration:
    (found,) = parse(HEAD + text).items
    assert isinstance(found, Declaration)
    return found


R, P = Name("%r1"), Name("%p1")


@pytest.mark.parametrize(
    ("text", "operand"),
    [
        ("%r1", R),
        ("%tid.x", Name("%tid.x")),
        ("-5", Immediate("-5", -5)),
        ("0x1F", Immediate("0x1F", 31)),
        ("017", Immediate("017", 15)),
        ("0b101U", Immediate("0b101U", 5)),
        ("18446744073709551615", Immediate("18446744073709551615", (1 << 64) - 1)),
        ("0f3f800000", Immediate("0f3f800000", 0x3F800000)),
        ("0d4000000000000000", Immediate("0d4000000000000000", 1 << 62)),
        ("1.5", Immediate("1.5", 1.5)),
        ("-.5e1", Immediate("-.5e1", -5.0)),
        ("table+8", Offset(Name("table"), 8)),
        ("table+-8", Offset(Name("table"), -8)),
        ("[%r1]", Address(R)),
        ("[%r1+4]", Address(R, 4)),
        ("[ %r1 + -4 ]", Address(R, -4)),
        ("[%r1+0x10]", Address(R, 16)),
        ("[64]", Address(Immediate("64", 64))),
        ("[%r1, {%r1, 2}]", AddressList((R, Vector((R, Immediate("2", 2)))))),
        ("{%r1, _}", Vector((R, Name("_")))),
        ("{ %r1 }", Vector((R,))),
        ("%r1|%p1", Pair(R, P)),
        ("{%r1}|%p1", Pair(Vector((R,)), P)),
        ("!%p1", Negated("!", P)),
        ("-%r1", Negated("-", R)),
        ("table[2]", Combined(Name("table"), Address(Immediate("2", 2)))),
    ],
)
def test_operand(text: str, operand: Operand) -> None:
    (found,) = instruction(f"mov.b32 {text};").operands
    assert found == operand
    (again,) = instruction(f"mov.b32 {found};").operands
    assert again == found


def test_zero_that_is_written_is_printed() -> None:
    """ptxas -g makes other code of the one than of the other."""
    assert [str(instruction(f"mov.b32 {text};").operands[0]) for text in ("[a]", "[a+0]")] == ["[a]", "[a+0]"]


def test_instruction() -> None:
    found = instruction("@!%p1 ld.global.L1::no_allocate .v2 .b32 {%r1, %r2}, [%rd1+8];")
    assert found.opcode == "ld.global.L1::no_allocate.v2.b32"
    assert (found.name, found.modifiers) == ("ld", ("global", "L1::no_allocate", "v2", "b32"))
    assert found.guard == Guard(P, True)
    assert names_of(found.operands[0]) == (Name("%r1"), Name("%r2"))
    assert instruction("@ %p1 ret;").guard == Guard(P)


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("call (%r1), f, (%r2, 3), proto;", (0, 2)),
        ("call.uni f, ();", (1,)),
        ("call f, (2);", (1,)),
        ("call f, (0f3F800000);", (1,)),
        ("call f;", ()),
    ],
)
def test_call(text: str, groups: tuple[int, ...]) -> None:
    found = instruction(text)
    assert tuple(i for i, operand in enumerate(found.operands) if isinstance(operand, Group)) == groups
    assert len(results_of(found)) == (1 if groups[:1] == (0,) else 0)


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("add.s32 a, b, c;", 1),
        ("st.global.b32 [a], b;", 0),
        ("setp.lt.s32 p|q, a, b;", 1),
        ("bar.sync 0;", 0),
        ("bar.red.popc.u32 a, 0, p;", 1),
        ("mbarrier.arrive.expect_tx.shared.b64 _, [a], 4;", 1),
        ("mbarrier.init.shared.b64 [a], 1;", 0),
        ("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [a], {b}, c;", 0),
        ("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {b}, [a], c;", 1),
        ("tcgen05.ld.sync.aligned.32x32b.x1.b32 {a}, [b];", 1),
        ("tcgen05.wait::ld.sync.aligned;", 0),
        ("red.global.add.u32 [a], b;", 0),
        ("atom.global.add.u32 a, [b], c;", 1),
    ],
)
def test_results(text: str, results: int) -> None:
    found = instruction(text)
    assert len(results_of(found)) == results
    assert results_of(found) + arguments_of(found) == found.operands


def test_statements_of_a_body() -> None:
    block, label, prototype, table, pragma, location, names = body(
        "{ .reg .b32 a; { ret; } }\nproto: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[]) .noreturn;\n"
        '.branchtargets A, B;\n.pragma "nounroll";\n.loc 1 2 3, function_name L+4, inlined_at 1 5 6\n'
        ".reg .b32 %r<5>, x;"
    )
    assert isinstance(block, Block)
    assert isinstance(block.statements[1], Block)
    assert isinstance(label, Label)
    assert label.name == "proto"
    assert isinstance(prototype, Directive)
    assert prototype.words[0] == ".callprototype"
    assert isinstance(table, Directive)
    assert table.words == (".branchtargets", "A", ",", "B")
    assert isinstance(pragma, Directive)
    assert pragma.words == (".pragma", '"nounroll"')
    assert pragma.ended
    assert isinstance(location, Directive)
    assert location.words[:4] == (".loc", "1", "2", "3")
    assert not location.ended
    assert isinstance(names, Declaration)
    assert [(d.name, d.count) for d in names.declarators] == [("%r", 5), ("x", None)]


def test_declarations() -> None:
    found = declaration(
        ".visible .global .attribute(.managed) .align 16 .v4 .f32 x[2][3] = {{1.0, 0f3F800000}, {2.0}}, y;"
    )
    assert (found.space, found.type, found.vector, found.alignment) == ("global", "f32", 4, 16)
    assert (found.linkage, found.attributes) == ((".visible",), (".managed",))
    first, second = found.declarators
    assert first.dimensions == (2, 3)
    assert first.initializer == (
        (Immediate("1.0", 1.0), Immediate("0f3F800000", 0x3F800000)),
        (Immediate("2.0", 2.0),),
    )
    assert second.initializer is None


@pytest.mark.parametrize(
    ("text", "initializer"),
    [
        ("table", Name("table")),
        ("table+8", Offset(Name("table"), 8)),
        ("generic(table)", "generic(table)"),
        ("generic( table ) + 8", "generic(table)+8"),
        ("generic(table)+-8", "generic(table)-8"),
        ("0xFF00(table)", "0xFF00(table)"),
        ("{ addr_mode_0 = wrap, force_unnormalized_coords = 1 }",
         ("addr_mode_0 = wrap", "force_unnormalized_coords = 1")),
        ("{}", ()),
        ("{ generic(a), 0, { -1 } }", ("generic(a)", Immediate("0", 0), (Immediate("-1", -1),))),
    ],
)  # fmt: skip
def test_initializer(text: str, initializer: object) -> None:
    found = declaration(f".global .u64 x[] = {text};")
    assert found.declarators[0].dimensions == (None,)
    assert found.declarators[0].initializer == initializer
    assert declaration(str(parse(HEAD + f".global .u64 x[] = {text};")).split("\n")[3]).declarators == found.declarators


def test_function() -> None:
    module = parse(
        HEAD + ".visible .func .attribute(.unified(1, 2)) (.param .b32 r) f(.param .u64 .ptr .global .align 8 a, "
        '.param .align 4 .b8 b[12]) .noreturn .pragma "nounroll";\n{\nret;\n}\n'
        ".weak .entry k .maxntid 0x100, 2 .reqnctapercluster 2 .minnctapersm 1 { L: exit; }\n.extern .func g;\n"
    )
    f, k, g = module.items
    assert isinstance(f, Function)
    assert isinstance(k, Function)
    assert isinstance(g, Function)
    assert (f.name, f.is_kernel, f.linkage) == ("f", False, (".visible",))
    assert [p.declarators[0].name for p in f.parameters] == ["a", "b"]
    assert f.parameters[0].pointer == (".ptr", ".global", ".align", "8")
    assert f.results[0].type == "b32"
    assert f.directive(".noreturn") == ()
    assert f.directive(".maxntid") is None
    assert k.directive(".maxntid") == (256, 2)
    assert k.directive(".reqnctapercluster") == (2,)
    assert [kernel.name for kernel in module.kernels] == ["k"]
    assert g.body is None
    assert [function.name for function in module.functions] == ["f", "k"]


def test_places() -> None:
    text = f"{HEAD}.entry k()\n{{\n\tret;\n\t/* a\n\tcomment */ @%p1 add.s32 a,\n\t\tb, c ; // d\n\t}}\n"
    module = parse(text)
    ret, add = module.kernels[0].instructions()
    assert (module.line(ret), module.line(add), module.line(module.kernels[0])) == (6, 8, 4)
    assert text[ret.start : ret.end] == "ret;"
    assert text[add.start : add.end] == "@%p1 add.s32 a,\n\t\tb, c ;"


def test_unknown_instructions_are_told_with_their_lines() -> None:
    module = parse(f"{HEAD}.entry k()\n{{\n\tadd.s32 a, b, c;\n\tfrob.x a, [b];\n\tret;\n\tfrob;\n}}\n")
    assert [(u.opcode, u.line) for u in module.unknown] == [("frob.x", 7), ("frob", 9)]
    assert [i.opcode for i in module.kernels[0].instructions()] == ["add.s32", "frob.x", "ret", "frob"]
    assert "\tfrob.x a, [b];\n" in str(module)


@pytest.mark.parametrize(("stated", "size"), [("", 64), (".address_size 64", 64), (".address_size 32", 32)])
def test_address_size(stated: str, size: int) -> None:
    module = parse(f".version 8.0\n.target sm_80\n{stated}\n.entry k() {{ ret; }}")
    assert module.address_size == size
    assert (".address_size" in str(module)) == bool(stated)


def test_old_debug_information_is_kept() -> None:
    text = '.version 3.1\n.target sm_20\n@@DWARF .byte 1, "/* no comment"\n.entry k()\n{\n\t@@DWARF .here\n\tret;\n}\n'
    assert '\n@@DWARF .byte 1, "/* no comment"\n' in str(parse(text))
    assert "\t@@DWARF .here\n" in str(parse(text))
