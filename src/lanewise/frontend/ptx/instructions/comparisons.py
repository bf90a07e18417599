# SPDX-License-Identifier: Apache-2.0
"""Comparison and selection.

Source: PTX ISA 9.0, 9.7.6 "Comparison and Selection Instructions", 9.7.7 "Half Precision Comparison Instructions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.flushing import flushed
from lanewise.frontend.ptx.instructions.floats import splat
from lanewise.frontend.ptx.instructions.words import Row, type_word, types_of
from lanewise.frontend.ptx.ptx_types import TYPES, is_floating, is_signed
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.values import Constant, Value, int_constant
from lanewise.ptx.language.operands import Operand, Pair
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_RELATIONS: Final = frozenset(
    ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]
)  # fmt: skip
_UNSIGNED: Final = {"lo": "ult", "ls": "ule", "hi": "ugt", "hs": "uge"}
_FLOATING: Final = {
    "eq": "oeq", "ne": "one", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge",
    "equ": "ueq", "neu": "une", "ltu": "ult", "leu": "ule", "gtu": "ugt", "geu": "uge", "num": "ord", "nan": "uno",
}  # fmt: skip


def compare(code: PtxCode, relation: str, word: str, x: Value, y: Value) -> Value:
    """A comparison of two values of PTX's type `word`."""
    type_ = ty.I1.with_shape_of(x.type)
    if is_floating(word):
        return code.build.emit(Made("fcmp", type_, (x, y), predicate=_FLOATING[relation]))
    if relation in _UNSIGNED:
        return code.build.compare(_UNSIGNED[relation], x, y)
    if relation in ("eq", "ne"):
        return code.build.compare(relation, x, y)
    if relation not in ("lt", "le", "gt", "ge"):
        raise RefusedError(f".{relation} of .{word}")
    return code.build.compare(f"{'s' if is_signed(word) else 'u'}{relation}", x, y)


def _compared(code: PtxCode, instruction: Instruction, word: str, a: Operand, b: Operand) -> Value:
    relation = next((each for each in instruction.modifiers if each in _RELATIONS), None)
    if relation is None:
        raise RefusedError("it has no comparison that is supported")
    x, y = code.read(a, word), code.read(b, word)
    if "ftz" in instruction.modifiers:
        x, y = flushed(code, x), flushed(code, y)
    return compare(code, relation, word, x, y)


def _combined(code: PtxCode, instruction: Instruction, result: Value, with_: tuple[Operand, ...]) -> Value:
    """The comparison, combined with a predicate by .and, .or or .xor."""
    op = next((each for each in instruction.modifiers if each in ("and", "or", "xor")), None)
    if op is None or not with_:
        return result
    return code.build.binary(op, result, code.read(with_[0], "pred"))


def _not(code: PtxCode, value: Value) -> Value:
    return code.build.binary("xor", value, int_constant(ty.I1, 1))


def _setp(code: PtxCode, instruction: Instruction) -> None:
    word = type_word(instruction)
    target, a, b, *more = instruction.operands
    result = _compared(code, instruction, word, a, b)
    if result.type.is_vector:
        if not isinstance(target, Pair) or more:
            raise RefusedError("this form is not supported")
        for place, each in enumerate((target.first, target.second)):
            part = code.build.emit(Made("extractelement", ty.I1, (result, int_constant(ty.I32, place))))
            code.write(each, part)
        return
    combined = _combined(code, instruction, result, tuple(more))
    if isinstance(target, Pair):
        other = _combined(code, instruction, _not(code, result), tuple(more))
        code.write_pair(target, combined, other)
    else:
        code.write(target, combined)


def _set(code: PtxCode, instruction: Instruction) -> None:
    to, *words = types_of(instruction)
    if not words:
        raise RefusedError("this form is not supported")
    target, a, b, *more = instruction.operands
    result = _combined(code, instruction, _compared(code, instruction, words[0], a, b), tuple(more))
    if result.type.is_vector and (more or not TYPES[to].is_vector):
        raise RefusedError("this form is not supported")
    if is_floating(to):
        code.write(target, code.build.select(result, splat(1.0, TYPES[to]), splat(0.0, TYPES[to])))
    else:
        code.write(target, code.build.cast("sext", result, TYPES[to]))


def _selp(code: PtxCode, instruction: Instruction) -> None:
    word = type_word(instruction)
    target, a, b, condition = instruction.operands
    x, y = code.read(a, word), code.read(b, word)
    code.write(target, code.build.select(code.read(condition, "pred"), x, y))


def _slct(code: PtxCode, instruction: Instruction) -> None:
    words = types_of(instruction)
    target, a, b, c = instruction.operands
    x, y, by = code.read(a, words[0]), code.read(b, words[0]), code.read(c, words[-1])
    if "ftz" in instruction.modifiers:
        by = flushed(code, by)
    zero = Constant(by.type, "float", "0x" + "0" * 16) if by.type.is_float else int_constant(by.type, 0)
    code.write(target, code.build.select(compare(code, "ge", words[-1], by, zero), x, y))


ROWS: Final[dict[str, Row]] = {"setp": _setp, "set": _set, "selp": _selp, "slct": _slct}
