# SPDX-License-Identifier: Apache-2.0
"""Operations of a warp.

Source: PTX ISA 9.0, 9.7.9.6 "shfl.sync", 9.7.13.9 "vote.sync", "match.sync", "activemask", "redux.sync", "elect.sync".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.instructions.words import Row, type_word
from lanewise.frontend.ptx.ptx_types import is_signed
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.values import Value, i32, int_constant
from lanewise.ptx.language.operands import Pair
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_SHUFFLES: Final = ("up", "down", "bfly", "idx")
_VOTES: Final = ("all", "any", "uni", "ballot")
_MAGNITUDE: Final = 0x7FFFFFFF
_LEAST: Final = -(1 << 31)
_INFINITY: Final = 0x7F800000
_NAN: Final = 0x7FFFFFFF


def _active(code: PtxCode) -> Value:
    return code.intrinsic("nvvm.activemask", ty.I32)


def _shfl(code: PtxCode, instruction: Instruction) -> None:
    mode = next((word for word in instruction.modifiers if word in _SHUFFLES), None)
    if mode is None:
        raise RefusedError("it has no mode")
    target, *operands = instruction.operands
    value, lane, clamp = (code.read(operand, "b32") for operand in operands[:3])
    mask = code.read(operands[3], "b32") if "sync" in instruction.modifiers else _active(code)
    pair = code.intrinsic(f"nvvm.shfl.sync.{mode}.i32p", ty.struct((ty.I32, ty.I1)), mask, value, lane, clamp)
    code.write_pair(target, *_parts(code, pair, ty.I32))


def _parts(code: PtxCode, pair: Value, type_: ty.Type) -> tuple[Value, Value]:
    first = code.build.emit(Made("extractvalue", type_, (pair,), indices=(0,)))
    return first, code.build.emit(Made("extractvalue", ty.I1, (pair,), indices=(1,)))


def _vote(code: PtxCode, instruction: Instruction) -> None:
    kind = next((word for word in instruction.modifiers if word in _VOTES), None)
    if kind is None:
        raise RefusedError("it has no kind")
    target, condition, *mask = instruction.operands
    members = code.read(mask[0], "b32") if mask else _active(code)
    result = ty.I32 if kind == "ballot" else ty.I1
    code.write(target, code.intrinsic(f"nvvm.vote.{kind}.sync", result, members, code.read(condition, "pred")))


def _match(code: PtxCode, instruction: Instruction) -> None:
    word = type_word(instruction)
    target, operand, mask = instruction.operands
    value, members = code.read(operand, word), code.read(mask, "b32")
    kind = f"i{value.type.bits}"
    if "any" in instruction.modifiers:
        code.write(target, code.intrinsic(f"nvvm.match.any.sync.{kind}", ty.I32, members, value))
        return
    pair = code.intrinsic(f"nvvm.match.all.sync.{kind}p", ty.struct((ty.I32, ty.I1)), members, value)
    code.write_pair(target, *_parts(code, pair, ty.I32))


def _activemask(code: PtxCode, instruction: Instruction) -> None:
    code.write(instruction.operands[0], _active(code))


def _redux(code: PtxCode, instruction: Instruction) -> None:
    word = type_word(instruction)
    operation = next(each for each in instruction.modifiers if each != "sync")
    if word[0] == "f":
        _redux_of_floats(code, instruction, operation)
        return
    if operation in ("min", "max") and not is_signed(word):
        operation = f"u{operation}"
    target, operand, mask = instruction.operands
    value, members = code.read(operand, word), code.read(mask, "b32")
    code.write(target, code.intrinsic(f"nvvm.redux.sync.{operation}", ty.I32, value, members))


def _redux_of_floats(code: PtxCode, instruction: Instruction, operation: str) -> None:
    """The reduction of integers that are in the order of the numbers; a NaN comes last, or with `.NaN` first."""
    if operation not in ("min", "max") or type_word(instruction) != "f32":
        raise RefusedError("floating-point numbers are reduced by .min.f32 and .max.f32")
    build, words = code.build, instruction.modifiers
    target, operand, mask = instruction.operands
    bits, members = code.read(operand, "b32"), code.read(mask, "b32")
    magnitude = build.binary("and", bits, i32(_MAGNITUDE))
    value = magnitude if "abs" in words else bits
    is_nan = build.compare("ugt", magnitude, i32(_INFINITY))
    beyond = _MAGNITUDE if (operation == "min") != ("NaN" in words) else _LEAST
    key = build.select(is_nan, i32(beyond), _turned(code, value))
    found = code.intrinsic(f"nvvm.redux.sync.{operation}", ty.I32, key, members)
    none = build.compare("eq", found, i32(beyond))
    code.write(target, build.select(none, i32(_NAN), _turned(code, found)))


def _turned(code: PtxCode, bits: Value) -> Value:
    """Bits of a float as an integer in the same order, and the other way round."""
    negative = code.build.compare("slt", bits, i32(0))
    return code.build.select(negative, code.build.binary("xor", bits, i32(_MAGNITUDE)), bits)


def _elect(code: PtxCode, instruction: Instruction) -> None:
    """The first lane of the mask is elected."""
    target, mask = instruction.operands
    members = code.read(mask, "b32")
    leader = code.intrinsic("cttz.i32", ty.I32, members, int_constant(ty.I1, 0))
    lane = code.intrinsic("nvvm.read.ptx.sreg.laneid", ty.I32)
    code.intrinsic("nvvm.bar.warp.sync", ty.VOID, members)
    elected = code.build.compare("eq", leader, lane)
    if not isinstance(target, Pair):
        raise RefusedError("it has no predicate")
    code.write_pair(target, leader, elected)


ROWS: Final[dict[str, Row]] = {
    "shfl": _shfl,
    "vote": _vote,
    "match": _match,
    "activemask": _activemask,
    "redux": _redux,
    "elect": _elect,
}
