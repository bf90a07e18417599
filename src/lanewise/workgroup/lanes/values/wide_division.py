# SPDX-License-Identifier: Apache-2.0
"""Division and remainder of 64-bit integers in vectors: by doubles if all work-items have small ones.

Indices in `size_t` and `long long` are mostly below 2^52, and doubles hold those. A test at each division finds out:

    if all magnitudes of active work-items are below 2^52:
        quotient = trunc(|a| / |b|), remainder = |a| - quotient * |b|, with the signs of a * b and of a
    else:
        one lane after the other

`division.py` shows that the quotient is exact. The remainder is one fused multiplication and addition, whose result is
an integer below 2^52, and so exact, too. Doubles from 2^52 to 2^53 have an integer below 2^52 in their lower bits: that
is how numbers are converted, for which most processors have no instruction.
"""

from __future__ import annotations

from typing import Final

from lanewise.analysis.shapes import VARYING, normal
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value, int_constant
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue
from lanewise.workgroup.lanes.values.operations import harmless
from lanewise.workgroup.lowering.division import DIVISIONS
from lanewise.workgroup.lowering.floats.builder import FloatBuilder

_BITS: Final = 64
_BOUND: Final = 1 << 52
"""Magnitudes below are divided by doubles."""
_EXPONENT: Final = 0x433 << 52
"""The bits of the double 2^52."""


def may_divide_by_doubles(instruction: Instruction) -> bool:
    """Return whether an instruction divides 64-bit integers by something that is no constant."""
    return (
        instruction.op in DIVISIONS
        and instruction.type.is_int
        and instruction.type.bits == _BITS
        and not isinstance(instruction.operands[1], Constant)
    )


def emit_wide_division(code: LaneCode, division: Instruction, block: Block, mask: Mask) -> LaneValue:
    """Emit a division, whose result varies, for the work-items in `mask`."""
    shape = normal(VARYING, code.extent)
    operands = [code.use(o, block) for o in division.operands]
    safe = operands if mask is None else harmless(code, division.op, operands, mask, shape)
    parts = [_divided(code, division.op, operands, safe, mask, chunk) for chunk in range(code.extent.chunks)]
    return LaneValue(division.type, shape, parts)


def _divided(
    code: LaneCode, op: str, operands: list[LaneValue], safe: list[LaneValue], mask: Mask, chunk: int
) -> Value:
    """The results of one chunk. `safe`: operands that no work-item's division traps for."""
    a, b = (code.vector(o, chunk) for o in operands)
    safe_a, safe_b = (code.vector(o, chunk) for o in safe)
    signed = op in ("sdiv", "srem")
    type_ = a.type
    larger, smaller = (_magnitude(code, each) if signed else each for each in (a, b))
    seen: Value = code.build.binary("or", larger, smaller)
    if mask is not None:
        seen = code.build.select(code.vector(mask, chunk), seen, Constant(type_, "zeroinitializer"))
    most = code.intrinsic(f"llvm.vector.reduce.or.v{type_.count}i{_BITS}", ty.I64, [seen])
    most = code.build.emit(Instruction("freeze", ty.I64, (most,)))
    is_small = code.build.compare("ult", most, int_constant(ty.I64, _BOUND))
    small, large, done = (code.new_block(f"division.{name}") for name in ("small", "large", "done"))
    code.build.branch_if(is_small, small, large)
    code.begin(large)
    one_by_one = code.build.binary(op, safe_a, safe_b)
    code.build.branch(done)
    code.begin(small)
    by_doubles = _by_doubles(code, op, (a, b), (larger, smaller))
    code.build.branch(done)
    code.begin(done)
    return code.build.phi(type_, [(one_by_one, large), (by_doubles, small)])


def _by_doubles(code: LaneCode, op: str, given: tuple[Value, Value], magnitudes: tuple[Value, Value]) -> Value:
    floats, build = FloatBuilder(code.build, code.external), code.build
    type_ = given[0].type
    exponent = floats.integer(type_, _EXPONENT)
    shift = floats.floating(ty.DOUBLE.with_shape_of(type_), float(_BOUND))

    def double(magnitude: Value) -> Value:
        return floats.subtract(floats.of_bits(ty.DOUBLE, build.binary("or", magnitude, exponent)), shift)

    dividend, divisor = map(double, magnitudes)
    result = floats.intrinsic("trunc", floats.divide(dividend, divisor))
    if op in ("srem", "urem"):
        result = floats.fused(floats.negate(result), divisor, dividend)
    whole: Value = build.binary("xor", floats.bits(floats.add(result, shift)), exponent)
    if op in ("sdiv", "srem"):
        signs = build.binary("xor", *given) if op == "sdiv" else given[0]
        sign = build.binary("ashr", signs, floats.integer(type_, _BITS - 1))
        whole = build.binary("sub", build.binary("xor", whole, sign), sign)
    return whole


def _magnitude(code: LaneCode, value: Value) -> Value:
    wraps = Constant(ty.I1, "int", "false")
    return code.intrinsic(f"llvm.abs.v{value.type.count}i{_BITS}", value.type, [value, wraps])
