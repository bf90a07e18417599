# SPDX-License-Identifier: Apache-2.0
"""Conversions to and from formats of which kernel IR has no type: tf32, and pairs of 8-bit floats; integers packed.

Source: PTX ISA 9.0, 9.7.9.21 "cvt", 9.7.9.22 "cvt.pack", 5.2.3 "Alternate Floating-Point Data Formats".
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from lanewise.frontend.ptx.instructions.integers import extreme
from lanewise.frontend.ptx.instructions.words import only, types_of
from lanewise.frontend.ptx.operands import float_constant
from lanewise.frontend.ptx.ptx_types import HALF, TYPES
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.values import Constant, Value, i32, int_constant
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_CUT: Final = 13
"""Bits of a float's fraction that tf32 lacks."""
_NAN: Final = 0x7FFFFFFF
_GREATEST: Final = 0x7F7FFFFF
_FRACTION: Final = 23
_BIAS: Final = 127
_HALF_FRACTION: Final = 10
_HALF_BIAS: Final = 15


class ByteFormat(NamedTuple):
    """A format of 8 bits: those of its fraction, the bias of its exponent, and its greatest number."""

    fraction: int
    bias: int
    greatest: int


FORMATS: Final = {"e4m3x2": ByteFormat(3, 7, 0x7E), "e5m2x2": ByteFormat(2, 15, 0x7B)}


def _is_nan(code: "PtxCode", value: Value) -> Value:
    return code.build.emit(Made("fcmp", ty.I1, (value, value), predicate="uno"))


def _rounded_bits(code: "PtxCode", bits: Value, cut: int) -> Value:
    """Bits of a float, rounded to nearest, to even in the middle, to be cut."""
    odd = code.build.binary("and", code.build.binary("lshr", bits, i32(cut)), i32(1))
    return code.build.binary("add", bits, code.build.binary("add", odd, i32((1 << (cut - 1)) - 1)))


def round_to_tf32(code: "PtxCode", instruction: Instruction) -> None:
    """cvt.tf32.f32: a float with ten bits of fraction. `rna` rounds halves away from zero."""
    only(instruction, "rna", "rn", "rz", "relu", "satfinite", "tf32")
    build = code.build
    value = code.read(instruction.operands[1], "f32")
    bits = code.as_integer(value)
    if "rna" in instruction.modifiers:
        bits = build.binary("add", bits, i32(1 << (_CUT - 1)))
    elif "rn" in instruction.modifiers:
        bits = _rounded_bits(code, bits, _CUT)
    result: Value = build.binary("and", bits, i32(-(1 << _CUT)))
    if "satfinite" in instruction.modifiers:
        sign = build.binary("and", result, i32(-(1 << 31)))
        size = extreme(code, "umin", build.binary("and", result, i32(_NAN)), i32(_GREATEST & -(1 << _CUT)))
        result = build.binary("or", sign, size)
    if "relu" in instruction.modifiers:
        result = build.select(build.compare("slt", result, i32(0)), i32(0), result)
    code.write(instruction.operands[0], build.select(_is_nan(code, value), i32(_NAN), result))


# ---- 8 bits --------------------------------------------------------------------------------------------------


def convert_pairs_of_bytes(code: "PtxCode", instruction: Instruction) -> None:
    """cvt to and from pairs of 8-bit floats. Of two operands, the first becomes the upper byte."""
    only(instruction, "rn", "satfinite", "relu", *FORMATS)
    target, *operands = instruction.operands
    word = next(word for word in instruction.modifiers if word in FORMATS)
    relu = "relu" in instruction.modifiers
    if types_of(instruction) == ["f16x2"] and instruction.modifiers[-1] == word:
        code.write(target, _halves_of_bytes(code, code.read(operands[0], "b16"), FORMATS[word], relu))
        return
    if types_of(instruction) == ["f16x2"]:
        pair = code.read(operands[0], "f16x2")
        values = [code.build.cast("fpext", _element(code, pair, place), ty.FLOAT) for place in (1, 0)]
    elif types_of(instruction) == ["f32"]:
        values = [code.read(operand, "f32") for operand in operands]
    else:
        raise RefusedError("this form is not supported")
    high, low = (_byte_of(code, value, FORMATS[word], relu) for value in values)
    both = code.build.binary("or", low, code.build.binary("shl", high, i32(8)))
    code.write(target, code.build.cast("trunc", both, ty.I16))


def _element(code: "PtxCode", vector: Value, place: int) -> Value:
    return code.build.emit(Made("extractelement", vector.type.inner, (vector, i32(place))))


def _byte_of(code: "PtxCode", value: Value, form: ByteFormat, relu: bool) -> Value:
    """A float as 8 bits, in a word. What is too large becomes the greatest number."""
    build = code.build
    bits = code.as_integer(value)
    size = build.binary("and", bits, i32(_NAN))
    cut = _FRACTION - form.fraction
    normal = build.binary("lshr", _rounded_bits(code, size, cut), i32(cut))
    normal = build.binary("sub", normal, i32((_BIAS - form.bias) << form.fraction))
    steps = code.intrinsic("fabs.f32", ty.FLOAT, value)  # in units of the least number
    steps = build.binary("fmul", steps, float_constant(2.0 ** (form.bias - 1 + form.fraction), ty.FLOAT))
    steps = code.intrinsic("roundeven.f32", ty.FLOAT, steps)
    small = code.intrinsic("fptoui.sat.i32.f32", ty.I32, steps)
    is_small = build.compare("ult", size, i32((_BIAS + 1 - form.bias) << _FRACTION))
    result = extreme(code, "umin", build.select(is_small, small, normal), i32(form.greatest))
    negative = build.compare("slt", bits, i32(0))
    if relu:
        result = build.select(negative, i32(0), result)
    else:
        result = build.binary("or", result, build.select(negative, i32(0x80), i32(0)))
    return build.select(_is_nan(code, value), i32(0x7F), result)


