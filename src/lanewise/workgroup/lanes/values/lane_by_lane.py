# SPDX-License-Identifier: Apache-2.0
"""Instructions that no vector does: one active work-item after the other, in order.

    bits = mask of the chunk
    while bits: lane = lowest of bits; result[lane] = instruction(operands[lane]); bits &= bits - 1

Operands that vary are written to memory before, so that the lane may index them. If no lane is switched off and the
instruction is a single one, the lanes are written out one by one instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from lanewise.analysis.shapes import VARYING, normal
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i64, int_constant, poison
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue, element, lanes_type, split, together

MAX_UNROLLED: Final = 16
"""Most lanes that are written out."""

One = Callable[[Builder, list[Value]], Value | None]
"""The function that emits the instruction for one work-item from its operands."""


def lane_by_lane(
    code: LaneCode, type_: Type, operands: Sequence[LaneValue], mask: Mask, one: One, unroll: bool = False
) -> LaneValue | None:
    """Do something for each active work-item. Returns the lane value of the results, None for type void."""
    width = code.extent.width
    parts: list[Value] = []
    for chunk in range(code.extent.chunks):
        if mask is None and unroll and width <= MAX_UNROLLED:
            part = _unrolled(code, type_, operands, chunk, one)
        else:
            part = _looped(code, type_, operands, chunk, mask, one)
        if part is not None:
            parts.append(part)
    if type_ is ty.VOID:
        return None
    return LaneValue(type_, normal(VARYING, code.extent), parts)


def _unrolled(code: LaneCode, type_: Type, operands: Sequence[LaneValue], chunk: int, one: One) -> Value | None:
    result: Value | None = None if type_ is ty.VOID else poison(lanes_type(type_, code.extent.width))
    for lane in range(code.extent.width):
        row = lane // code.extent.lanes
        arguments = [
            code.scalar(o, chunk, row)
            if o.shape.lane == 0
            else _as(o.type, _element(code.vector(o, chunk), lane, code.build), code.build)
            for o in operands
        ]
        value = one(code.build, arguments)
        if result is not None and value is not None:
            result = _with_element(result, value, lane, code.build)
    return result


def _element(vector: Value, lane: int, build: Builder) -> Value:
    if vector.type.kind == "struct":
        whole: Value = poison(_element_type(vector.type))
        for index, field in enumerate(vector.type.fields):
            taken = build.emit(Instruction("extractvalue", field, (vector,), indices=(index,)))
            part = _element(taken, lane, build)
            whole = build.emit(Instruction("insertvalue", whole.type, (whole, part), indices=(index,)))
        return whole
    return element(vector, lane, build)


def _with_element(vector: Value, value: Value, lane: int, build: Builder) -> Value:
    place = int_constant(ty.I32, lane)
    if vector.type.kind == "struct":
        for index, (field, part) in enumerate(zip(vector.type.fields, split(value, build), strict=True)):
            old = build.emit(Instruction("extractvalue", field, (vector,), indices=(index,)))
            new = build.emit(Instruction("insertelement", field, (old, part, place)))
            vector = build.emit(Instruction("insertvalue", vector.type, (vector, new), indices=(index,)))
        return vector
    return build.emit(Instruction("insertelement", vector.type, (vector, value, place)))


def _as(type_: Type, value: Value, build: Builder) -> Value:
    """Convert a struct of elements to the vector of the program's that it is."""
    if not type_.is_vector or value.type is type_:
        return value
    return together(type_, split(value, build), build)


def _element_type(type_: Type) -> Type:
    return ty.struct(tuple(_element_type(f) for f in type_.fields)) if type_.kind == "struct" else type_.inner


