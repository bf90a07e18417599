# SPDX-License-Identifier: Apache-2.0
"""Scalars and vectors that hold a value of all work-items in lane code, by its shape.

    Shape of the value             Lane value
    uniform                        one scalar
    affine, all steps known        one scalar, the base
    a step of rows or chunks       a scalar for each row, each chunk, or each row of each chunk
    is not known
    varying                        a vector for each chunk, or one where chunks don't differ

A struct, or a vector of the program's, is a struct of vectors if it varies. Splats and sums of base and steps are
made when they are needed, once per block; LLVM moves them out of loops.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Final, final

from lanewise.analysis.shapes import UNIFORM, Extent, Shape
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32, int_constant, poison
from lanewise.workgroup.items.refusal import cannot


@final
class LaneValue:
    """A value of all work-items of a unit, in `parts`: chunk by chunk, row by row."""

    __slots__ = ("parts", "shape", "type")

    def __init__(self, type_: Type, shape: Shape, parts: Sequence[Value]) -> None:
        self.type: Final = type_
        """The type of one work-item's value."""
        self.shape: Final = shape
        self.parts: Final = tuple(parts)

    @staticmethod
    def uniform(value: Value) -> LaneValue:
        return LaneValue(value.type, UNIFORM, (value,))


def count_parts(shape: Shape, extent: Extent) -> tuple[int, int]:
    """The numbers of chunks, and of rows per chunk, that have a part of their own."""
    chunks = extent.chunks if shape.chunk is None else 1
    return chunks, extent.rows if shape.row is None and not shape.is_varying else 1


def lanes_type(type_: Type, width: int) -> Type:
    """The type of a part that holds the values of `width` lanes."""
    if type_.is_vector:
        return ty.struct((lanes_type(type_.inner, width),) * type_.count)
    if type_.kind == "struct":
        return ty.struct(tuple(lanes_type(f, width) for f in type_.fields))
    if not (type_.is_int or type_.is_float or type_.is_pointer):
        cannot(f"a value of type {type_} that differs between work-items")
    return ty.vector(width, type_)


@final
class LaneValues:
    """The scalar of a row, or the vector of a chunk, of any lane value."""

    def __init__(self, extent: Extent) -> None:
        self.extent: Final = extent
        self._vectors: Final[dict[tuple[LaneValue, int, object], Value]] = {}
        self._scalars: Final[dict[tuple[LaneValue, int, int, object], Value]] = {}

    def scalar(self, lane_value: LaneValue, chunk: int, row: int, build: Builder) -> Value:
        """The value of the first lane of a row. It doesn't vary from lane to lane."""
        shape, extent = lane_value.shape, self.extent
        assert shape.lane is not None, "a varying value has no scalars"
        rows = extent.rows if shape.row is None else 1
        base = lane_value.parts[(chunk * rows if shape.chunk is None else 0) + (row if shape.row is None else 0)]
        step = (shape.chunk or 0) * chunk + (shape.row or 0) * row
        if step == 0:
            return base
        key = (lane_value, chunk, row, build.block)
        known = self._scalars.get(key)
        if known is None:
            known = self._scalars[key] = _plus(base, step, build)
        return known

    def vector(self, lane_value: LaneValue, chunk: int, build: Builder) -> Value:
        """The values of a chunk's lanes."""
        shape = lane_value.shape
        if shape.lane is None and (shape.chunk is None or not shape.chunk * chunk):
            return lane_value.parts[chunk if shape.chunk is None else 0]
        if shape.chunk == 0:
            chunk = 0
        key = (lane_value, chunk, build.block)
        known = self._vectors.get(key)
        if known is None:
            known = self._vectors[key] = self._new_vector(lane_value, chunk, build)
        return known

    def _new_vector(self, lane_value: LaneValue, chunk: int, build: Builder) -> Value:
        shape, extent = lane_value.shape, self.extent
        if shape.lane is None:
            return self._more(lane_value, (shape.chunk or 0) * chunk, build)
        lane = shape.lane
        row = shape.row or 0
        if shape.row is None:
            rows = [self.scalar(lane_value, chunk, r, build) for r in range(extent.rows)]
            base = self._spread(rows, build)
        else:
            base = splat(self.scalar(lane_value, chunk, 0, build), extent.width, build)
        steps = [r * row + x * lane for r in range(extent.rows) for x in range(extent.lanes)]
        if not any(steps):
            return base
        if lane_value.type.is_pointer:
            offsets = vector_of(ty.I64, steps)
            type_ = ty.vector(extent.width, lane_value.type)
            return build.emit(Instruction("getelementptr", type_, (base, offsets), source_type=ty.I8))
        return add(base, vector_of(lane_value.type, steps), build)

    def _more(self, lane_value: LaneValue, step: int, build: Builder) -> Value:
        """The vector of the first chunk and `step` more."""
        base, steps = lane_value.parts[0], [step] * self.extent.width
        if lane_value.type.is_pointer:
            operands = (base, vector_of(ty.I64, steps))
            return build.emit(Instruction("getelementptr", base.type, operands, source_type=ty.I8))
        return build.binary("add", base, vector_of(lane_value.type, steps))

    def _spread(self, rows: Sequence[Value], build: Builder) -> Value:
        """A vector with each row's scalar in all lanes of the row."""
        type_ = rows[0].type
        if type_.is_vector or type_.kind == "struct":
            parts = [split(row, build) for row in rows]
            fields = [self._spread([part[i] for part in parts], build) for i in range(len(parts[0]))]
            return together(lanes_type(type_, self.extent.width), fields, build)
        gathered: Value = poison(ty.vector(len(rows), type_))
        for index, row in enumerate(rows):
            gathered = build.emit(Instruction("insertelement", gathered.type, (gathered, row, i32(index))))
        mask = [r for r in range(len(rows)) for _ in range(self.extent.lanes)]
        return shuffle(gathered, None, mask, build)

    def mapped(
        self,
        type_: Type,
        shape: Shape,
        operands: Sequence[LaneValue],
        build: Builder,
        make: Callable[[list[Value]], Value],
    ) -> LaneValue:
        """A lane value of `shape`, whose parts `make` computes from the operands' scalars, or from their vectors."""
        chunks, rows = count_parts(shape, self.extent)
        parts: list[Value] = []
        for chunk in range(chunks):
            if shape.is_varying:
                parts.append(make([self.vector(o, chunk, build) for o in operands]))
            else:
                parts += [make([self.scalar(o, chunk, r, build) for o in operands]) for r in range(rows)]
        return LaneValue(type_, shape, parts)

    def converted(self, lane_value: LaneValue, shape: Shape, build: Builder) -> tuple[Value, ...]:
        """The parts of the same value in a more general shape."""
        if lane_value.shape[:3] == shape[:3]:
            return lane_value.parts
        return self.mapped(lane_value.type, shape, [lane_value], build, lambda parts: parts[0]).parts


