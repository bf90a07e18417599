# SPDX-License-Identifier: Apache-2.0
"""Sizes, alignments and field offsets of kernel IR types, in bytes.

Device and host code must agree on these, since structs pass between them by address.

Source: LLVM Language Reference, "Data Layout", with the values of the nvptx64 layout string: i64:64, i128:128,
i256:256, v16:16, v32:32, the rest natural. x86-64 and AArch64 share them for every type that a kernel stores in
memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from lanewise.ir.types import FLOAT_BITS, Type

NamedTypes = Mapping[str, Type | None]
_NUMBERS: Final = frozenset({"int", "ptr", *FLOAT_BITS})
"""Kinds of types with bits of their own. Passes ask for their sizes hundreds of thousands of times."""


def resolve(type_: Type, names: NamedTypes) -> Type:
    """The body of a `%name` type, any other type itself. ValueError if the body is unknown."""
    while type_.kind == "named":
        body = names.get(type_.name)
        if body is None:
            raise ValueError(f"type {type_} has no body, so it has no size")
        type_ = body
    return type_


def align_of(type_: Type, names: NamedTypes) -> int:
    """ABI alignment in bytes, a power of two."""
    if type_.kind in _NUMBERS:
        return _alignment_of_number(type_)
    type_ = resolve(type_, names)
    match type_.kind:
        case "array":
            return align_of(type_.inner, names)
        case "vector":
            return _power_of_two(_vector_bytes(type_, names))
        case "struct":
            return 1 if type_.packed else max((align_of(f, names) for f in type_.fields), default=1)
        case _:
            return max(1, _power_of_two((type_.bits + 7) // 8))


def size_of(type_: Type, names: NamedTypes) -> int:
    """Distance in bytes between consecutive elements of an array of this type (LLVM's "alloc size")."""
    if type_.kind in _NUMBERS:
        return _bytes_of_number(type_)
    type_ = resolve(type_, names)
    match type_.kind:
        case "array":
            return type_.count * size_of(type_.inner, names)
        case "struct":
            return field_offsets(type_, names)[1]
        case "vector":
            return round_up(_vector_bytes(type_, names), align_of(type_, names))
        case _:
            raise ValueError(f"type {type_} has no size")


@cache
def _alignment_of_number(type_: Type) -> int:
    align = max(1, _power_of_two((type_.bits + 7) // 8))
    return min(32, align) if type_.is_int else align


@cache
def _bytes_of_number(type_: Type) -> int:
    return round_up((type_.bits + 7) // 8, _alignment_of_number(type_))


def field_offsets(type_: Type, names: NamedTypes) -> tuple[tuple[int, ...], int]:
    """Offset of each field of a struct, and the whole size, in bytes."""
    type_ = resolve(type_, names)
    offsets: list[int] = []
    end = 0
    for field in type_.fields:
        if not type_.packed:
            end = round_up(end, align_of(field, names))
        offsets.append(end)
        end += size_of(field, names)
    return tuple(offsets), round_up(end, align_of(type_, names))


def array_shape(type_: Type, names: NamedTypes) -> tuple[tuple[int, ...], int]:
    """The extents of an array of arrays, and the bytes of an element; of another type, no extents and its size."""
    shape: list[int] = []
    type_ = resolve(type_, names)
    while type_.kind == "array":
        shape.append(type_.count)
        type_ = resolve(type_.inner, names)
    return tuple(shape), size_of(type_, names)


def round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def _vector_bytes(type_: Type, names: NamedTypes) -> int:
    element = type_.inner
    bits = element.bits if element.bits else size_of(element, names) * 8
    return (type_.count * bits + 7) // 8


def _power_of_two(value: int) -> int:
    return 1 << max(0, value - 1).bit_length()