def _looped(
    code: LaneCode, type_: Type, operands: Sequence[LaneValue], chunk: int, mask: Mask, one: One
) -> Value | None:
    width = code.extent.width
    bits_type = ty.integer(width)
    spilled = [None if o.shape.is_uniform else _spill(code, i, code.vector(o, chunk)) for i, o in enumerate(operands)]
    if mask is None:
        bits: Value = int_constant(ty.I64, (1 << width) - 1)
    else:
        narrow = code.build.cast("bitcast", code.vector(mask, chunk), bits_type)
        bits = code.build.cast("zext", narrow, ty.I64) if width < 64 else narrow
    results = None if type_ is ty.VOID else _places(code, "result", lanes_type(type_, width))
    before = code.build.block
    loop, body, done = (code.new_block(f"lane.{name}") for name in ("loop", "body", "done"))
    code.build.branch(loop)
    code.begin(loop)
    left = code.build.phi(ty.I64, [(bits, before)], "left")
    code.build.branch_if(code.build.compare("ne", left, i64(0)), body, done)
    code.begin(body)
    never = Constant(ty.I1, "int", "true")
    lane = code.build.call_function(
        code.external("llvm.cttz.i64", ty.function(ty.I64, (ty.I64, ty.I1))), [left, never], "lane"
    )
    arguments = [
        code.scalar(o) if places is None else _as(o.type, _at(code, places, lane), code.build)
        for o, places in zip(operands, spilled, strict=True)
    ]
    value = one(code.build, arguments)
    if results is not None and value is not None:
        _put(code, results, lane, value)
    rest = code.build.binary("and", left, code.build.binary("sub", left, i64(1)))
    left.append_operand(rest)
    left.append_operand(code.build.block)
    code.build.branch(loop)
    code.begin(done)
    return None if results is None else _all(code, results)


class _Places:
    """Memory for the lanes of a vector, or of each vector of a struct."""

    __slots__ = ("fields", "place", "stored", "type")

    def __init__(self, type_: Type, place: Value | None, stored: Type, fields: list[_Places]) -> None:
        self.type: Final = type_
        self.place: Final = place
        self.stored: Final = stored
        self.fields: Final = fields


def _places(code: LaneCode, use: str, type_: Type) -> _Places:
    if type_.kind == "struct":
        return _Places(type_, None, type_, [_places(code, f"{use}.{i}", f) for i, f in enumerate(type_.fields)])
    stored = ty.vector(type_.count, ty.I8) if type_.inner is ty.I1 else type_
    return _Places(type_, code.scratch(f"lanes.{use}", stored), stored, [])


def _spill(code: LaneCode, number: int, vector: Value) -> _Places:
    places = _places(code, str(number), vector.type)
    _spill_to(code, places, vector)
    return places


def _spill_to(code: LaneCode, places: _Places, vector: Value) -> None:
    if places.place is None:
        for index, inner in enumerate(places.fields):
            part = code.build.emit(Instruction("extractvalue", inner.type, (vector,), indices=(index,)))
            _spill_to(code, inner, part)
        return
    wide = vector if places.stored is places.type else code.build.cast("zext", vector, places.stored)
    code.build.store(wide, places.place)


def _at(code: LaneCode, places: _Places, lane: Value) -> Value:
    if places.place is None:
        whole: Value = poison(_element_type(places.type))
        for index, inner in enumerate(places.fields):
            part = _at(code, inner, lane)
            whole = code.build.emit(Instruction("insertvalue", whole.type, (whole, part), indices=(index,)))
        return whole
    loaded = code.build.load(places.stored.inner, code.build.address(places.stored.inner, places.place, [lane]))
    return loaded if places.stored is places.type else code.build.cast("trunc", loaded, ty.I1)


def _put(code: LaneCode, places: _Places, lane: Value, value: Value) -> None:
    if places.place is None:
        for inner, part in zip(places.fields, split(value, code.build), strict=True):
            _put(code, inner, lane, part)
        return
    wide = value if places.stored is places.type else code.build.cast("zext", value, ty.I8)
    code.build.store(wide, code.build.address(places.stored.inner, places.place, [lane]))


def _all(code: LaneCode, places: _Places) -> Value:
    if places.place is None:
        whole: Value = poison(places.type)
        for index, inner in enumerate(places.fields):
            part = _all(code, inner)
            whole = code.build.emit(Instruction("insertvalue", places.type, (whole, part), indices=(index,)))
        return whole
    loaded = code.build.load(places.stored, places.place)
    return loaded if places.stored is places.type else code.build.cast("trunc", loaded, places.type)
