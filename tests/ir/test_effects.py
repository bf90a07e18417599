# SPDX-License-Identifier: Apache-2.0
"""Effects of every operation and of every class of intrinsics, a row of a table each."""

from typing import Final

import pytest

from lanewise.ir import effects
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import INTRINSICS
from lanewise.ir.ops import OPS
from lanewise.ir.reader import read_module

HEAD: Final = """
%pair = type { i32, i64 }
@table = global [4 x ptr] zeroinitializer
declare void @unknown(ptr)
declare ptr @llvm.stacksave.p0()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, i32, <4 x i1>, <4 x float>)
declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, i32, <4 x i1>)
declare float @llvm.nvvm.ldg.global.f.f32.p1(ptr addrspace(1), i32)
declare float @llvm.fma.f32(float, float, float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.membar.gl()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.activemask()
declare void @llvm.nvvm.nanosleep(i32)
declare void @llvm.trap()
declare void @llvm.debugtrap()
declare void @llvm.nvvm.exit()
declare void @llvm.assume(i1)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.not.in.the.table()
"""

READS, WRITES, PURE, ENDS, ORDERED, ORDERS, MARKER = "reads", "writes", "pure", "ends", "ordered", "orders", "marker"
OF: Final = {
    READS: effects.reads,
    WRITES: effects.writes,
    PURE: effects.is_pure,
    ENDS: effects.may_not_return,
    ORDERED: effects.is_ordered,
    ORDERS: effects.orders,
    MARKER: effects.is_marker,
}
UNKNOWN: Final = f"{READS} {WRITES} {ENDS} {ORDERS}"
ATOMIC: Final = f"{READS} {WRITES} {ORDERED} {ORDERS}"

OPERATIONS: Final = [
    ("add i32 %i, %i", PURE),
    ("sub i32 %i, %i", PURE),
    ("mul i32 %i, %i", PURE),
    ("udiv i32 %i, %i", ""),
    ("sdiv i32 %i, %i", ""),
    ("urem i32 %i, %i", ""),
    ("srem i32 %i, %i", ""),
    ("shl i32 %i, %i", PURE),
    ("lshr i32 %i, %i", PURE),
    ("ashr i32 %i, %i", PURE),
    ("and i32 %i, %i", PURE),
    ("or i32 %i, %i", PURE),
    ("xor i32 %i, %i", PURE),
    ("fadd float %f, %f", PURE),
    ("fsub float %f, %f", PURE),
    ("fmul float %f, %f", PURE),
    ("fdiv float %f, %f", PURE),
    ("frem float %f, %f", PURE),
    ("fneg float %f", PURE),
    ("freeze i32 %i", PURE),
    ("trunc i32 %i to i8", PURE),
    ("zext i32 %i to i64", PURE),
    ("sext i32 %i to i64", PURE),
    ("fptrunc float %f to half", PURE),
    ("fpext float %f to double", PURE),
    ("fptoui float %f to i32", PURE),
    ("fptosi float %f to i32", PURE),
    ("uitofp i32 %i to float", PURE),
    ("sitofp i32 %i to float", PURE),
    ("ptrtoint ptr %p to i64", PURE),
    ("ptrtoaddr ptr %p to i64", PURE),
    ("inttoptr i64 8 to ptr", PURE),
    ("bitcast i32 %i to float", PURE),
    ("addrspacecast ptr addrspace(1) %g to ptr", PURE),
    ("icmp eq i32 %i, %i", PURE),
    ("fcmp oeq float %f, %f", PURE),
    ("phi i32 [ %i, %entry ]", PURE),
    ("select i1 %c, i32 %i, i32 %i", PURE),
    ("extractelement <4 x float> %v, i32 0", PURE),
    ("insertelement <4 x float> %v, float %f, i32 0", PURE),
    ("shufflevector <4 x float> %v, <4 x float> %v, <4 x i32> zeroinitializer", PURE),
    ("extractvalue %pair %s, 0", PURE),
    ("insertvalue %pair %s, i32 %i, 0", PURE),
    ("getelementptr i32, ptr %p, i32 %i", PURE),
    ("alloca i32", ""),  # executed twice, it makes two variables
    ("load i32, ptr %p", READS),
    ("load volatile i32, ptr %p", f"{READS} {ORDERED} {ORDERS}"),
    ("load atomic i32, ptr %p acquire, align 4", f"{READS} {ORDERED} {ORDERS}"),
    ("store i32 %i, ptr %p", WRITES),
    ("store volatile i32 %i, ptr %p", f"{WRITES} {ORDERED} {ORDERS}"),
    ("store atomic i32 %i, ptr %p monotonic, align 4", f"{WRITES} {ORDERED} {ORDERS}"),
    ("atomicrmw add ptr %p, i32 %i monotonic", ATOMIC),
    ("cmpxchg ptr %p, i32 %i, i32 %i monotonic monotonic", ATOMIC),
    ("fence acquire", ATOMIC),
    ("va_arg ptr %p, i32", f"{READS} {WRITES}"),
    ("call void @unknown(ptr %p)", UNKNOWN),
    ("call void %p(i32 %i)", UNKNOWN),
    ('call void asm "", ""()', UNKNOWN),
    ("ret void", ""),
    ("br label %next", ""),
    ("switch i32 %i, label %next []", ""),
    ("indirectbr ptr %p, [label %next]", ""),
    ("unreachable", ""),
]

