# SPDX-License-Identifier: Apache-2.0
"""Conversions between types. Source: SPIR-V Specification 1.6, 3.56.11 "Conversion Instructions"."""

from __future__ import annotations

from typing import Final

from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.arithmetic import Handler, resized, suffix
from lanewise.frontend.spirv.function import PURE, FunctionWriter
from lanewise.frontend.spirv.module import ROUNDING_MODE, SATURATED, damaged
from lanewise.frontend.spirv.words import SpirvInstruction

ROUNDING: Final = ("_rte", "_rtz", "_rtp", "_rtn")
_SIGNS: Final = {
    "ConvertFToU": (True, False), "ConvertFToS": (True, True), "ConvertSToF": (True, True),
    "ConvertUToF": (False, True), "FConvert": (True, True), "SConvert": (True, True), "UConvert": (False, False),
    "SatConvertSToU": (True, False), "SatConvertUToS": (False, True),
}  # fmt: skip
"""Signs of integers, before a conversion and after it: true for signed ones."""
_NAMES: Final = {8: "char", 16: "short", 32: "int", 64: "long"}
_FLOATS: Final = {16: "half", 32: "float", 64: "double"}


def rounding(writer: FunctionWriter, number: int) -> str:
    """The rounding mode of an instruction as OpenCL C's functions name it, "" for none."""
    modes = writer.module.decorations_of(number, ROUNDING_MODE)
    if not modes:
        return ""
    if modes[0] >= len(ROUNDING):
        raise damaged(f"the rounding mode {modes[0]}")
    return ROUNDING[modes[0]]


def type_name(kind: ty.SpirvType, *, signed: bool) -> str:
    """The name of a number's or vector's type in OpenCL C."""
    element = ty.element_of(kind)
    count = str(kind.count) if isinstance(kind, ty.VectorType) else ""
    if isinstance(element, ty.FloatType):
        return _FLOATS[element.bits] + count
    if isinstance(element, ty.IntType):
        return ("" if signed else "u") + _NAMES[element.bits] + count
    raise damaged(f"a conversion of {kind.text}")


def _convert(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A conversion, by OpenCL C's functions where it saturates or rounds in a mode of its own."""
    before, after = _SIGNS[each.name]
    kind, source = writer.module.type(each.type), each.operands[0]
    saturates = each.name.startswith("Sat") or writer.module.decoration(each.result, SATURATED) is not None
    mode = rounding(writer, each.result)
    if saturates or mode:
        name = f"convert_{type_name(kind, signed=after)}{'_sat' * saturates}{mode}"
        writer.give(each.result, each.type, writer.call(name, kind, [writer.argument(source, signed=before)], PURE))
    elif each.name in ("ConvertFToU", "ConvertFToS"):
        word = "fptosi" if after else "fptoui"
        symbol = f"llvm.{word}.sat.{suffix(kind)}.{suffix(writer.type_of(source))}"
        writer.declarations.add(symbol, kind.text, [writer.type_of(source).text], "nounwind memory(none)")
        writer.result(each.result, each.type, f"call {kind.text} @{symbol}({writer.typed(source)})")
    else:
        _plainly(writer, each, kind, signed=before)


def _plainly(writer: FunctionWriter, each: SpirvInstruction, kind: ty.SpirvType, *, signed: bool) -> None:
    source = each.operands[0]
    own = writer.type_of(source)
    if each.name in ("SConvert", "UConvert"):
        writer.give(each.result, each.type, resized(writer, source, kind, signed=signed))
        return
    if each.name == "FConvert":
        bits = [element.bits if isinstance(element, ty.FloatType) else 0 for element in map(ty.element_of, (own, kind))]
        if bits[0] == bits[1]:
            writer.give(each.result, each.type, writer.value(source))
            return
        word = "fptrunc" if bits[0] > bits[1] else "fpext"
    else:
        word = "sitofp" if signed else "uitofp"
    writer.result(each.result, each.type, f"{word} {writer.typed(source)} to {kind.text}")


def _quantise(writer: FunctionWriter, each: SpirvInstruction) -> None:
    kind = writer.module.type(each.type)
    narrow = ty.like(kind, ty.FloatType(16)).text
    half = writer.emit(f"fptrunc {writer.typed(each.operands[0])} to {narrow}")
    writer.result(each.result, each.type, f"fpext {narrow} {half} to {kind.text}")


def _bitcast(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """The same bits as another type. A pointer becomes an integer of 64 bits before it becomes anything else."""
    source, kind = writer.type_of(each.operands[0]), writer.module.type(each.type)
    given = writer.typed(each.operands[0])
    if isinstance(source, ty.PointerType) and isinstance(kind, ty.PointerType):
        _to_space(writer, each)
    elif isinstance(source, ty.PointerType):
        bits = writer.emit(f"ptrtoint {given} to i64")
        writer.result(each.result, each.type, f"bitcast i64 {bits} to {kind.text}")
    elif isinstance(kind, ty.PointerType):
        bits = writer.emit(f"bitcast {given} to i64")
        writer.result(each.result, each.type, f"inttoptr i64 {bits} to {kind.text}")
    else:
        writer.result(each.result, each.type, f"bitcast {given} to {kind.text}")


def _to_space(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A pointer as one to another address space, or to another type."""
    source, kind = writer.type_of(each.operands[0]), writer.module.type(each.type)
    if source.text == kind.text:
        writer.give(each.result, each.type, writer.value(each.operands[0]))
    else:
        writer.result(each.result, each.type, f"addrspacecast {writer.typed(each.operands[0])} to {kind.text}")


def _explicitly(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """OpenCL C's to_global, to_local and to_private."""
    kind = writer.module.type(each.type)
    names = {ty.CROSS_WORKGROUP: "global", ty.WORKGROUP: "local", ty.FUNCTION: "private"}
    if not isinstance(kind, ty.PointerType) or kind.storage not in names:
        raise damaged(f"OpGenericCastToPtrExplicit to {kind.text}")
    symbol = f"__to_{names[kind.storage]}"
    given = [("ptr", writer.value(each.operands[0]))]
    writer.give(each.result, each.type, writer.call_symbol(symbol, kind.text, given))


CONVERSIONS: Final[dict[str, Handler]] = {
    **dict.fromkeys(_SIGNS, _convert),
    "QuantizeToF16": _quantise,
    "ConvertPtrToU": lambda writer, each: writer.result(
        each.result, each.type, f"ptrtoint {writer.typed(each.operands[0])} to {writer.module.type(each.type).text}"
    ),
    "ConvertUToPtr": lambda writer, each: writer.result(
        each.result, each.type, f"inttoptr {writer.typed(each.operands[0])} to {writer.module.type(each.type).text}"
    ),
    "PtrCastToGeneric": _to_space,
    "GenericCastToPtr": _to_space,
    "GenericCastToPtrExplicit": _explicitly,
    "Bitcast": _bitcast,
}
