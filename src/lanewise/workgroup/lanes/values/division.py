# SPDX-License-Identifier: Apache-2.0
"""Integer division and remainder in vectors, by division of floating-point numbers.

Processors divide integers one lane after the other, 6 to 20 cycles each. They divide a vector of floating-point numbers
in about the time of one integer, and multiply in less.

    quotient = trunc(a / b)                 if b differs from lane to lane
    quotient = trunc((a + 1/2) * (1 / b))   if b is uniform: the reciprocal is a scalar, which LLVM moves out of loops
    quotient = round(a * (1 / b) + (1 / (2 b) - 1/2))   the same of unsigned numbers that need doubles
    remainder = a - quotient * b

All three are exact. Let a and b be integers, 0 <= a < 2^k and 1 <= b < 2^p, in a format with p bits of precision.

1. k <= p. Let n be the least integer above a / b. The division gives n or more only if it rounds up to n: if n - a / b
   is at most half of the distance from n to the number before. With 2^e < n <= 2^(e + 1) that half is 2^(e - p). If
   n >= 2, then 2^e <= n - 1 <= a / b, so the half is at most a / b * 2^-p < 1 / b. If n = 1, it is 2^(-1 - p) < 1 / b.
   But n - a / b = (n b - a) / b >= 1 / b.
2. k <= p - 3. Then a + 1/2 is exact. Reciprocal and product have a relative error of at most 2^-p each, together less
   than 2^(2 - p). The exact (a + 1/2) / b is at least 1 / (2 b) away from all integers, a relative distance of
   1 / (2 a + 1) > 2^(-k - 1) >= 2^(2 - p).

3. k = 32, p = 53. The exact value is (a + 1/2) / b - 1/2, at least 1 / (2 b) away from all numbers half between two
   integers. Reciprocal, product and sums are off by less than 2^-50 * (a / b + 1), which is at most 2^-17 / b. Adding
   3 * 2^51 rounds to an integer, and leaves it in the lower half of the double. So there is no conversion, which x86
   makes by two operations, and the quotient takes an addition and a multiplication that may be fused.

Signed numbers are divided by the magnitude of b, and a keeps its sign: so INT_MIN / -1 needs no number above INT_MAX.
A divisor of 0 counts as 1, as in `lowering/division.py`, whose tests are left out here. Nothing traps, so work-items
that are switched off need no divisors.
"""

from __future__ import annotations

from typing import Final

from lanewise.analysis.shapes import Shape
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value
from lanewise.workgroup.lanes.values.lane_code import LaneCode
from lanewise.workgroup.lanes.values.lane_values import LaneValue, shuffle, splat
from lanewise.workgroup.lowering.division import DIVISIONS, unguarded_divisor
from lanewise.workgroup.lowering.floats.builder import FloatBuilder

FLOAT_BITS: Final = 21
"""Most bits of magnitudes for which float will do in 1 and 2: p = 24."""
_MOST_BITS: Final = 32
_DEEP: Final = 6
"""Instructions that are looked through for the magnitude of an operand."""
_INTEGERS: Final = float(1 << 52)
"""A double to which an integer below 2^52 is added to have its bits in the lower half."""
_ROUNDS: Final = float(3 << 51)
"""A double to which a number of magnitude below 2^51 is added to round it to an integer, in the lower half, too."""


def divides_by_floats(instruction: Instruction) -> bool:
    """Return whether an instruction divides integers of at most 32 bits by something that is no constant. (LLVM
    multiplies instead of dividing by constants.)"""
    return (
        instruction.op in DIVISIONS
        and instruction.type.is_int
        and 1 < instruction.type.bits <= _MOST_BITS
        and not isinstance(instruction.operands[1], Constant)
    )


def emit_division(code: LaneCode, division: Instruction, block: Block) -> LaneValue:
    """Emit a division, whose result varies, for all work-items."""
    dividend, guarded = division.operands
    divisor = unguarded_divisor(division.op, dividend, guarded)
    bits = max(magnitude_bits(dividend), magnitude_bits(divisor))
    shape = code.divergence.at_definition(division)
    a, b = code.use(dividend, block), code.use(divisor, block)
    small = code.processor.unsigned_conversions or magnitude_bits(dividend) < _MOST_BITS
    format_ = ty.FLOAT if bits <= FLOAT_BITS else ty.DOUBLE
    arithmetic = _Arithmetic(code, division.op, division.type, format_, small)
    if not b.shape.is_uniform:
        return code.mapped(division.type, shape, [a, b], lambda p: arithmetic.divided(p[0], p[1]))
    return arithmetic.divided_by_uniform(a, code.scalar(b), shape)


