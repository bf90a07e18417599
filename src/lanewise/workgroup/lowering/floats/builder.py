# SPDX-License-Identifier: Apache-2.0
"""Makes floating-point code at the end of a block, for operations that the host has no instruction for.

All of it works on scalars and vectors alike, none of it branches, and nothing is contracted or reassociated.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import spelled
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, int_constant

External = Callable[[str, Type], Function]
"""Declares an intrinsic or a function of the host's libraries in the module that is made."""


@final
class FloatBuilder:
    """A builder with floating-point operations; `external` declares the functions that it calls."""

    def __init__(self, build: Builder, external: External) -> None:
        self.build: Final = build
        self._external: Final = external

    # -- constants -------------------------------------------------------------------------------------------------

    def floating(self, type_: Type, value: float) -> Constant:
        """`value`, which float and double hold exactly, in all lanes of `type_`."""
        bits = int.from_bytes(struct.pack("<d", value), "little")
        return _in_all_lanes(type_, Constant(type_.scalar, "float", f"0x{bits:016X}"))

    def integer(self, type_: Type, value: int) -> Constant:
        return _in_all_lanes(type_, int_constant(type_.scalar, value))

    # -- arithmetic ------------------------------------------------------------------------------------------------

    def add(self, a: Value, b: Value) -> Value:
        return self.build.binary("fadd", a, b)

    def subtract(self, a: Value, b: Value) -> Value:
        return self.build.binary("fsub", a, b)

    def multiply(self, a: Value, b: Value) -> Value:
        return self.build.binary("fmul", a, b)

    def divide(self, a: Value, b: Value) -> Value:
        return self.build.binary("fdiv", a, b)

    def negate(self, a: Value) -> Value:
        return self.build.emit(Instruction("fneg", a.type, (a,)))

    def fused(self, a: Value, b: Value, c: Value) -> Value:
        return self.intrinsic("fma", a, b, c)

    def absolute(self, a: Value) -> Value:
        return self.intrinsic("fabs", a)

    def intrinsic(self, name: str, *operands: Value) -> Value:
        """Call the intrinsic `llvm.NAME`. All operands have the type of the result."""
        type_ = operands[0].type
        function = ty.function(type_, (type_,) * len(operands))
        return self.build.call_function(self._external(f"llvm.{name}.{spelled(type_)}", function), operands)

    # -- choices ---------------------------------------------------------------------------------------------------

    def compare(self, predicate: str, a: Value, b: Value) -> Value:
        """fcmp."""
        type_ = ty.I1.with_shape_of(a.type)
        return self.build.emit(Instruction("fcmp", type_, (a, b), predicate=predicate))

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        return self.build.select(condition, a, b)

    def both(self, a: Value, b: Value) -> Value:
        return self.build.binary("and", a, b)

    def either(self, a: Value, b: Value) -> Value:
        return self.build.binary("or", a, b)

    # -- conversions -----------------------------------------------------------------------------------------------

    def to(self, scalar: Type, value: Value) -> Value:
        """`value` in the floating-point format `scalar`, rounded to nearest if that is narrower."""
        if value.type.scalar is scalar:
            return value
        op = "fpext" if scalar.bits > value.type.scalar.bits else "fptrunc"
        return self.build.cast(op, value, scalar.with_shape_of(value.type))

    def of_bfloat(self, bits: Value) -> Value:
        """A bfloat as a float, whose upper half it is."""
        wide = ty.I32.with_shape_of(bits.type)
        bits = self.build.cast("zext", bits, wide)
        return self.of_bits(ty.FLOAT, self.build.binary("shl", bits, self.integer(wide, 16)))

    def bits(self, value: Value) -> Value:
        return self.build.cast("bitcast", value, ty.integer(value.type.scalar.bits).with_shape_of(value.type))

    def of_bits(self, scalar: Type, bits: Value) -> Value:
        return self.build.cast("bitcast", bits, scalar.with_shape_of(bits.type))


def _in_all_lanes(type_: Type, scalar: Constant) -> Constant:
    return Constant(type_, "splat", operands=(scalar,)) if type_.is_vector else scalar
