# SPDX-License-Identifier: Apache-2.0
"""Arithmetic, comparisons and operations on bits. Source: SPIR-V Specification 1.6, 3.56.13 to 3.56.15."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.function import PURE, FunctionWriter, by_lane
from lanewise.frontend.spirv.mangling import Mangled
from lanewise.frontend.spirv.module import damaged
from lanewise.frontend.spirv.words import SpirvInstruction

Handler = Callable[[FunctionWriter, SpirvInstruction], None]

_BINARY: Final = {
    "UDiv": "udiv", "SDiv": "sdiv", "UMod": "urem", "SRem": "srem", "BitwiseOr": "or", "BitwiseXor": "xor",
    "BitwiseAnd": "and", "LogicalOr": "or", "LogicalAnd": "and", "LogicalNotEqual": "xor",
}  # fmt: skip
_WRAPPING: Final = {"IAdd": "add", "ISub": "sub", "IMul": "mul"}
_SHIFTS: Final = {"ShiftRightLogical": "lshr", "ShiftRightArithmetic": "ashr", "ShiftLeftLogical": "shl"}
_FLOATING: Final = {"FAdd": "fadd", "FSub": "fsub", "FMul": "fmul", "FDiv": "fdiv"}
_INTEGERS: Final = {
    "IEqual": "eq", "INotEqual": "ne", "UGreaterThan": "ugt", "SGreaterThan": "sgt", "UGreaterThanEqual": "uge",
    "SGreaterThanEqual": "sge", "ULessThan": "ult", "SLessThan": "slt", "ULessThanEqual": "ule",
    "SLessThanEqual": "sle", "LogicalEqual": "eq", "PtrEqual": "eq", "PtrNotEqual": "ne",
}  # fmt: skip
_FLOATS: Final = {
    "FOrdEqual": "oeq", "FUnordEqual": "ueq", "FOrdNotEqual": "one", "FUnordNotEqual": "une", "FOrdLessThan": "olt",
    "FUnordLessThan": "ult", "FOrdGreaterThan": "ogt", "FUnordGreaterThan": "ugt", "FOrdLessThanEqual": "ole",
    "FUnordLessThanEqual": "ule", "FOrdGreaterThanEqual": "oge", "FUnordGreaterThanEqual": "uge",
    "LessOrGreater": "one", "Ordered": "ord", "Unordered": "uno",
}  # fmt: skip
_CLASSES: Final = {"IsNan": 0x003, "IsInf": 0x204, "IsFinite": 0x1F8, "IsNormal": 0x108}
"""Kinds of numbers, as bits of `llvm.is.fpclass`."""


def _binary(writer: FunctionWriter, each: SpirvInstruction) -> None:
    left, right = each.operands[:2]
    writer.result(each.result, each.type, f"{_BINARY[each.name]} {writer.typed(left)}, {writer.value(right)}")


def _wrapping(writer: FunctionWriter, each: SpirvInstruction) -> None:
    left, right = each.operands
    operation = f"{_WRAPPING[each.name]} {writer.wraps(each.result)}{writer.typed(left)}, {writer.value(right)}"
    writer.result(each.result, each.type, operation)


def _shift(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A shift. Its second operand may have another width, and OpenCL C's bits above those that count are ignored."""
    base, shift = each.operands
    kind = writer.type_of(base)
    element = ty.element_of(kind)
    if not isinstance(element, ty.IntType):
        raise damaged(f"a shift of {kind.text}")
    amount = resized(writer, shift, kind)
    number = writer.constant(shift)
    if number is None or not 0 <= number < element.bits:
        amount = writer.emit(f"and {kind.text} {amount}, {by_lane(kind, str(element.bits - 1))}")
    writer.result(each.result, each.type, f"{_SHIFTS[each.name]} {kind.text} {writer.value(base)}, {amount}")


def resized(writer: FunctionWriter, number: int, kind: ty.SpirvType, *, signed: bool = False) -> str:
    """An integer, or a vector of them, in the width of another type."""
    own, wanted = ty.element_of(writer.type_of(number)), ty.element_of(kind)
    if not (isinstance(own, ty.IntType) and isinstance(wanted, ty.IntType)):
        raise damaged(f"%{number} is no integer")
    if own.bits == wanted.bits:
        return writer.value(number)
    word = "trunc" if own.bits > wanted.bits else "sext" if signed else "zext"
    target = ty.like(writer.type_of(number), wanted)
    return writer.emit(f"{word} {writer.typed(number)} to {target.text}")


def _floating(writer: FunctionWriter, each: SpirvInstruction) -> None:
    left, right = each.operands
    operation = f"{_FLOATING[each.name]} {writer.flags(each.result)}{writer.typed(left)}, {writer.value(right)}"
    writer.result(each.result, each.type, operation)