def divided_place(code: LaneCode, place: LaneValue, extent: Value, shape: Shape) -> tuple[LaneValue, LaneValue]:
    """The quotient and the remainder of a number of a work-item in its group, i32, by a uniform extent of the group.

    `FLOAT_BITS` are enough for both. By a constant, LLVM divides with multiplications of integers.
    """
    divisor = LaneValue.uniform(extent)
    if isinstance(extent, Constant):
        both = [place, divisor]
        quotient = code.mapped(ty.I32, shape, both, lambda p: code.build.binary("udiv", p[0], p[1]))
        return quotient, code.mapped(ty.I32, shape, both, lambda p: code.build.binary("urem", p[0], p[1]))
    quotient = _Arithmetic(code, "udiv", ty.I32, ty.FLOAT).divided_by_uniform(place, extent, shape)

    def rest(parts: list[Value]) -> Value:
        return code.build.binary("sub", parts[0], code.build.binary("mul", parts[1], parts[2]))

    return quotient, code.mapped(ty.I32, shape, [place, quotient, divisor], rest)


def magnitude_bits(value: Value, deep: int = _DEEP) -> int:
    """Bits that the magnitude of an integer has at most, whether it is read as signed or as unsigned."""
    bits = value.type.bits
    if isinstance(value, Constant):
        return abs(value.integer).bit_length() if value.kind == "int" and value.integer >= 0 else bits
    if not isinstance(value, Instruction) or not deep:
        return bits
    match value.op:
        case "zext":
            return magnitude_bits(value.operands[0], deep - 1)
        case "and":
            constants = [o.integer for o in value.operands if isinstance(o, Constant) and o.kind == "int"]
            return min([bits, *(c.bit_length() for c in constants if c >= 0)])
        case "lshr" | "urem":
            by = value.operands[1]
            if not isinstance(by, Constant) or by.kind != "int" or by.integer < 0:
                return bits
            return max(0, bits - by.integer) if value.op == "lshr" else by.integer.bit_length()
        case "select":
            return max(magnitude_bits(o, deep - 1) for o in value.operands[1:])
        case _:
            return bits