# -- vectors -----------------------------------------------------------------------------------------------------------


def splat(value: Value, width: int, build: Builder) -> Value:
    """A vector with one value in all lanes; for a struct or vector of the program's, a struct of such vectors."""
    type_ = value.type
    if type_.is_vector or type_.kind == "struct":
        fields = [splat(part, width, build) for part in split(value, build)]
        return together(lanes_type(type_, width), fields, build)
    vector = ty.vector(width, type_)
    if isinstance(value, Constant):
        if value.kind in ("poison", "undef"):
            return Constant(vector, value.kind)
        if value.kind in ("int", "float"):
            return Constant(vector, "splat", operands=(value,))
        if value.kind == "null":
            return Constant(vector, "zeroinitializer")
    first = build.emit(Instruction("insertelement", vector, (poison(vector), value, i32(0))))
    return shuffle(first, None, [0] * width, build)


def shuffle(a: Value, b: Value | None, mask: Sequence[int], build: Builder) -> Value:
    """The elements of `a` and then `b` that `mask` names; -1 for any."""
    type_ = ty.vector(len(mask), a.type.inner)
    return build.emit(Instruction("shufflevector", type_, (a, b or poison(a.type), _mask(tuple(mask)))))


@functools.lru_cache(1024)
def _mask(mask: tuple[int, ...]) -> Constant:
    """The elements that a shuffle takes, as a constant. A kernel has few different masks, and many of each."""
    elements = tuple(poison(ty.I32) if m < 0 else i32(m) for m in mask)
    return Constant(ty.vector(len(mask), ty.I32), "aggregate", operands=elements)


def vector_of(element: Type, values: Sequence[int]) -> Constant:
    """A constant vector of integers."""
    return Constant(
        ty.vector(len(values), element), "aggregate", operands=tuple(int_constant(element, v) for v in values)
    )


def zeros(type_: Type) -> Constant:
    """Zero, false, or a vector of it."""
    return Constant(type_, "zeroinitializer") if type_.is_vector else int_constant(type_, 0)


def ones(type_: Type) -> Constant:
    """True, or a vector of it."""
    return Constant(type_, "splat", operands=(int_constant(ty.I1, 1),)) if type_.is_vector else int_constant(type_, 1)


def add(a: Value, b: Value, build: Builder) -> Value:
    if isinstance(a, Constant) and isinstance(b, Constant):
        elements = [_element(a, i) for i in range(a.type.count)]
        others = [_element(b, i) for i in range(a.type.count)]
        if None not in elements and None not in others:
            return vector_of(a.type.inner, [(x or 0) + (y or 0) for x, y in zip(elements, others, strict=True)])
    return build.binary("add", a, b)


def _element(vector: Constant, index: int) -> int | None:
    if vector.kind == "zeroinitializer":
        return 0
    if vector.kind == "splat":
        (one,) = vector.operands
    elif vector.kind == "aggregate":
        one = vector.operands[index]
    else:
        return None
    return one.integer if isinstance(one, Constant) and one.kind == "int" else None


def _plus(base: Value, step: int, build: Builder) -> Value:
    if base.type.is_pointer:
        return build.emit(
            Instruction("getelementptr", base.type, (base, int_constant(ty.I64, step)), source_type=ty.I8)
        )
    if isinstance(base, Constant) and base.kind == "int":
        return int_constant(base.type, base.integer + step)
    return build.binary("add", base, int_constant(base.type, step))


def split(value: Value, build: Builder) -> list[Value]:
    """The elements of a vector, or the fields of a struct."""
    type_ = value.type
    if type_.is_vector:
        return [build.emit(Instruction("extractelement", type_.inner, (value, i32(i)))) for i in range(type_.count)]
    return [
        build.emit(Instruction("extractvalue", field, (value,), indices=(i,))) for i, field in enumerate(type_.fields)
    ]


def together(type_: Type, fields: Sequence[Value], build: Builder) -> Value:
    """A struct or vector of its parts."""
    whole: Value = poison(type_)
    for index, field in enumerate(fields):
        if type_.is_vector:
            whole = build.emit(Instruction("insertelement", type_, (whole, field, i32(index))))
        else:
            whole = build.emit(Instruction("insertvalue", type_, (whole, field), indices=(index,)))
    return whole


def element(vector: Value, index: Value | int, build: Builder) -> Value:
    """One lane of a vector, or of each vector of a struct as a struct."""
    place = i32(index) if isinstance(index, int) else index
    return build.emit(Instruction("extractelement", vector.type.inner, (vector, place)))
