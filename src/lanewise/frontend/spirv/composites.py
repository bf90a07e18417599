# SPDX-License-Identifier: Apache-2.0
"""Vectors, arrays and structures as values. Source: SPIR-V Specification 1.6, 3.56.12 "Composite Instructions"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.arithmetic import Handler
from lanewise.frontend.spirv.function import FunctionWriter
from lanewise.frontend.spirv.module import damaged
from lanewise.frontend.spirv.words import SpirvInstruction

_UNDEFINED: Final = 0xFFFFFFFF


def part_of(writer: FunctionWriter, kind: ty.SpirvType, index: int) -> ty.SpirvType:
    """The type of an element or a field."""
    if isinstance(kind, (ty.VectorType, ty.ArrayType)) and index < kind.count:
        return kind.element
    if isinstance(kind, ty.StructType) and index < len(kind.fields):
        return writer.module.type(kind.fields[index])
    raise damaged(f"{kind.text} has no part {index}")


def _extract(writer: FunctionWriter, each: SpirvInstruction) -> None:
    kind, value = writer.type_of(each.operands[0]), writer.value(each.operands[0])
    for index in each.operands[1:]:
        part = part_of(writer, kind, index)
        if isinstance(kind, ty.VectorType):
            value = writer.emit(f"extractelement {kind.text} {value}, i32 {index}")
        else:
            value = writer.emit(f"extractvalue {kind.text} {value}, {index}")
        kind = part
    writer.give(each.result, each.type, value)


def _insert(writer: FunctionWriter, each: SpirvInstruction) -> None:
    part, whole = each.operands[:2]
    text = _inserted(writer, writer.type_of(whole), writer.value(whole), writer.typed(part), each.operands[2:])
    writer.give(each.result, each.type, text)


def _inserted(writer: FunctionWriter, kind: ty.SpirvType, whole: str, part: str, path: Sequence[int]) -> str:
    """A composite with another part at the end of a path of indices."""
    if not path:
        raise damaged("OpCompositeInsert without an index")
    inner = part_of(writer, kind, path[0])
    if len(path) > 1:
        found = writer.emit(f"extractvalue {kind.text} {whole}, {path[0]}")
        part = f"{inner.text} {_inserted(writer, inner, found, part, path[1:])}"
    if isinstance(kind, ty.VectorType):
        return writer.emit(f"insertelement {kind.text} {whole}, {part}, i32 {path[0]}")
    return writer.emit(f"insertvalue {kind.text} {whole}, {part}, {path[0]}")


def _construct(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A value of its parts. A vector's may be vectors."""
    kind = writer.module.type(each.type)
    if not isinstance(kind, (ty.VectorType, ty.ArrayType, ty.StructType)):
        raise damaged(f"OpCompositeConstruct of {kind.text}")
    made, index = "poison", 0
    for part in each.operands:
        own = writer.type_of(part)
        if isinstance(kind, ty.VectorType) and isinstance(own, ty.VectorType):
            for lane in range(own.count):
                element = writer.emit(f"extractelement {writer.typed(part)}, i32 {lane}")
                made = writer.emit(f"insertelement {kind.text} {made}, {own.element.text} {element}, i32 {index}")
                index += 1
            continue
        place = f"i32 {index}" if isinstance(kind, ty.VectorType) else str(index)
        word = "insertelement" if isinstance(kind, ty.VectorType) else "insertvalue"
        made = writer.emit(f"{word} {kind.text} {made}, {writer.typed(part)}, {place}")
        index += 1
    writer.give(each.result, each.type, made)


def _shuffle(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A choice of elements of two vectors, which LLVM wants of one length."""
    first, second, *chosen = each.operands
    kinds = writer.type_of(first), writer.type_of(second)
    if not (isinstance(kinds[0], ty.VectorType) and isinstance(kinds[1], ty.VectorType)):
        raise damaged(f"OpVectorShuffle of {kinds[0].text} and {kinds[1].text}")
    count = max(kinds[0].count, kinds[1].count)
    wide = ty.VectorType(kinds[0].element, count).text
    values = [_widened(writer, number, count) for number in (first, second)]
    own = kinds[0].count
    places = [i if i < own or i == _UNDEFINED else i - own + count for i in chosen]
    mask = ", ".join("i32 poison" if place == _UNDEFINED else f"i32 {place}" for place in places)
    operation = f"shufflevector {wide} {values[0]}, {wide} {values[1]}, <{len(places)} x i32> <{mask}>"
    writer.result(each.result, each.type, operation)


def _widened(writer: FunctionWriter, number: int, count: int) -> str:
    kind = writer.type_of(number)
    if not isinstance(kind, ty.VectorType) or kind.count == count:
        return writer.value(number)
    mask = ", ".join(f"i32 {i}" if i < kind.count else "i32 poison" for i in range(count))
    return writer.emit(f"shufflevector {writer.typed(number)}, {kind.text} poison, <{count} x i32> <{mask}>")


def _extract_dynamically(writer: FunctionWriter, each: SpirvInstruction) -> None:
    vector, index = each.operands
    writer.result(each.result, each.type, f"extractelement {writer.typed(vector)}, {writer.typed(index)}")


def _insert_dynamically(writer: FunctionWriter, each: SpirvInstruction) -> None:
    vector, part, index = each.operands
    operation = f"insertelement {writer.typed(vector)}, {writer.typed(part)}, {writer.typed(index)}"
    writer.result(each.result, each.type, operation)


def _copy_logically(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A structure or an array as another type with the same parts."""
    kind, source = writer.module.type(each.type), writer.type_of(each.operands[0])
    writer.give(each.result, each.type, _as_type(writer, source, writer.value(each.operands[0]), kind))


def _as_type(writer: FunctionWriter, source: ty.SpirvType, value: str, kind: ty.SpirvType) -> str:
    if kind.text == source.text:
        return value
    made = "poison"
    for index in range(_count(kind)):
        own, wanted = part_of(writer, source, index), part_of(writer, kind, index)
        part = _as_type(writer, own, writer.emit(f"extractvalue {source.text} {value}, {index}"), wanted)
        made = writer.emit(f"insertvalue {kind.text} {made}, {wanted.text} {part}, {index}")
    return made


def _count(kind: ty.SpirvType) -> int:
    """The number of parts of a structure or an array. CompileError for what is neither."""
    if isinstance(kind, ty.StructType):
        return len(kind.fields)
    if isinstance(kind, ty.ArrayType):
        return kind.count
    raise damaged(f"OpCopyLogical to {kind.text}")


def _copy(writer: FunctionWriter, each: SpirvInstruction) -> None:
    writer.give(each.result, each.type, writer.value(each.operands[0]))


COMPOSITES: Final[dict[str, Handler]] = {
    "CompositeExtract": _extract,
    "CompositeInsert": _insert,
    "CompositeConstruct": _construct,
    "VectorShuffle": _shuffle,
    "VectorExtractDynamic": _extract_dynamically,
    "VectorInsertDynamic": _insert_dynamically,
    "CopyObject": _copy,
    "CopyLogical": _copy_logically,
    "ExpectKHR": _copy,
    "Undef": lambda writer, each: writer.give(each.result, each.type, "undef"),
}