class _Arithmetic:
    """The operations of one division `op`, on vectors of integers. `format`: of the floating-point numbers. `converts`:
    the processor has a conversion that the quotient fits."""

    def __init__(self, code: LaneCode, op: str, type_: Type, format_: Type, converts: bool = False) -> None:
        self._code: Final = code
        self._type: Final = type_
        self._format: Final = format_
        self._converts: Final = converts
        self._signed: Final = op in ("sdiv", "srem")
        self._remainder: Final = op in ("srem", "urem")
        self._floats: Final = FloatBuilder(code.build, code.external)
        self._wide: Final = ty.I32
        """The type of integers that are converted."""

    def divided(self, dividend: Value, divisor: Value) -> Value:
        """The result for vectors of both."""
        a, b = self._widened(dividend), self._widened(divisor)
        magnitude = self._magnitude(b)
        quotient = self._truncated(self._floats.divide(self._converted(a), self._converted_magnitude(magnitude)))
        return self._result(a, b, magnitude, quotient)

    def divided_by_uniform(self, dividend: LaneValue, divisor: Value, shape: Shape) -> LaneValue:
        """The result for a scalar divisor."""
        b = self._widened(divisor)
        magnitude = self._magnitude(b)
        one = self._floats.floating(self._format, 1.0)
        reciprocal = self._floats.divide(one, self._converted_magnitude(magnitude))
        width = self._code.extent.width
        divisors = [splat(each, width, self._code.build) for each in (b, magnitude, reciprocal)]
        if not self._signed and self._format is ty.DOUBLE:
            floats = self._floats
            half = floats.floating(self._format, 0.5)
            offset = splat(floats.subtract(floats.multiply(reciprocal, half), half), width, self._code.build)

            def rounded(parts: list[Value]) -> Value:
                a = self._widened(parts[0])
                return self._result(a, divisors[0], divisors[1], self._rounded(a, divisors[2], offset))

            return self._code.mapped(self._type, shape, [dividend], rounded)

        def made(parts: list[Value]) -> Value:
            a = self._widened(parts[0])
            converted = self._converted(a)
            half: Value = self._floats.floating(converted.type, 0.5)
            if self._signed:
                half = self._floats.intrinsic("copysign", half, converted)
            quotient = self._truncated(self._floats.multiply(self._floats.add(converted, half), divisors[2]))
            return self._result(a, divisors[0], divisors[1], quotient)

        return self._code.mapped(self._type, shape, [dividend], made)

    # -- steps -------------------------------------------------------------------------------------------------

    def _widened(self, value: Value) -> Value:
        wide = self._wide.with_shape_of(value.type)
        return value if value.type is wide else self._code.build.cast("sext" if self._signed else "zext", value, wide)

    def _magnitude(self, divisor: Value) -> Value:
        """The magnitude of a divisor, read as unsigned; 1 for 0."""
        if self._signed:
            wraps = Constant(ty.I1, "int", "false")
            divisor = self._call("abs", divisor, wraps)
        return self._call("umax", divisor, self._floats.integer(divisor.type, 1))

    def _converted(self, value: Value) -> Value:
        op = "sitofp" if self._signed or self._format is ty.FLOAT else "uitofp"
        return self._code.build.cast(op, value, self._format.with_shape_of(value.type))

    def _converted_magnitude(self, magnitude: Value) -> Value:
        """A magnitude as a floating-point number. That of INT_MIN comes out as negative."""
        converted = self._converted(magnitude)
        return self._floats.absolute(converted) if self._signed and self._format is ty.DOUBLE else converted

    def _rounded(self, dividend: Value, reciprocal: Value, offset: Value) -> Value:
        """The integer next to a vector's product with the reciprocal, and the offset. The sum may be fused or not."""
        build, floats = self._code.build, self._floats
        converted = self._converted(dividend)
        type_ = converted.type
        product = build.emit(Instruction("fmul", type_, (converted, reciprocal), flags=("contract",)))
        number = build.emit(Instruction("fadd", type_, (product, offset), flags=("contract",)))
        whole = floats.add(number, floats.floating(type_, _ROUNDS))
        words = build.cast("bitcast", whole, ty.vector(2 * type_.count, ty.I32))
        return shuffle(words, None, range(0, 2 * type_.count, 2), build)

    def _truncated(self, number: Value) -> Value:
        """The lower 32 bits of the integer towards 0."""
        build, wide = self._code.build, self._wide.with_shape_of(number.type)
        if self._signed or self._format is ty.FLOAT:
            return build.cast("fptosi", number, wide)
        if self._converts:
            signed = not self._code.processor.unsigned_conversions
            return build.cast("fptosi" if signed else "fptoui", number, wide)
        whole = self._floats.intrinsic("trunc", number)
        return build.cast(
            "trunc", self._floats.bits(self._floats.add(whole, self._floats.floating(whole.type, _INTEGERS))), wide
        )

    def _result(self, dividend: Value, divisor: Value, magnitude: Value, quotient: Value) -> Value:
        build = self._code.build
        if self._remainder:
            quotient = build.binary("sub", dividend, build.binary("mul", quotient, magnitude))
        elif self._signed:
            sign = build.binary("ashr", divisor, self._floats.integer(divisor.type, self._wide.bits - 1))
            quotient = build.binary("sub", build.binary("xor", quotient, sign), sign)
        narrow = self._type.with_shape_of(quotient.type)
        return quotient if narrow is quotient.type else build.cast("trunc", quotient, narrow)

    def _call(self, name: str, first: Value, second: Value) -> Value:
        type_ = first.type
        suffix = f"v{type_.count}i{type_.inner.bits}" if type_.is_vector else f"i{type_.bits}"
        return self._code.intrinsic(f"llvm.{name}.{suffix}", type_, [first, second])
