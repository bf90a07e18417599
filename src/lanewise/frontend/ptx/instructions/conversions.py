# SPDX-License-Identifier: Apache-2.0
"""Conversions between types.

Source: PTX ISA 9.0, 9.7.9.21 "Data Movement and Conversion Instructions: cvt", 6.5 "Type Conversion".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.flushing import flushed
from lanewise.frontend.ptx.instructions.floats import splat
from lanewise.frontend.ptx.instructions.integers import extreme
from lanewise.frontend.ptx.instructions.narrow_conversions import (
    FORMATS,
    convert_pairs_of_bytes,
    directed_half,
    pack_integers,
    round_to_tf32,
)
from lanewise.frontend.ptx.instructions.words import Row, only, types_of
from lanewise.frontend.ptx.ptx_types import BFLOAT, HALF, TYPES, is_floating, is_signed
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.intrinsics import spelled
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32, int_constant
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_TO_INTEGRAL: Final = {"rni": "roundeven", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
_MODES: Final = ("rn", "rz", "rm", "rp")


def _cvt(code: PtxCode, instruction: Instruction) -> None:
    if "tf32" in instruction.modifiers:
        round_to_tf32(code, instruction)
        return
    if any(word in FORMATS for word in instruction.modifiers):
        convert_pairs_of_bytes(code, instruction)
        return
    if "pack" in instruction.modifiers:
        pack_integers(code, instruction)
        return
    only(instruction, *_TO_INTEGRAL, *_MODES, "ftz", "sat", "relu")
    words = types_of(instruction)
    if len(words) != 2:
        raise RefusedError("a type of it is not supported")
    to, source = words
    if to in ("f16x2", "bf16x2"):
        _packed(code, instruction, to)
        return
    value = code.read(instruction.operands[1], source)
    if "ftz" in instruction.modifiers:
        value = flushed(code, value)
    result = _converted(code, instruction, value, to, source)
    if "ftz" in instruction.modifiers:
        result = flushed(code, result)
    code.write(instruction.operands[0], result, is_signed(to))


def _converted(code: PtxCode, instruction: Instruction, value: Value, to: str, source: str) -> Value:
    words = instruction.modifiers
    if is_floating(source) and is_floating(to):
        return _float_to_float(code, words, value, TYPES[to])
    if is_floating(source):
        mode = next((word for word in words if word in _TO_INTEGRAL), "rzi")
        return float_to_integer(code, value, mode, TYPES[to], is_signed(to))
    if is_floating(to):
        return _integer_to_float(code, words, value, TYPES[to], is_signed(source))
    return _integer_to_integer(code, "sat" in words, value, to, source)


# ---- Between numbers of floating point ---------------------------------------------------------------------------


def _float_to_float(code: PtxCode, words: tuple[str, ...], value: Value, to: Type) -> Value:
    integral = next((word for word in words if word in _TO_INTEGRAL), None)
    if integral is not None:
        value = code.intrinsic(f"{_TO_INTEGRAL[integral]}.{spelled(value.type)}", value.type, value)
    if to.bits > value.type.bits:
        value = code.build.cast("fpext", value, to)
    elif to.bits < value.type.bits:
        value = _narrowed(code, value, to, next((word for word in words if word in _MODES), "rn"))
    elif to is not value.type:
        value = _narrowed(code, code.build.cast("fpext", value, ty.FLOAT), to, "rn")
    if "sat" in words:
        low = code.intrinsic(f"maximumnum.{spelled(to)}", to, value, splat(0.0, to))
        return code.intrinsic(f"minimumnum.{spelled(to)}", to, low, splat(1.0, to))
    if "relu" in words:
        return code.intrinsic(f"maximumnum.{spelled(to)}", to, value, splat(0.0, to))
    return value


def _narrowed(code: PtxCode, value: Value, to: Type, mode: str) -> Value:
    if mode == "rn":
        return code.build.cast("fptrunc", value, to)
    if value.type is ty.DOUBLE and to is ty.FLOAT:
        return code.intrinsic(f"nvvm.d2f.{mode}", ty.FLOAT, value)
    if value.type is ty.FLOAT and to is BFLOAT and mode == "rz":
        bits = code.build.binary("lshr", code.build.cast("bitcast", value, ty.I32), i32(16))
        short = code.build.cast("bitcast", code.build.cast("trunc", bits, ty.I16), to)
        nan = code.build.emit(Made("fcmp", ty.I1, (value, value), predicate="uno"))
        return code.build.select(nan, code.build.cast("fptrunc", value, to), short)
    if to is HALF:
        return directed_half(code, value, mode)
    raise RefusedError(f".{mode} to {to} is not supported")


def _packed(code: PtxCode, instruction: Instruction, to: str) -> None:
    """cvt.f16x2.f32 d, a, b: `a` becomes the upper half."""
    if len(instruction.operands) != 3:
        raise RefusedError("this form is not supported")
    part = HALF if to == "f16x2" else BFLOAT
    result: Value = Constant(TYPES[to], "undef")
    for place, operand in ((1, instruction.operands[1]), (0, instruction.operands[2])):
        value = _float_to_float(code, instruction.modifiers, code.read(operand, "f32"), part)
        result = code.build.emit(Made("insertelement", TYPES[to], (result, value, i32(place))))
    code.write(instruction.operands[0], result)


# ---- To and from integers ----------------------------------------------------------------------------------------


def float_to_integer(code: PtxCode, value: Value, mode: str, to: Type, signed: bool) -> Value:
    """The nearest integer of a type by a rounding; a number outside gives the nearest one, a NaN 0 for 32 bits and
    fewer."""
    if value.type not in (ty.FLOAT, ty.DOUBLE):
        value = code.build.cast("fpext", value, ty.FLOAT)
    whole = code.intrinsic(f"{_TO_INTEGRAL[mode]}.{spelled(value.type)}", value.type, value)
    op = f"fpto{'s' if signed else 'u'}i.sat"
    result = code.intrinsic(f"{op}.i{to.bits}.{spelled(value.type)}", to, whole)
    if to.bits < 64:
        return result
    nan = code.build.emit(Made("fcmp", ty.I1, (value, value), predicate="uno"))
    return code.build.select(nan, int_constant(to, 1 << 63), result)


def _integer_to_float(code: PtxCode, words: tuple[str, ...], value: Value, to: Type, signed: bool) -> Value:
    mode = next((word for word in words if word in _MODES), "rn")
    if mode == "rn":
        return code.build.cast("sitofp" if signed else "uitofp", value, to)
    if to is HALF:  # what a double has no place for is too large
        return directed_half(code, code.build.cast("sitofp" if signed else "uitofp", value, ty.DOUBLE), mode)
    if to not in (ty.FLOAT, ty.DOUBLE):
        raise RefusedError(f".{mode} to {to} is not supported")
    wide = value
    if value.type.bits < 32:
        wide = code.build.cast("sext" if signed else "zext", value, ty.I32)
    kind = {(32, True): "i", (32, False): "ui", (64, True): "ll", (64, False): "ull"}[wide.type.bits, signed]
    return code.intrinsic(f"nvvm.{kind}2{'f' if to is ty.FLOAT else 'd'}.{mode}", to, wide)


def _integer_to_integer(code: PtxCode, saturates: bool, value: Value, to: str, source: str) -> Value:
    have, want = value.type.bits, TYPES[to].bits
    if saturates:
        value = _saturated(code, value, to, source)
    if want > have:
        return code.build.cast("sext" if is_signed(source) else "zext", value, TYPES[to])
    return code.build.cast("trunc", value, TYPES[to]) if want < have else value


def _saturated(code: PtxCode, value: Value, to: str, source: str) -> Value:
    """The nearest value that both types have."""
    bits, type_ = TYPES[to].bits, value.type
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed(to) else (0, (1 << bits) - 1)
    if not is_signed(source):
        high = min(high, (1 << type_.bits) - 1)
        return extreme(code, "umin", value, int_constant(type_, high))
    least, most = -(1 << (type_.bits - 1)), (1 << (type_.bits - 1)) - 1
    value = extreme(code, "smax", value, int_constant(type_, max(low, least)))
    return extreme(code, "smin", value, int_constant(type_, min(high, most)))


ROWS: Final[dict[str, Row]] = {"cvt": _cvt}
