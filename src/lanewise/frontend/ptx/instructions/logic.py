# SPDX-License-Identifier: Apache-2.0
"""Logic and shifts.

Source: PTX ISA 9.0, 9.7.8 "Logic and Shift Instructions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.instructions.integers import shift
from lanewise.frontend.ptx.instructions.words import Row, only, type_word
from lanewise.frontend.ptx.ptx_types import is_signed
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.values import Value, i32, int_constant
from lanewise.ptx.language.operands import Immediate
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode


def _binary(op: str) -> Row:
    def row(code: PtxCode, instruction: Instruction) -> None:
        only(instruction)
        word = type_word(instruction)
        target, a, b = instruction.operands
        code.write(target, code.build.binary(op, code.read(a, word), code.read(b, word)))

    return row


def _not(code: PtxCode, instruction: Instruction) -> None:
    value = code.read(instruction.operands[1], type_word(instruction))
    code.write(instruction.operands[0], code.build.binary("xor", value, int_constant(value.type, -1)))


def _cnot(code: PtxCode, instruction: Instruction) -> None:
    value = code.read(instruction.operands[1], type_word(instruction))
    zero = code.build.compare("eq", value, int_constant(value.type, 0))
    code.write(instruction.operands[0], code.build.cast("zext", zero, value.type))


def _lop3(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "or", "and")
    target, *operands = instruction.operands
    a, b, c = (code.read(operand, "b32") for operand in operands[:3])
    table = operands[3]
    if not isinstance(table, Immediate) or isinstance(table.value, float):
        raise RefusedError("its table is no number")
    result = _by_table(code, table.value & 255, (a, b, c))
    if {"or", "and"} & set(instruction.modifiers):
        some = code.build.compare("ne", result, i32(0))
        op = "or" if "or" in instruction.modifiers else "and"
        code.write_pair(target, result, code.build.binary(op, some, code.read(operands[4], "pred")))
    else:
        code.write(target, result)


def _by_table(code: PtxCode, table: int, values: tuple[Value, ...]) -> Value:
    """The function of words with this table of truth, which has the last word's bits nearest."""
    ones = (1 << (1 << len(values))) - 1
    if table in (0, ones):
        return i32(-1 if table else 0)
    half = 1 << (len(values) - 1)
    first, rest = values[0], values[1:]
    low, high = table & ((1 << half) - 1), table >> half
    all_ones = (1 << half) - 1
    if low == high:
        return _by_table(code, low, rest)
    if high == low ^ all_ones:
        return first if low == 0 else code.build.binary("xor", first, _by_table(code, low, rest))
    if low == 0:
        return code.build.binary("and", first, _by_table(code, high, rest))
    inverse = code.build.binary("xor", first, i32(-1))
    if high == 0:
        return code.build.binary("and", inverse, _by_table(code, low, rest))
    if high == all_ones:
        return code.build.binary("or", first, _by_table(code, low, rest))
    if low == all_ones:
        return code.build.binary("or", inverse, _by_table(code, high, rest))
    with_ = code.build.binary("and", first, _by_table(code, high, rest))
    without = code.build.binary("and", inverse, _by_table(code, low, rest))
    return code.build.binary("or", with_, without)


def _shift(code: PtxCode, instruction: Instruction) -> None:
    only(instruction)
    word = type_word(instruction)
    target, a, b = instruction.operands
    op = "shl" if instruction.name == "shl" else "ashr" if is_signed(word) else "lshr"
    code.write(target, shift(code, op, code.read(a, word), code.read(b, "u32")), is_signed(word))


def _shf(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "l", "r", "wrap", "clamp")
    target, low, high, count = instruction.operands
    x, y, by = code.read(low, "b32"), code.read(high, "b32"), code.read(count, "u32")
    left = "l" in instruction.modifiers
    if "clamp" in instruction.modifiers:
        wide = code.build.binary(
            "or",
            code.build.binary("shl", code.build.cast("zext", y, ty.I64), int_constant(ty.I64, 32)),
            code.build.cast("zext", x, ty.I64),
        )
        clamped = code.intrinsic("umin.i32", ty.I32, by, i32(32))
        shifted = shift(code, "shl" if left else "lshr", wide, clamped)
        if left:
            shifted = code.build.binary("lshr", shifted, int_constant(ty.I64, 32))
        code.write(target, code.build.cast("trunc", shifted, ty.I32))
        return
    code.write(target, code.intrinsic(f"fsh{'l' if left else 'r'}.i32", ty.I32, y, x, by))


ROWS: Final[dict[str, Row]] = {
    "and": _binary("and"),
    "or": _binary("or"),
    "xor": _binary("xor"),
    "not": _not,
    "cnot": _cnot,
    "lop3": _lop3,
    "shl": _shift,
    "shr": _shift,
    "shf": _shf,
}