def _negation(writer: FunctionWriter, each: SpirvInstruction) -> None:
    writer.result(each.result, each.type, f"fneg {writer.flags(each.result)}{writer.typed(each.operands[0])}")


def _integer_negation(writer: FunctionWriter, each: SpirvInstruction) -> None:
    kind = writer.type_of(each.operands[0])
    value = writer.value(each.operands[0])
    writer.result(each.result, each.type, f"sub {writer.wraps(each.result)}{kind.text} {by_lane(kind, '0')}, {value}")


def _complement(writer: FunctionWriter, each: SpirvInstruction) -> None:
    kind = writer.type_of(each.operands[0])
    ones = "true" if ty.element_of(kind) == ty.BoolType() else "-1"
    writer.result(each.result, each.type, f"xor {kind.text} {writer.value(each.operands[0])}, {by_lane(kind, ones)}")


def _remainder(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """The remainder that C's fmod gives."""
    writer.give(each.result, each.type, _fmod(writer, each))


def _fmod(writer: FunctionWriter, each: SpirvInstruction) -> str:
    kind = writer.module.type(each.type)
    return writer.call("fmod", kind, [writer.argument(number) for number in each.operands], PURE)


def _floating_modulus(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """The remainder with the sign of the divisor."""
    kind = writer.module.type(each.type)
    zero, divisor = "zeroinitializer" if isinstance(kind, ty.VectorType) else "0.0", writer.value(each.operands[1])
    found = _fmod(writer, each)
    product = writer.emit(f"fcmp olt {kind.text} {found}, {zero}")
    sign = writer.emit(f"fcmp olt {kind.text} {divisor}, {zero}")
    flags = ty.like(kind, ty.BoolType()).text
    differs = writer.emit(f"xor {flags} {product}, {sign}")
    there = writer.emit(f"fcmp une {kind.text} {found}, {zero}")
    both = writer.emit(f"and {flags} {differs}, {there}")
    moved = writer.emit(f"fadd {kind.text} {found}, {divisor}")
    writer.result(each.result, each.type, f"select {flags} {both}, {kind.text} {moved}, {kind.text} {found}")


def _modulus(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """The remainder of integers with the sign of the divisor."""
    kind, (left, right) = writer.module.type(each.type), each.operands
    zero, flags = by_lane(kind, "0"), ty.like(kind, ty.BoolType()).text
    found = writer.emit(f"srem {writer.typed(left)}, {writer.value(right)}")
    mixed = writer.emit(f"xor {kind.text} {found}, {writer.value(right)}")
    differs = writer.emit(f"icmp slt {kind.text} {mixed}, {zero}")
    there = writer.emit(f"icmp ne {kind.text} {found}, {zero}")
    both = writer.emit(f"and {flags} {differs}, {there}")
    moved = writer.emit(f"add {kind.text} {found}, {writer.value(right)}")
    writer.result(each.result, each.type, f"select {flags} {both}, {kind.text} {moved}, {kind.text} {found}")


def _scaled(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A vector times a number."""
    vector, number = each.operands
    kind = writer.type_of(vector)
    if not isinstance(kind, ty.VectorType):
        raise damaged(f"OpVectorTimesScalar of {kind.text}")
    wide = splat(writer, kind, writer.value(number))
    writer.result(each.result, each.type, f"fmul {writer.flags(each.result)}{writer.typed(vector)}, {wide}")


def splat(writer: FunctionWriter, kind: ty.VectorType, value: str) -> str:
    """A vector with the same value in each lane."""
    first = writer.emit(f"insertelement {kind.text} poison, {kind.element.text} {value}, i32 0")
    return writer.emit(
        f"shufflevector {kind.text} {first}, {kind.text} poison, <{kind.count} x i32> zeroinitializer",
    )


def _dot(writer: FunctionWriter, each: SpirvInstruction) -> None:
    kind = writer.module.type(each.type)
    arguments = [writer.argument(number) for number in each.operands]
    writer.give(each.result, each.type, writer.call("dot", kind, arguments, PURE))


def _integer_dot(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A dot product of integers, with an addend that saturates where it has one."""
    kind = writer.module.type(each.type)
    saturates = each.name.endswith("AccSat")
    signs = {"S": (True, True), "U": (False, False), "SU": (True, False)}[each.name.removesuffix("AccSat")[:-3]]
    name = "dot_acc_sat" if saturates else "dot"
    arguments: list[tuple[str, str, Mangled]] = []
    if isinstance(writer.type_of(each.operands[0]), ty.VectorType):
        for number, sign in zip(each.operands, signs, strict=False):
            arguments.append(writer.argument(number, signed=sign))
    else:
        letters = "".join("s" if sign else "u" for sign in signs)
        name = f"{name}_4x8packed_{letters}_{'int' if any(signs) else 'uint'}"
        arguments += (writer.argument(number, signed=False) for number in each.operands[:2])
    if saturates:
        arguments.append(("i32", resized(writer, each.operands[2], ty.IntType(32)), "i" if any(signs) else "j"))
    found = writer.call(name, ty.IntType(32), arguments, PURE)
    if kind == ty.IntType(32):
        writer.give(each.result, each.type, found)
    else:
        word = "trunc" if kind.text in ("i8", "i16") else "sext" if any(signs) else "zext"
        writer.result(each.result, each.type, f"{word} i32 {found} to {kind.text}")


def _with_carry(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A sum or difference, and the carry or borrow, as a structure of two."""
    kind = writer.type_of(each.operands[0])
    left, right = (writer.value(number) for number in each.operands)
    word, test = ("add", "ult") if each.name == "IAddCarry" else ("sub", "ult")
    found = writer.emit(f"{word} {kind.text} {left}, {right}")
    compared = f"{found}, {left}" if word == "add" else f"{left}, {right}"
    carry = writer.emit(f"icmp {test} {kind.text} {compared}")
    flags = ty.like(kind, ty.BoolType()).text
    wide = writer.emit(f"zext {flags} {carry} to {kind.text}")
    _pair(writer, each, kind, found, wide)


def _extended_product(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A product of twice the width, as a structure of its low and its high half."""
    kind, signed = writer.type_of(each.operands[0]), each.name.startswith("S")
    left, right = each.operands
    low = writer.emit(f"mul {writer.typed(left)}, {writer.value(right)}")
    arguments = [writer.argument(number, signed=signed) for number in each.operands]
    _pair(writer, each, kind, low, writer.call("mul_hi", kind, arguments, PURE))


def _pair(writer: FunctionWriter, each: SpirvInstruction, kind: ty.SpirvType, first: str, second: str) -> None:
    pair = writer.module.type(each.type).text
    half = writer.emit(f"insertvalue {pair} poison, {kind.text} {first}, 0")
    writer.result(each.result, each.type, f"insertvalue {pair} {half}, {kind.text} {second}, 1")


def _compared(writer: FunctionWriter, each: SpirvInstruction) -> None:
    left, right = each.operands
    kind = writer.type_of(left)
    element = ty.element_of(kind)
    if isinstance(element, ty.FloatType):  # LLVM compares the bits of what atomics exchange so
        integers = ty.like(kind, ty.IntType(element.bits)).text
        a, b = (writer.emit(f"bitcast {writer.typed(number)} to {integers}") for number in (left, right))
        writer.result(each.result, each.type, f"icmp {_INTEGERS[each.name]} {integers} {a}, {b}")
        return
    writer.result(each.result, each.type, f"icmp {_INTEGERS[each.name]} {writer.typed(left)}, {writer.value(right)}")


def _compared_floats(writer: FunctionWriter, each: SpirvInstruction) -> None:
    left, right = each.operands
    operation = f"fcmp {writer.flags(each.result)}{_FLOATS[each.name]} {writer.typed(left)}, {writer.value(right)}"
    writer.result(each.result, each.type, operation)


def _difference(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """The distance of two pointers in elements."""
    left, right = each.operands
    kind = writer.module.pointee(writer.type_of(left))
    numbers = [writer.emit(f"ptrtoint {writer.typed(number)} to i64") for number in (left, right)]
    size = writer.emit(f"ptrtoint ptr getelementptr ({kind.text}, ptr null, i64 1) to i64")
    bytes_apart = writer.emit(f"sub i64 {numbers[0]}, {numbers[1]}")
    found = writer.emit(f"sdiv exact i64 {bytes_apart}, {size}")
    result = writer.module.type(each.type)
    if result == ty.IntType(64):
        writer.give(each.result, each.type, found)
    else:
        writer.result(each.result, each.type, f"trunc i64 {found} to {result.text}")


def _class(writer: FunctionWriter, each: SpirvInstruction) -> None:
    kind = writer.type_of(each.operands[0])
    flags = ty.like(kind, ty.BoolType())
    symbol = f"llvm.is.fpclass.{suffix(kind)}"
    writer.declarations.add(symbol, flags.text, [kind.text, "i32 immarg"], "nounwind memory(none)")
    operation = f"call {flags.text} @{symbol}({writer.typed(each.operands[0])}, i32 {_CLASSES[each.name]})"
    writer.result(each.result, each.type, operation)


def suffix(kind: ty.SpirvType) -> str:
    """The type in the name of an intrinsic."""
    element = ty.element_of(kind)
    word = f"{'f' if isinstance(element, ty.FloatType) else 'i'}{getattr(element, 'bits', 1)}"
    return f"v{kind.count}{word}" if isinstance(kind, ty.VectorType) else word


def _sign(writer: FunctionWriter, each: SpirvInstruction) -> None:
    kind = writer.type_of(each.operands[0])
    element = ty.element_of(kind)
    if not isinstance(element, ty.FloatType):
        raise damaged(f"OpSignBitSet of {kind.text}")
    integers = ty.like(kind, ty.IntType(element.bits)).text
    bits = writer.emit(f"bitcast {writer.typed(each.operands[0])} to {integers}")
    zero = "zeroinitializer" if isinstance(kind, ty.VectorType) else "0"
    writer.result(each.result, each.type, f"icmp slt {integers} {bits}, {zero}")


def _all_or_any(writer: FunctionWriter, each: SpirvInstruction) -> None:
    kind = writer.type_of(each.operands[0])
    if not isinstance(kind, ty.VectorType):
        raise damaged(f"Op{each.name} of {kind.text}")
    flags, value = ty.like(kind, ty.BoolType()).text, writer.value(each.operands[0])
    if kind.element != ty.BoolType():  # LLVM writes OpenCL C's any() and all() of integers so, which are of their signs
        value = writer.emit(f"icmp slt {kind.text} {value}, zeroinitializer")
    symbol = f"llvm.vector.reduce.{'or' if each.name == 'Any' else 'and'}.v{kind.count}i1"
    writer.declarations.add(symbol, "i1", [flags], "nounwind memory(none)")
    writer.result(each.result, each.type, f"call i1 @{symbol}({flags} {value})")


def _select(writer: FunctionWriter, each: SpirvInstruction) -> None:
    condition, yes, no = each.operands
    operation = f"select {writer.typed(condition)}, {writer.typed(yes)}, {writer.typed(no)}"
    writer.result(each.result, each.type, operation)


def _bits(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """OpBitCount, whose result may have another width, and OpBitReverse."""
    kind, result = writer.type_of(each.operands[0]), writer.module.type(each.type)
    symbol = f"llvm.{'ctpop' if each.name == 'BitCount' else 'bitreverse'}.{suffix(kind)}"
    writer.declarations.add(symbol, kind.text, [kind.text], "nounwind memory(none)")
    call = f"call {kind.text} @{symbol}({writer.typed(each.operands[0])})"
    own, wanted = ty.element_of(kind), ty.element_of(result)
    if own == wanted:
        writer.result(each.result, each.type, call)
        return
    found = writer.emit(call)
    word = "trunc" if getattr(own, "bits", 0) > getattr(wanted, "bits", 0) else "zext"
    writer.result(each.result, each.type, f"{word} {kind.text} {found} to {result.text}")


def _bit_field(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """The extensions' bitfield_insert, bitfield_extract_signed and bitfield_extract_unsigned."""
    kind = writer.module.type(each.type)
    signed = each.name == "BitFieldSExtract"
    name = {"BitFieldInsert": "bitfield_insert", "BitFieldSExtract": "bitfield_extract_signed"}.get(
        each.name, "bitfield_extract_unsigned"
    )
    count = 2 if each.name == "BitFieldInsert" else 1
    arguments = [writer.argument(number, signed=signed) for number in each.operands[:count]]
    for number in each.operands[count:]:
        arguments.append(("i32", resized(writer, number, ty.IntType(32)), "j"))
    writer.give(each.result, each.type, writer.call(name, kind, arguments, PURE))


ARITHMETIC: Final[dict[str, Handler]] = {
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(_WRAPPING, _wrapping),
    **dict.fromkeys(_SHIFTS, _shift),
    **dict.fromkeys(_FLOATING, _floating),
    **dict.fromkeys(_INTEGERS, _compared),
    **dict.fromkeys(_FLOATS, _compared_floats),
    **dict.fromkeys(_CLASSES, _class),
    **dict.fromkeys(("SDot", "UDot", "SUDot", "SDotAccSat", "UDotAccSat", "SUDotAccSat"), _integer_dot),
    "SNegate": _integer_negation,
    "FNegate": _negation,
    "Not": _complement,
    "LogicalNot": _complement,
    "SMod": _modulus,
    "FRem": _remainder,
    "FMod": _floating_modulus,
    "VectorTimesScalar": _scaled,
    "Dot": _dot,
    "IAddCarry": _with_carry,
    "ISubBorrow": _with_carry,
    "UMulExtended": _extended_product,
    "SMulExtended": _extended_product,
    "PtrDiff": _difference,
    "SignBitSet": _sign,
    "Any": _all_or_any,
    "All": _all_or_any,
    "Select": _select,
    "BitReverse": _bits,
    "BitCount": _bits,
    "BitFieldInsert": _bit_field,
    "BitFieldSExtract": _bit_field,
    "BitFieldUExtract": _bit_field,
}
