# SPDX-License-Identifier: Apache-2.0
"""Constants of a SPIR-V module, specialised ones by their defaults, and its variables."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final

from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.literals import bytes_text, float_text, integer_text
from lanewise.frontend.spirv.module import (
    BUILT_IN,
    EXTERNAL,
    BuiltIn,
    SpirvModule,
    SpirvValue,
    damaged,
    refused,
)
from lanewise.frontend.spirv.opcodes import name_of
from lanewise.frontend.spirv.words import SpirvInstruction

_SAMPLER_MODES: Final = (0, 2, 4, 6, 8)
"""Addressing modes as clang writes them: none, clamp to the edge, clamp, repeat, repeat mirrored."""
_NEAREST, _LINEAR = 0x10, 0x20


def null_text(module: SpirvModule, kind: ty.SpirvType) -> str:
    """The zero of a type."""
    if isinstance(kind, ty.IntType):
        return "0"
    if isinstance(kind, ty.BoolType):
        return "false"
    if isinstance(kind, ty.FloatType):
        return float_text(0, kind.bits)
    return "null" if kind.text.startswith("ptr") else "zeroinitializer"


def _boolean(text: str) -> Callable[[SpirvModule, SpirvInstruction], SpirvValue]:
    return lambda _, each: SpirvValue(each.type, text, int(text == "true"))


def _number(module: SpirvModule, each: SpirvInstruction) -> SpirvValue:
    kind = module.type(each.type)
    pattern = sum(word << 32 * place for place, word in enumerate(each.operands))
    if isinstance(kind, ty.FloatType):
        return SpirvValue(each.type, float_text(pattern, kind.bits))
    if isinstance(kind, ty.IntType):
        return _integer(module, each.type, pattern)
    raise damaged(f"OpConstant of the type {kind.text}")


def _integer(module: SpirvModule, type_number: int, value: int) -> SpirvValue:
    kind = module.type(type_number)
    if isinstance(kind, ty.BoolType):
        return SpirvValue(type_number, "true" if value & 1 else "false", value & 1)
    if not isinstance(kind, ty.IntType):
        raise damaged(f"an integer constant of the type {kind.text}")
    return SpirvValue(type_number, integer_text(value, kind.bits), value & (1 << kind.bits) - 1)


def typed_constant(module: SpirvModule, number: int) -> str:
    """A constant with its type. CompileError for what is none."""
    value = module.values.get(number)
    if value is None:
        raise damaged(f"%{number} is no constant")
    module.charge(len(value.text))
    return f"{module.type(value.type).text} {value.text}"


def _composite(module: SpirvModule, each: SpirvInstruction) -> SpirvValue:
    kind = module.type(each.type)
    if isinstance(kind, ty.ArrayType) and kind.element == ty.IntType(8):
        return SpirvValue(each.type, bytes_text([module.constant_number(part) for part in each.operands]))
    parts = ", ".join(typed_constant(module, part) for part in each.operands)
    if isinstance(kind, ty.VectorType):
        return SpirvValue(each.type, f"<{parts}>")
    if isinstance(kind, ty.StructType):
        return SpirvValue(each.type, f"<{{ {parts} }}>" if kind.is_packed else f"{{ {parts} }}")
    return SpirvValue(each.type, f"[{parts}]")


def _sampler(module: SpirvModule, each: SpirvInstruction) -> SpirvValue:
    mode, is_normalised, is_linear = each.operands
    return SpirvValue(each.type, "", _SAMPLER_MODES[mode] | is_normalised | (_LINEAR if is_linear else _NEAREST))


def _undefined(module: SpirvModule, each: SpirvInstruction) -> SpirvValue:
    return SpirvValue(each.type, "undef", 0 if isinstance(module.type(each.type), ty.IntType) else None)


def _null(module: SpirvModule, each: SpirvInstruction) -> SpirvValue:
    kind = module.type(each.type)
    is_number = isinstance(kind, (ty.IntType, ty.BoolType))
    return SpirvValue(each.type, null_text(module, kind), 0 if is_number else None)


def _operation(module: SpirvModule, each: SpirvInstruction) -> SpirvValue:
    """OpSpecConstantOp: of integers here, of addresses by LLVM."""
    name, operands = name_of(each.operands[0]), each.operands[1:]
    kind = module.type(each.type)
    if name in _ADDRESSES:
        return SpirvValue(each.type, _address(module, name, kind, operands))
    if name == "Select":
        return module.values[operands[1] if module.constant_number(operands[0]) else operands[2]]._replace(
            type=each.type
        )
    if name == "CompositeExtract":
        raise refused("OpSpecConstantOp of OpCompositeExtract")
    if name not in _UNARY | _BINARY or not isinstance(kind, (ty.IntType, ty.BoolType)):
        raise refused(f"OpSpecConstantOp of Op{name}")
    values = [module.constant_number(operand) for operand in operands]
    if len(values) != (1 if name in _UNARY else 2):
        raise damaged(f"OpSpecConstantOp of Op{name} with {len(values)} operands")
    widths = [_bits(module, operand) for operand in operands]
    signed = [v - (1 << bits) if v >> bits - 1 else v for v, bits in zip(values, widths, strict=True)]
    is_signed = name == "ShiftRightArithmetic" or (name.startswith("S") and not name.startswith("Shift"))
    if name in _DIVISIONS and values[1] == 0:
        raise damaged(f"OpSpecConstantOp of Op{name} divides by zero")
    chosen = signed if is_signed else values
    found = _UNARY[name](*chosen) if name in _UNARY else _BINARY[name](*chosen)
    return _integer(module, each.type, found)


def _bits(module: SpirvModule, number: int) -> int:
    kind = module.type(module.values[number].type)
    return kind.bits if isinstance(kind, ty.IntType) else 1


def _address(module: SpirvModule, name: str, kind: ty.SpirvType, operands: tuple[int, ...]) -> str:
    base = typed_constant(module, operands[0])
    if name in ("PtrCastToGeneric", "GenericCastToPtr"):
        return (
            f"addrspacecast ({base} to {kind.text})" if not base.startswith(f"{kind.text} ") else base.split(" ", 1)[1]
        )
    if name == "ConvertPtrToU":
        return f"ptrtoint ({base} to {kind.text})"
    if name == "ConvertUToPtr":
        return f"inttoptr ({base} to {kind.text})"
    if name == "Bitcast":
        if not (base.startswith("ptr") and kind.text.startswith("ptr")):
            return f"bitcast ({base} to {kind.text})"
        return module.values[operands[0]].text
    indices = ", ".join(typed_constant(module, index) for index in operands[1:])
    zero = "" if "Ptr" in name else "i64 0, "
    target = module.pointee(module.type(module.values[operands[0]].type))
    return f"getelementptr ({target.text}, {base}, {zero}{indices})"


_ADDRESSES: Final = frozenset((
    "AccessChain", "InBoundsAccessChain", "PtrAccessChain", "InBoundsPtrAccessChain", "PtrCastToGeneric",
    "GenericCastToPtr", "ConvertPtrToU", "ConvertUToPtr", "Bitcast",
))  # fmt: skip
_DIVISIONS: Final = frozenset(("UDiv", "SDiv", "UMod", "SRem", "SMod"))


def _quotient(a: int, b: int) -> int:
    """The quotient of integers, towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_UNARY: Final[dict[str, Callable[[int], int]]] = {
    "SNegate": operator.neg,
    "Not": operator.invert,
    "LogicalNot": lambda a: 1 - a,
    "UConvert": lambda a: a,
    "SConvert": lambda a: a,
}
_BINARY: Final[dict[str, Callable[[int, int], int]]] = {
    "IAdd": operator.add,
    "ISub": operator.sub,
    "IMul": operator.mul,
    "UDiv": lambda a, b: a // b,
    "SDiv": _quotient,
    "UMod": operator.mod,
    "SRem": lambda a, b: a - b * _quotient(a, b),
    "SMod": operator.mod,
    "ShiftRightLogical": lambda a, b: a >> b,
    "ShiftRightArithmetic": lambda a, b: a >> b,
    "ShiftLeftLogical": lambda a, b: a << min(b, 64),
    "BitwiseOr": lambda a, b: a | b,
    "BitwiseXor": lambda a, b: a ^ b,
    "BitwiseAnd": lambda a, b: a & b,
    "LogicalOr": lambda a, b: a | b,
    "LogicalAnd": lambda a, b: a & b,
    "LogicalEqual": operator.eq,
    "LogicalNotEqual": operator.ne,
    "IEqual": operator.eq,
    "INotEqual": operator.ne,
    "UGreaterThan": operator.gt,
    "SGreaterThan": operator.gt,
    "UGreaterThanEqual": operator.ge,
    "SGreaterThanEqual": operator.ge,
    "ULessThan": operator.lt,
    "SLessThan": operator.lt,
    "ULessThanEqual": operator.le,
    "SLessThanEqual": operator.le,
}