def _halves_of_bytes(code: "PtxCode", both: Value, form: ByteFormat, relu: bool) -> Value:
    build = code.build
    result: Value = Constant(TYPES["f16x2"], "undef")
    word = build.cast("zext", both, ty.I32)
    for place in range(2):
        byte = build.binary("and", build.binary("lshr", word, i32(8 * place)), i32(0xFF))
        size = build.binary("and", byte, i32(0x7F))
        scaled = code.as_type(build.binary("shl", size, i32(_FRACTION - form.fraction)), ty.FLOAT)
        number = build.binary("fmul", scaled, float_constant(2.0 ** (_BIAS - form.bias), ty.FLOAT))
        half = build.cast("zext", code.as_integer(build.cast("fptrunc", number, HALF)), ty.I32)
        if form.greatest == FORMATS["e5m2x2"].greatest:  # the upper byte of a half, infinities included
            half = build.binary("shl", size, i32(8))
        invalid = build.compare("ugt", size, i32(0x7C if form.fraction == 2 else form.greatest))
        sign = build.binary("shl", build.binary("and", byte, i32(0x80)), i32(8))
        signed = build.select(build.compare("ne", sign, i32(0)), i32(0), half) if relu else None
        half = signed if signed is not None else build.binary("or", half, sign)
        half = build.cast("trunc", build.select(invalid, i32(0x7FFF), half), ty.I16)
        result = build.emit(
            Made("insertelement", TYPES["f16x2"], (result, build.cast("bitcast", half, HALF), i32(place)))
        )
    return result


def number_of_byte(code: "PtxCode", byte: Value, form: ByteFormat) -> Value:
    """The float of 8 bits. Halves between, since a processor that flushes denormal floats still widens all halves."""
    build = code.build
    word = build.cast("zext", byte, ty.I32)
    size = build.binary("and", word, i32(0x7F))
    sign = build.binary("shl", build.binary("and", word, i32(0x80)), i32(8))
    bits = build.binary("or", build.binary("shl", size, i32(_HALF_FRACTION - form.fraction)), sign)
    half = build.cast("bitcast", build.cast("trunc", bits, ty.I16), HALF)
    value = build.cast("fpext", half, ty.FLOAT)
    if form.bias == _HALF_BIAS:  # the upper byte of a half
        return value
    scaled = build.binary("fmul", value, float_constant(2.0 ** (_HALF_BIAS - form.bias), ty.FLOAT))
    nan = build.cast("bitcast", i32(_NAN), ty.FLOAT)
    return build.select(build.compare("ugt", size, i32(form.greatest)), nan, scaled)


# ---- Integers packed -----------------------------------------------------------------------------------------


def pack_integers(code: "PtxCode", instruction: Instruction) -> None:
    """cvt.pack.sat: two integers brought within a type and put side by side, below the third operand if any."""
    words = instruction.modifiers
    word = next((each for each in words if each in ("u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2")), None)
    if word is None:
        raise RefusedError("this form is not supported")
    target, a, b, *more = instruction.operands
    bits, signed = int(word[1:]), word[0] == "s"
    least, most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    build = code.build
    result: Value = i32(0)
    if more:
        result = build.binary("shl", code.read(more[0], "b32"), i32(2 * bits))
    for operand, place in ((a, 1), (b, 0)):
        value = extreme(code, "smax", code.read(operand, "s32"), i32(least))
        value = extreme(code, "smin", value, i32(most))
        part = build.binary("and", value, i32((1 << bits) - 1))
        result = build.binary("or", result, build.binary("shl", part, i32(place * bits)))
    code.write(target, result)


def directed_half(code: "PtxCode", value: Value, mode: str) -> Value:
    """A float or double as half by a rounding other than to nearest: the nearest, or the number beside it."""
    build = code.build
    nearest = build.cast("fptrunc", value, HALF)
    back = build.cast("fpext", nearest, value.type)
    bits = code.as_integer(nearest)
    one, negative = int_constant(ty.I16, 1), build.compare("slt", bits, int_constant(ty.I16, 0))
    outwards, inwards = build.binary("add", bits, one), build.binary("sub", bits, one)
    above = build.emit(Made("fcmp", ty.I1, (back, value), predicate="ogt"))
    below = build.emit(Made("fcmp", ty.I1, (back, value), predicate="olt"))
    down = build.select(above, build.select(negative, outwards, inwards), bits)
    up = build.select(below, build.select(negative, inwards, outwards), bits)
    result = {"rm": down, "rp": up, "rz": build.select(negative, up, down)}[mode]
    return build.cast("bitcast", result, HALF)
