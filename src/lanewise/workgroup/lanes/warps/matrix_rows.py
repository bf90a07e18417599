# SPDX-License-Identifier: Apache-2.0
"""Rows of matrices that a warp loads or stores as a whole, see `ir/matrix_rows.py`.

All lanes have the same pointer and stride, so each row is one vector in memory, at an address that is a scalar. What
the lanes hold is these vectors one after the other, or their elements moved to constant places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.matrix_products import QUAD
from lanewise.ir.matrix_rows import MatrixRows
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32, i64, int_constant, poison
from lanewise.workgroup.lanes.warps.warp import WARP_SIZE, Result, Warp

_QUADS: Final = WARP_SIZE // QUAD


def access(kind: MatrixRows) -> Callable[..., Result]:
    return _load(kind) if kind.action == "load" else _store(kind)


def _load(kind: MatrixRows) -> Callable[..., Result]:
    places = _places(kind)

    def expand(warp: Warp, mask: Value, pointer: Value, stride: Value) -> Result:
        del mask
        rows = _rows(kind)
        type_ = ty.vector(WARP_SIZE * kind.together // rows, ty.integer(kind.bits))
        vectors = [
            warp.build.load(type_, address, align=kind.bits // 8) for address in _addresses(warp, pointer, stride, rows)
        ]
        whole = _joined(warp, vectors)
        parts = tuple(_picked(warp, whole, None, each) for each in places)
        return parts if kind.together > 1 else parts[0]

    return expand


def _store(kind: MatrixRows) -> Callable[..., Result]:
    rows = _rows(kind)
    at = {place: (part, lane) for part, each in enumerate(_places(kind)) for lane, place in enumerate(each)}
    sources = [part * WARP_SIZE + lane for _, (part, lane) in sorted(at.items())]
    length = len(sources) // rows

    def expand(warp: Warp, mask: Value, pointer: Value, stride: Value, *values: Value) -> None:
        del mask
        vectors = [each if each.type.is_vector else warp.splat(each) for each in values]
        second = vectors[1] if len(vectors) > 1 else None
        for row, address in enumerate(_addresses(warp, pointer, stride, rows)):
            part = _picked(warp, vectors[0], second, sources[row * length : (row + 1) * length])
            warp.build.store(part, address, align=kind.bits // 8)

    return expand


def _rows(kind: MatrixRows) -> int:
    return QUAD if kind.across else _QUADS


def _places(kind: MatrixRows) -> list[list[int]]:
    """For each element of a lane, its number among all that are in memory, by lane."""
    lanes = range(WARP_SIZE)
    if kind.across:
        return [[lane % QUAD * _QUADS + lane // QUAD for lane in lanes]]
    return [[lane * kind.together + place for lane in lanes] for place in range(kind.together)]


def _addresses(warp: Warp, pointer: Value, stride: Value, rows: int) -> list[Value]:
    pointer, stride = _scalar(warp, pointer), _scalar(warp, stride)
    found = [pointer]
    for row in range(1, rows):
        if isinstance(stride, Constant) and stride.kind == "int":
            offset: Value = i64(stride.integer * row)
        else:
            offset = warp.build.binary("mul", stride, i64(row))
        place = Instruction("getelementptr", pointer.type, (pointer, offset), source_type=ty.I8)
        found.append(warp.build.emit(place))
    return found


def _scalar(warp: Warp, value: Value) -> Value:
    """The value that all active lanes have."""
    if not value.type.is_vector:
        return value
    if isinstance(warp.active, Constant):
        return warp.element(value, i32(0))
    function = ty.function(ty.I32, (ty.I32, ty.I1))
    first = warp.external("llvm.cttz.i32", function)
    bits = warp.build.binary("or", warp.bits(warp.active), int_constant(ty.I32, 1 << (WARP_SIZE - 1)))
    return warp.element(value, warp.build.call_function(first, [bits, int_constant(ty.I1, 1)]))


def _joined(warp: Warp, vectors: Sequence[Value]) -> Value:
    """The elements of vectors, a power of two of them, one after the other."""
    while len(vectors) > 1:
        vectors = [
            _picked(warp, low, high, range(2 * low.type.count))
            for low, high in zip(vectors[::2], vectors[1::2], strict=True)
        ]
    return vectors[0]


def _picked(warp: Warp, first: Value, second: Value | None, sources: Sequence[int]) -> Value:
    """Elements of two vectors by their numbers."""
    type_ = ty.vector(len(sources), first.type.inner)
    if second is None and list(sources) == list(range(first.type.count)):
        return first
    operands = (first, poison(first.type) if second is None else second, _numbers(sources))
    return warp.build.emit(Instruction("shufflevector", type_, operands))


def _numbers(values: Sequence[int]) -> Constant:
    type_: Type = ty.vector(len(values), ty.I32)
    return Constant(type_, "aggregate", operands=tuple(i32(value) for value in values))
