# SPDX-License-Identifier: Apache-2.0
"""Variables of functions, loads, stores and addresses. Source: SPIR-V Specification 1.6, 3.56.8 "Memory"."""

from __future__ import annotations

from typing import Final

from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.arithmetic import Handler
from lanewise.frontend.spirv.composites import part_of
from lanewise.frontend.spirv.function import FunctionWriter
from lanewise.frontend.spirv.module import damaged
from lanewise.frontend.spirv.words import SpirvInstruction

_VOLATILE, _ALIGNED = 1, 2


def _variable(writer: FunctionWriter, each: SpirvInstruction) -> None:
    kind = writer.module.pointee(writer.module.type(each.type))
    aligned = writer.module.alignment(each.result)
    aligned = f",{aligned}" if aligned else ""
    name = writer.define(each.result, each.type)
    writer.entry.append(f"  {name} = alloca {kind.text}{aligned}")
    if len(each.operands) > 1:
        writer.line(f"store {writer.typed(each.operands[1])}, ptr {name}")


def _access(operands: tuple[int, ...]) -> tuple[str, str]:
    """Memory operands as `volatile`, with a space behind, and as the alignment, with what is before it."""
    mask = operands[0] if operands else 0
    return "volatile " * (mask & _VOLATILE), f", align {operands[1]}" if mask & _ALIGNED and len(operands) > 1 else ""


def _load(writer: FunctionWriter, each: SpirvInstruction) -> None:
    pointer = each.operands[0]
    if pointer in writer.module.built_ins:
        from lanewise.frontend.spirv.built_in_values import value_of

        writer.give(each.result, each.type, value_of(writer, pointer))
        return
    volatile, aligned = _access(each.operands[1:])
    kind = writer.module.type(each.type)
    if isinstance(kind, (ty.ImageType, ty.SamplerType)) and pointer in writer.module.values:
        raise damaged(f"a variable of the type {kind.text}")
    writer.result(each.result, each.type, f"load {volatile}{kind.text}, {writer.typed(pointer)}{aligned}")


def _store(writer: FunctionWriter, each: SpirvInstruction) -> None:
    pointer, value = each.operands[:2]
    volatile, aligned = _access(each.operands[2:])
    writer.line(f"store {volatile}{writer.typed(value)}, {writer.typed(pointer)}{aligned}")


def _two_accesses(operands: tuple[int, ...]) -> tuple[tuple[str, str], tuple[str, str]]:
    """Memory operands of a copy: of its target, then of its source, if that has its own."""
    of_target = 0 if not operands else 2 if operands[0] & _ALIGNED else 1
    rest = operands[of_target:]
    return _access(operands[:of_target]), _access(rest or operands)


def _copy(writer: FunctionWriter, each: SpirvInstruction) -> None:
    target, source = each.operands[:2]
    of_target, of_source = _two_accesses(each.operands[2:])
    kind = writer.module.pointee(writer.type_of(source))
    value = writer.emit(f"load {of_source[0]}{kind.text}, {writer.typed(source)}{of_source[1]}")
    writer.line(f"store {of_target[0]}{kind.text} {value}, {writer.typed(target)}{of_target[1]}")


def _copy_bytes(writer: FunctionWriter, each: SpirvInstruction) -> None:
    target, source, size = each.operands[:3]
    accesses = _two_accesses(each.operands[3:])
    volatile = any(word for word, _ in accesses)
    spaces = [
        kind.space if isinstance(kind := writer.type_of(number), ty.PointerType) else 0 for number in (target, source)
    ]
    bits = writer.type_of(size).text
    symbol = f"llvm.memcpy.p{spaces[0]}.p{spaces[1]}.{bits}"
    types = [writer.type_of(number).text for number in (target, source)]
    writer.declarations.add(symbol, "void", [*types, bits, "i1 immarg"], "nounwind memory(argmem: readwrite)")
    rows = zip(types, accesses, (target, source), strict=True)
    places = ", ".join(f"{kind}{aligned.removeprefix(',')} {writer.value(n)}" for kind, (_, aligned), n in rows)
    writer.line(f"call void @{symbol}({places}, {writer.typed(size)}, i1 {'true' if volatile else 'false'})")


def _chain(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """The address of a part. "Ptr" in the name: the first index moves by whole objects."""
    base, *indices = each.operands
    kind = writer.module.pointee(writer.type_of(base))
    moves = "Ptr" in each.name
    path = [] if moves else ["i64 0"]
    inner = kind
    for place, index in enumerate(indices):
        if moves and place == 0:
            path.append(writer.typed(index))
            continue
        if isinstance(inner, ty.StructType):
            field = writer.module.constant_number(index)
            path.append(f"i32 {field}")
            inner = part_of(writer, inner, field)
        else:
            path.append(writer.typed(index))
            inner = part_of(writer, inner, 0)
    if all(writer.constant(index) == 0 for index in indices):
        writer.give(each.result, each.type, writer.value(base))
        return
    bounds = "inbounds " * ("InBounds" in each.name)
    operation = f"getelementptr {bounds}{kind.text}, {writer.typed(base)}, {', '.join(path)}"
    writer.result(each.result, each.type, operation)


def _size(writer: FunctionWriter, each: SpirvInstruction) -> None:
    kind = writer.module.pointee(writer.type_of(each.operands[0]))
    result = writer.module.type(each.type).text
    writer.result(each.result, each.type, f"ptrtoint ptr getelementptr ({kind.text}, ptr null, i64 1) to {result}")


MEMORY: Final[dict[str, Handler]] = {
    "Variable": _variable,
    "Load": _load,
    "Store": _store,
    "CopyMemory": _copy,
    "CopyMemorySized": _copy_bytes,
    **dict.fromkeys(("AccessChain", "InBoundsAccessChain", "PtrAccessChain", "InBoundsPtrAccessChain"), _chain),
    "SizeOf": _size,
}