INTRINSIC_CALLS: Final = [
    ("call float @llvm.fma.f32(float %f, float %f, float %f)", PURE),
    ("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", PURE),
    ("call i64 @llvm.nvvm.read.ptx.sreg.clock64()", f"{READS} {WRITES} {ORDERS}"),
    ("call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 8, i1 false)", f"{READS} {WRITES}"),
    ("call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 8, i1 true)", f"{READS} {WRITES} {ORDERS}"),
    ("call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %p, i64 8, i1 false)", f"{READS} {WRITES}"),
    ("call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)", WRITES),
    ("call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 %c)", f"{WRITES} {ORDERS}"),
    ("call <4 x float> @llvm.masked.load.v4f32.p0(ptr %p, i32 4, <4 x i1> %m, <4 x float> %v)", READS),
    ("call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr %p, i32 4, <4 x i1> %m)", WRITES),
    ("call float @llvm.nvvm.ldg.global.f.f32.p1(ptr addrspace(1) %g, i32 4)", READS),
    ("call ptr @llvm.stacksave.p0()", WRITES),
    ("call void @llvm.nvvm.barrier0()", f"{READS} {WRITES} {ORDERS}"),
    ("call void @llvm.nvvm.membar.gl()", f"{READS} {WRITES} {ORDERS}"),
    ("call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %i, i32 0, i32 31)", f"{READS} {WRITES} {ORDERS}"),
    ("call i32 @llvm.nvvm.activemask()", f"{READS} {WRITES} {ORDERS}"),
    ("call void @llvm.nvvm.nanosleep(i32 %i)", f"{READS} {WRITES} {ORDERS}"),
    ("call void @llvm.trap()", f"{WRITES} {ENDS}"),
    ("call void @llvm.debugtrap()", WRITES),
    ("call void @llvm.nvvm.exit()", f"{WRITES} {ENDS}"),
    ("call void @llvm.assume(i1 %c)", MARKER),
    ("call void @llvm.lifetime.start.p0(ptr %p)", MARKER),
    ("#dbg_value(i32 %i, !1, !DIExpression(), !2)", MARKER),
    ("call void @llvm.not.in.the.table()", UNKNOWN),
]


def instruction(text: str) -> Instruction:
    """The instruction that `text` spells, in a function of its own."""
    head = "define void @f(i32 %i, float %f, i1 %c, ptr %p, ptr addrspace(1) %g, <4 x float> %v, <4 x i1> %m, %pair %s)"
    named = text if text.startswith(("store", "fence", "ret", "br", "switch", "indirectbr", "unre", "#")) else None
    if named is None:
        named = text if text.startswith("call void") else f"%x = {text}"
    module = read_module(f"{HEAD}\n{head} {{\nentry:\n  br label %next\nnext:\n  {named}\n  ret void\n}}\n")
    return module.function("f").blocks[1].instructions[0]


def listed(found: Instruction) -> set[str]:
    return {word for word, holds in OF.items() if holds(found)}


@pytest.mark.parametrize(("text", "expected"), OPERATIONS + INTRINSIC_CALLS)
def test_effects_of_an_instruction(text: str, expected: str):
    assert listed(instruction(text)) == set(expected.split())


