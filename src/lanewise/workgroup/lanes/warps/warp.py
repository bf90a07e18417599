# SPDX-License-Identifier: Apache-2.0
"""One warp, and the vocabulary of its operations: values that are scalars or vectors of 32, and sets of lanes.

A set of lanes is flags, <32 x i1>, or bits, an i32 with one bit per lane. An i32 can also differ from lane to lane:
then each lane has a set of its own. In a warp of 64, vectors have 64 elements, and bits are an i64.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import spelled
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32, int_constant, poison
from lanewise.workgroup.lowering.floats.builder import External

WARP_SIZE: Final = 32
FLAGS: Final = ty.vector(WARP_SIZE, ty.I1)
WORDS: Final = ty.vector(WARP_SIZE, ty.I32)

Result = Value | tuple[Value, ...] | None
"""The result of an operation: a value, several as the fields of a structure, or nothing."""


@final
class Warp:
    """Makes instructions with `build`; `active` are the lanes that execute them."""

    def __init__(self, build: Builder, active: Value, external: External, scratch: Value) -> None:
        self.build: Final = build
        self.active: Final = active
        self.size: Final = active.type.count
        self.scratch: Final = scratch
        self.external: Final = external

    # -- sets of lanes -----------------------------------------------------------------------------------------

    def bits(self, flags: Value) -> Value:
        """The lanes whose flag is set; all or none if there is one flag for all."""
        return self.build.cast("bitcast" if flags.type.is_vector else "sext", flags, ty.integer(self.size))

    def flags(self, bits: Value) -> Value:
        """One flag per lane for a set."""
        return self.build.cast("bitcast", bits, ty.vector(self.size, ty.I1))

    def members(self, mask: Value) -> Value:
        """The bits of those active lanes that the mask names; for masks that differ, one set per lane."""
        return self.binary("and", self.bits(self.active), mask)

    # -- operations on scalars and vectors ---------------------------------------------------------------------

    def binary(self, op: str, a: Value, b: Value) -> Value:
        a, b = self.alike(a, b)
        return self.build.binary(op, a, b)

    def compare(self, predicate: str, a: Value, b: Value) -> Value:
        a, b = self.alike(a, b)
        return self.build.compare(predicate, a, b)

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        """Select scalars by a scalar condition, vectors by a condition per lane."""
        condition, a, b = self.alike(condition, a, b)
        return self.build.select(condition, a, b)

    def intrinsic(self, name: str, *operands: Value, more: Sequence[Value] = ()) -> Value:
        """Call the intrinsic `llvm.NAME`. `operands` have the type of the result, `more` any."""
        operands = self.alike(*operands)
        type_ = operands[0].type
        function = ty.function(type_, tuple(o.type for o in (*operands, *more)))
        return self.build.call_function(self.external(f"llvm.{name}.{spelled(type_)}", function), [*operands, *more])

    def reduced(self, name: str, vector: Value) -> Value:
        """llvm.vector.reduce.`name`: the elements of the vector in one."""
        function = ty.function(vector.type.inner, (vector.type,))
        callee = self.external(f"llvm.vector.reduce.{name}.{spelled(vector.type)}", function)
        return self.build.call_function(callee, [vector])

    def gathered(self, scalar: Type, base: Value, indices: Value) -> Value:
        """Elements of an array in memory, by a vector of indices within it."""
        type_, flags = ty.vector(self.size, scalar), ty.vector(self.size, ty.I1)
        pointers = ty.vector(self.size, ty.PTR)
        address = Instruction("getelementptr", pointers, (base, indices), flags=("inbounds",), source_type=scalar)
        function = ty.function(type_, (pointers, ty.I32, flags, type_))
        callee = self.external(f"llvm.masked.gather.{spelled(type_)}.v{self.size}p0", function)
        align = i32(scalar.bits // 8)
        all_lanes = Constant(flags, "splat", operands=(int_constant(ty.I1, 1),))
        return self.build.call_function(callee, [self.build.emit(address), align, all_lanes, poison(type_)])

    def determined(self, value: Value) -> Value:
        """The value without poison, which a vector may have in lanes that are not active: it must not spread."""
        if not value.type.is_vector or isinstance(value, Constant):
            return value
        return self.build.emit(Instruction("freeze", value.type, (value,)))

    # -- elements ----------------------------------------------------------------------------------------------

    def element(self, vector: Value, lane: Value) -> Value:
        return self.build.emit(Instruction("extractelement", vector.type.inner, (vector, lane)))

    def permuted(self, vector: Value, sources: Sequence[int]) -> Value:
        """The element of lane `sources[i]` in lane i."""
        mask = words(sources)
        return self.build.emit(Instruction("shufflevector", vector.type, (vector, poison(vector.type), mask)))

    def parts(self, structure: Value) -> tuple[Value, ...]:
        """The fields of a structure."""
        return tuple(
            self.build.emit(Instruction("extractvalue", field, (structure,), indices=(index,)))
            for index, field in enumerate(structure.type.fields)
        )

    def alike(self, *values: Value) -> tuple[Value, ...]:
        """The values as they are if all are scalars, else all as vectors."""
        if any(v.type.is_vector for v in values):
            return tuple(v if v.type.is_vector else self.splat(v) for v in values)
        return values

    def splat(self, scalar: Value) -> Value:
        """The scalar in all lanes."""
        type_ = ty.vector(self.size, scalar.type)
        if isinstance(scalar, Constant) and scalar.kind == "int":
            return Constant(type_, "splat", operands=(scalar,))
        first = self.build.emit(Instruction("insertelement", type_, (poison(type_), scalar, i32(0))))
        return self.permuted(first, [0] * self.size)


def words(values: Sequence[int]) -> Constant:
    """One constant i32 per lane."""
    return Constant(ty.vector(len(values), ty.I32), "aggregate", operands=tuple(i32(v) for v in values))
