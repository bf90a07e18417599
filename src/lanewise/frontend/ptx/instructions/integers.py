# SPDX-License-Identifier: Apache-2.0
"""Arithmetic on integers. `add` and the like of numbers of floating point are those of `floats`.

Source: PTX ISA 9.0, 9.7.1 "Integer Arithmetic Instructions", 9.7.2 "Extended-Precision Integer Arithmetic".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.instructions.floats import absolute, extreme_number, fma, negated, quotient, sum_
from lanewise.frontend.ptx.instructions.words import Row, only, type_word
from lanewise.frontend.ptx.ptx_types import TYPES, is_floating, is_signed
from lanewise.ir import types as ty
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32, int_constant
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode


def _integers_or_floats(integers: Row, of_floats: Row) -> Row:
    def row(code: PtxCode, instruction: Instruction) -> None:
        (of_floats if is_floating(type_word(instruction)) else integers)(code, instruction)

    return row


# ---- Sums ----------------------------------------------------------------------------------------------------


def _sum(op: str) -> Row:
    def row(code: PtxCode, instruction: Instruction) -> None:
        only(instruction, "sat", "cc")
        word = type_word(instruction)
        target, a, b = instruction.operands
        x, y = code.read(a, word), code.read(b, word)
        if "sat" in instruction.modifiers:
            suffix = "i32" if word == "s32" else "v2i16"
            code.write(target, code.intrinsic(f"s{op}.sat.{suffix}", x.type, x, y))
            return
        result = code.build.binary(op, x, y)
        if "cc" in instruction.modifiers:
            code.carry = code.build.compare("ult", *((result, x) if op == "add" else (x, y)))
        code.write(target, result)

    return row


def _sum_with_carry(op: str) -> Row:
    def row(code: PtxCode, instruction: Instruction) -> None:
        only(instruction, "cc")
        word = type_word(instruction)
        target, a, b = instruction.operands
        code.write(target, _carried(code, op, code.read(a, word), code.read(b, word), "cc" in instruction.modifiers))

    return row


def _carried(code: PtxCode, op: str, x: Value, y: Value, carries: bool) -> Value:
    """x op y op carry. A borrow is a carry that is subtracted."""
    wide = ty.integer(2 * x.type.bits)
    total = code.build.binary(op, code.extended(x, wide, False), code.extended(y, wide, False))
    total = code.build.binary(op, total, code.extended(code.carry, wide, False))
    if carries:
        above = code.build.binary("lshr", total, int_constant(wide, x.type.bits))
        code.carry = code.build.cast("trunc", above, ty.I1)
    return code.build.cast("trunc", total, x.type)


# ---- Products ------------------------------------------------------------------------------------------------


def _product(code: PtxCode, instruction: Instruction) -> Value:
    """The product of the second and the third operand: its low half, its high half, or all."""
    word = type_word(instruction)
    _, a, b, *_ = instruction.operands
    x, y = code.read(a, word), code.read(b, word)
    if not {"hi", "wide"} & set(instruction.modifiers):
        return code.build.binary("mul", x, y)
    wide = ty.integer(2 * x.type.bits)
    long_x, long_y = (code.extended(each, wide, is_signed(word)) for each in (x, y))
    product = code.build.binary("mul", long_x, long_y)
    if "wide" in instruction.modifiers:
        return product
    return code.build.cast("trunc", code.build.binary("lshr", product, int_constant(wide, x.type.bits)), x.type)


def _mul(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "hi", "lo", "wide")
    code.write(instruction.operands[0], _product(code, instruction), is_signed(type_word(instruction)))


def _mad(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "hi", "lo", "wide", "sat", "cc")
    product = _product(code, instruction)
    addend = code.read_as(instruction.operands[3], product.type)
    if "sat" in instruction.modifiers:
        code.write(instruction.operands[0], code.intrinsic("sadd.sat.i32", ty.I32, product, addend))
        return
    result = code.build.binary("add", product, addend)
    if "cc" in instruction.modifiers:
        code.carry = code.build.compare("ult", result, product)
    code.write(instruction.operands[0], result)


def _madc(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "hi", "lo", "cc")
    product = _product(code, instruction)
    addend = code.read_as(instruction.operands[3], product.type)
    carries = "cc" in instruction.modifiers
    code.write(instruction.operands[0], _carried(code, "add", product, addend, carries))


def _product_24(code: PtxCode, instruction: Instruction) -> Value:
    """The low or the high 32 of the 48 bits of a product of 24 by 24."""
    word = type_word(instruction)
    extend = "ashr" if is_signed(word) else "lshr"
    factors: list[Value] = []
    for operand in instruction.operands[1:3]:
        high = code.build.binary("shl", code.read(operand, word), i32(8))
        factors.append(
            code.build.cast("sext" if extend == "ashr" else "zext", code.build.binary(extend, high, i32(8)), ty.I64)
        )
    product = code.build.binary("mul", factors[0], factors[1])
    if "hi" in instruction.modifiers:
        product = code.build.binary("lshr", product, int_constant(ty.I64, 16))
    return code.build.cast("trunc", product, ty.I32)


def _mul24(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "hi", "lo")
    code.write(instruction.operands[0], _product_24(code, instruction))


def _mad24(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "hi", "lo", "sat")
    product = _product_24(code, instruction)
    addend = code.read(instruction.operands[3], type_word(instruction))
    if "sat" in instruction.modifiers:
        code.write(instruction.operands[0], code.intrinsic("sadd.sat.i32", ty.I32, product, addend))
        return
    code.write(instruction.operands[0], code.build.binary("add", product, addend))


def _division(signed: str, unsigned: str) -> Row:
    def row(code: PtxCode, instruction: Instruction) -> None:
        only(instruction)
        word = type_word(instruction)
        target, a, b = instruction.operands
        op = signed if is_signed(word) else unsigned
        code.write(target, code.build.binary(op, code.read(a, word), code.read(b, word)), is_signed(word))

    return row


# ---- Others --------------------------------------------------------------------------------------------------


def _abs(code: PtxCode, instruction: Instruction) -> None:
    only(instruction)
    word = type_word(instruction)
    value = code.read(instruction.operands[1], word)
    result = code.intrinsic(f"abs.i{value.type.bits}", value.type, value, int_constant(ty.I1, 0))
    code.write(instruction.operands[0], result, True)


def _neg(code: PtxCode, instruction: Instruction) -> None:
    only(instruction)
    value = code.read(instruction.operands[1], type_word(instruction))
    code.write(instruction.operands[0], code.build.binary("sub", int_constant(value.type, 0), value), True)


def _extreme(name: str) -> Row:
    def row(code: PtxCode, instruction: Instruction) -> None:
        only(instruction, "relu")
        word = type_word(instruction)
        target, a, b = instruction.operands
        x, y = code.read(a, word), code.read(b, word)
        result = extreme(code, f"{'s' if is_signed(word) else 'u'}{name}", x, y)
        if "relu" in instruction.modifiers:
            result = extreme(code, "smax", result, code.as_type(int_constant(ty.I32, 0), x.type))
        code.write(target, result, is_signed(word))

    return row


def extreme(code: PtxCode, name: str, x: Value, y: Value) -> Value:
    """smin, smax, umin or umax of two integers, or of two vectors of them."""
    suffix = f"v{x.type.count}i{x.type.inner.bits}" if x.type.is_vector else f"i{x.type.bits}"
    return code.intrinsic(f"{name}.{suffix}", x.type, x, y)


def _sad(code: PtxCode, instruction: Instruction) -> None:
    only(instruction)
    word = type_word(instruction)
    target, a, b, c = instruction.operands
    x, y = code.read(a, word), code.read(b, word)
    sign = "s" if is_signed(word) else "u"
    difference = code.build.binary("sub", extreme(code, f"{sign}max", x, y), extreme(code, f"{sign}min", x, y))
    code.write(target, code.build.binary("add", difference, code.read(c, word)))


def _popc(code: PtxCode, instruction: Instruction) -> None:
    only(instruction)
    value = code.read(instruction.operands[1], type_word(instruction))
    count = code.intrinsic(f"ctpop.i{value.type.bits}", value.type, value)
    code.write(instruction.operands[0], code.as_type(count, ty.I32))


def leading_zeros(code: PtxCode, value: Value) -> Value:
    """The number of zeros before the highest one; all bits for 0."""
    return code.intrinsic(f"ctlz.i{value.type.bits}", value.type, value, int_constant(ty.I1, 0))


def _clz(code: PtxCode, instruction: Instruction) -> None:
    only(instruction)
    value = code.read(instruction.operands[1], type_word(instruction))
    code.write(instruction.operands[0], code.as_type(leading_zeros(code, value), ty.I32))


def _bfind(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "shiftamt")
    word = type_word(instruction)
    value = code.read(instruction.operands[1], word)
    bits = value.type.bits
    if is_signed(word):
        sign = code.build.binary("ashr", value, int_constant(value.type, bits - 1))
        value = code.build.binary("xor", value, sign)
    zeros = code.as_type(leading_zeros(code, value), ty.I32)
    found = zeros if "shiftamt" in instruction.modifiers else code.build.binary("sub", i32(bits - 1), zeros)
    none = code.build.compare("eq", value, int_constant(value.type, 0))
    code.write(instruction.operands[0], code.build.select(none, i32(-1), found))


def _fns(code: PtxCode, instruction: Instruction) -> None:
    """The number of the n-th one from a bit on, upwards or downwards; -1 if there are fewer."""
    build = code.build
    target, *operands = instruction.operands
    mask, base, n = (code.read(operand, "b32") for operand in operands)
    down = build.compare("slt", n, i32(0))
    mask = build.select(down, code.intrinsic("bitreverse.i32", ty.I32, mask), mask)
    first = build.select(down, build.binary("sub", i32(31), base), base)
    from_first = shift(code, "lshr", mask, first)
    distance = code.intrinsic("abs.i32", ty.I32, n, int_constant(ty.I1, 0))
    only_first = build.compare("eq", n, i32(0))
    from_first = build.select(only_first, build.binary("and", from_first, i32(1)), from_first)
    before = build.select(only_first, i32(0), build.binary("sub", distance, i32(1)))
    place: Value = first
    rest, left = from_first, before
    for width in (16, 8, 4, 2, 1):
        low = build.binary("and", rest, i32((1 << width) - 1))
        count = code.intrinsic("ctpop.i32", ty.I32, low)
        higher = build.compare("uge", left, count)
        left = build.select(higher, build.binary("sub", left, count), left)
        rest = build.select(higher, build.binary("lshr", rest, i32(width)), rest)
        place = build.select(higher, build.binary("add", place, i32(width)), place)
    found = build.select(down, build.binary("sub", i32(31), place), place)
    enough = build.compare("ult", before, code.intrinsic("ctpop.i32", ty.I32, from_first))
    code.write(target, build.select(enough, found, i32(-1)))


def _brev(code: PtxCode, instruction: Instruction) -> None:
    only(instruction)
    value = code.read(instruction.operands[1], type_word(instruction))
    code.write(instruction.operands[0], code.intrinsic(f"bitreverse.i{value.type.bits}", value.type, value))


def _low_byte(code: PtxCode, operand: Value) -> Value:
    return code.build.binary("and", operand, i32(255))


def shift(code: PtxCode, op: str, value: Value, count: Value) -> Value:
    """A shift by a count of 32 bits; one that is too large shifts all bits out."""
    bits = value.type.bits
    if isinstance(count, Constant) and count.kind == "int":
        if 0 <= count.integer < bits:
            return code.build.binary(op, value, int_constant(value.type, count.integer))
        if op != "ashr":
            return int_constant(value.type, 0)
    within = code.build.compare("ult", count, i32(bits))
    safe = code.build.select(within, count, i32(bits - 1 if op == "ashr" else 0))
    shifted = code.build.binary(op, value, code.as_type(safe, value.type))
    return shifted if op == "ashr" else code.build.select(within, shifted, int_constant(value.type, 0))


def _mask(code: PtxCode, length: Value, type_: Type) -> Value:
    """As many low ones as `length`, of 32 bits, says."""
    ones = int_constant(type_, -1)
    return code.build.binary("xor", shift(code, "shl", ones, length), ones)


def _bfe(code: PtxCode, instruction: Instruction) -> None:
    only(instruction)
    word = type_word(instruction)
    target, a, b, c = instruction.operands
    value = code.read(a, word)
    start, length = _low_byte(code, code.read(b, "u32")), _low_byte(code, code.read(c, "u32"))
    mask = _mask(code, length, value.type)
    field = code.build.binary("and", shift(code, "ashr" if is_signed(word) else "lshr", value, start), mask)
    if is_signed(word):
        last = code.build.binary("sub", code.build.binary("add", start, length), i32(1))
        last = extreme(code, "umin", last, i32(value.type.bits - 1))
        sign = code.build.cast("trunc", shift(code, "lshr", value, last), ty.I1)
        above = code.build.binary("xor", mask, int_constant(value.type, -1))
        empty = code.build.compare("eq", length, i32(0))
        negative = code.build.select(empty, int_constant(ty.I1, 0), sign)
        field = code.build.select(negative, code.build.binary("or", field, above), field)
    code.write(target, field)


def _bfi(code: PtxCode, instruction: Instruction) -> None:
    only(instruction)
    word = type_word(instruction)
    target, a, b, c, d = instruction.operands
    value, into = code.read(a, word), code.read(b, word)
    start, length = _low_byte(code, code.read(c, "u32")), _low_byte(code, code.read(d, "u32"))
    mask = shift(code, "shl", _mask(code, length, value.type), start)
    field = code.build.binary("and", shift(code, "shl", value, start), mask)
    rest = code.build.binary("and", into, code.build.binary("xor", mask, int_constant(value.type, -1)))
    code.write(target, code.build.binary("or", field, rest))


def _bmsk(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "clamp", "wrap")
    target, a, b = instruction.operands
    start, length = code.read(a, "b32"), code.read(b, "b32")
    if "wrap" in instruction.modifiers:
        start, length = (code.build.binary("and", each, i32(31)) for each in (start, length))
    code.write(target, shift(code, "shl", _mask(code, length, ty.I32), start))


def _szext(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "clamp", "wrap")
    word = type_word(instruction)
    target, a, b = instruction.operands
    value, count = code.read(a, word), code.read(b, "u32")
    if "wrap" in instruction.modifiers:
        count = code.build.binary("and", count, i32(31))
    above = code.build.binary("sub", i32(32), extreme(code, "umin", count, i32(32)))
    high = shift(code, "shl", value, above)
    code.write(target, shift(code, "ashr" if is_signed(word) else "lshr", high, above))


def _dot(parts: int) -> Row:
    """dp4a: four bytes by four; dp2a: two halves of 16 bits by two of the bytes."""

    def row(code: PtxCode, instruction: Instruction) -> None:
        words = [word for word in instruction.modifiers if word in TYPES]
        target, a, b, c = instruction.operands
        x, y = code.read(a, "b32"), code.read(b, "b32")
        width = 32 // parts
        first = 2 if "hi" in instruction.modifiers else 0
        result = code.read(c, "b32")
        for place in range(parts):
            product = code.build.binary(
                "mul",
                _field(code, x, place * width, width, is_signed(words[0])),
                _field(code, y, (first + place) * 8, 8, is_signed(words[-1])),
            )
            result = code.build.binary("add", result, product)
        code.write(target, result)

    return row


def _field(code: PtxCode, value: Value, start: int, bits: int, signed: bool) -> Value:
    """Bits of a word, extended to 32."""
    high = code.build.binary("shl", value, i32(32 - start - bits))
    return code.build.binary("ashr" if signed else "lshr", high, i32(32 - bits))


ROWS: Final[dict[str, Row]] = {
    "add": _integers_or_floats(_sum("add"), sum_("add")),
    "sub": _integers_or_floats(_sum("sub"), sum_("sub")),
    "addc": _sum_with_carry("add"),
    "subc": _sum_with_carry("sub"),
    "mul": _integers_or_floats(_mul, sum_("mul")),
    "mad": _integers_or_floats(_mad, fma),
    "madc": _madc,
    "mul24": _mul24,
    "mad24": _mad24,
    "sad": _sad,
    "div": _integers_or_floats(_division("sdiv", "udiv"), quotient),
    "rem": _division("srem", "urem"),
    "abs": _integers_or_floats(_abs, absolute),
    "neg": _integers_or_floats(_neg, negated),
    "min": _integers_or_floats(_extreme("min"), extreme_number("min")),
    "max": _integers_or_floats(_extreme("max"), extreme_number("max")),
    "popc": _popc,
    "clz": _clz,
    "bfind": _bfind,
    "brev": _brev,
    "fns": _fns,
    "bfe": _bfe,
    "bfi": _bfi,
    "bmsk": _bmsk,
    "szext": _szext,
    "dp4a": _dot(4),
    "dp2a": _dot(2),
}