def test_every_operation_is_in_the_table():
    assert {text.split()[0] for text, _ in OPERATIONS} == set(OPS)


@pytest.mark.parametrize("text", [text for text, _ in OPERATIONS + INTRINSIC_CALLS])
def test_effects_agree_with_each_other(text: str):
    found = instruction(text)
    assert effects.touches_memory(found) is (effects.reads(found) or effects.writes(found))
    assert not (effects.is_pure(found) and effects.touches_memory(found))
    assert effects.writes(found) or not effects.may_not_return(found)  # who asks for writes only, is safe, too
    assert effects.orders(found) or not effects.is_ordered(found)


@pytest.mark.parametrize("name", sorted(INTRINSICS))
def test_rows_of_intrinsics_agree_with_themselves(name: str):
    row = INTRINSICS[name]
    assert not row.ignorable or not (row.reads or row.writes or row.convergent or row.ends)
    assert row.writes or not row.ends


@pytest.mark.parametrize(
    ("text", "pointer", "type_", "size"),
    [
        ("load i32, ptr %p", 0, "i32", 4),
        ("load <4 x float>, ptr %p", 0, "<4 x float>", 16),
        ("store i8 1, ptr %p", 1, "i8", 1),
        ("store ptr %p, ptr @table", 1, "ptr", 8),
        ("store %pair %s, ptr %p", 1, "%pair", 16),
        ("atomicrmw add ptr %p, i64 1 monotonic", 0, "i64", 8),
        ("cmpxchg ptr %p, i16 1, i16 2 monotonic monotonic", 0, "i16", 2),
    ],
)
def test_accesses(text: str, pointer: int, type_: str, size: int):
    found = instruction(text)
    assert found.op in effects.ACCESSES
    assert effects.pointer_operand(found) is found.operands[pointer]
    assert str(effects.accessed_type(found)) == type_
    assert effects.access_size(found, read_module(HEAD).types) == size


def test_copies():
    copies = {text.split("(")[0] for text, _ in INTRINSIC_CALLS if effects.is_copy(instruction(text))}
    assert {name.split("@")[1].split(".")[1] for name in copies} == {"memcpy", "memmove", "memset"}


VARYING: Final = {"alloca", "atomicrmw", "cmpxchg", "va_arg", "call", "load volatile", "load atomic"}
"""Beginnings of the operations, without calls of intrinsics, whose results differ whatever the operands are."""


@pytest.mark.parametrize("text", [text for text, _ in OPERATIONS])
def test_divergence_of_operations(text: str):
    varying = any(text.startswith(each) for each in VARYING)
    assert effects.divergence(instruction(text)) == ("varying" if varying else "operands")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("call float @llvm.fma.f32(float %f, float %f, float %f)", "operands"),
        ("call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 8, i1 false)", "operands"),
        ("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "varying"),
        ("call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()", "uniform"),
        ("call void @llvm.nvvm.barrier0()", "uniform"),
        ("call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %i, i32 0, i32 31)", "varying"),
        ("call i32 @llvm.nvvm.activemask()", "warp"),
        ("call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)", "warp"),
        ("call i32 @llvm.nvvm.redux.sync.add(i32 %i, i32 -1)", "warp"),
        ("call void @llvm.not.in.the.table()", "varying"),
        ("#dbg_value(i32 %i, !1, !DIExpression(), !2)", "uniform"),
    ],
)
def test_divergence_of_calls(text: str, expected: str):
    assert effects.divergence(instruction(text)) == expected


@pytest.mark.parametrize(
    ("text", "argument"),
    [
        ("call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)", 0),
        ("call i32 @llvm.nvvm.redux.sync.add(i32 %i, i32 -1)", 1),
        ("call i32 @llvm.nvvm.activemask()", None),
        ("call void @unknown(ptr %p)", None),
    ],
)
def test_members_of_an_operation_of_the_warp(text: str, argument: int | None):
    call = instruction(text)
    assert effects.member_mask(call) is (None if argument is None else call.arguments[argument])


def test_members_are_named_for_operations_of_the_warp_only():
    for row in INTRINSICS.values():
        assert row.members is None or (row.convergent and row.divergence == "warp"), row.name
        of_warp = row.divergence == "warp" and not row.name.startswith("llvm.nvvm.barrier")
        assert not of_warp or (row.members is None) is (".sync" not in row.name), row.name