CONSTANTS: Final[dict[str, Callable[[SpirvModule, SpirvInstruction], SpirvValue]]] = {
    "ConstantTrue": _boolean("true"),
    "ConstantFalse": _boolean("false"),
    "Constant": _number,
    "ConstantComposite": _composite,
    "ConstantSampler": _sampler,
    "ConstantNull": _null,
    "SpecConstantTrue": _boolean("true"),
    "SpecConstantFalse": _boolean("false"),
    "SpecConstant": _number,
    "SpecConstantComposite": _composite,
    "SpecConstantOp": _operation,
    "Undef": _undefined,
}


def variable(module: SpirvModule, each: SpirvInstruction) -> None:
    """Declare a variable of the module."""
    pointer = module.type(each.type)
    if not isinstance(pointer, ty.PointerType):
        raise damaged(f"a variable of the type {pointer.text}")
    if pointer.storage == ty.INPUT:
        if (what := module.decorations_of(each.result, BUILT_IN)) == []:
            raise refused("variables of the storage class Input that aren't built in")
        module.built_ins[each.result] = BuiltIn(what[0], each.type, pointer.pointee)
        return
    module.values[each.result] = SpirvValue(each.type, f"@{_declared(module, each, pointer)}")


def _declared(module: SpirvModule, each: SpirvInstruction, pointer: ty.PointerType) -> str:
    kind = module.type(pointer.pointee)
    linkage = module.linkage(each.result)
    name = module.unique(linkage.name) if linkage and linkage.name else module.symbol(each.result, ".v")
    word = "internal" if linkage is None or pointer.storage == ty.WORKGROUP else linkage.word
    if len(each.operands) > 1:
        initial = module.values[each.operands[1]].text
    else:
        initial = "undef" if pointer.storage == ty.WORKGROUP else "zeroinitializer"
    initial = "" if word == EXTERNAL else f" {initial}"
    what = "constant" if pointer.storage == ty.UNIFORM_CONSTANT else "global"
    aligned = module.alignment(each.result)
    aligned = f",{aligned}" if aligned else ""
    module.globals.append(f"@{name} = {word} addrspace({pointer.space}) {what} {kind.text}{initial}{aligned}")
    return name
