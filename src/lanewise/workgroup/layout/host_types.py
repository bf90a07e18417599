# SPDX-License-Identifier: Apache-2.0
"""Types and plain constants of the device as the host sees them: all address spaces are one, and a bfloat is its bits.

On x86, LLVM rounds a bfloat anew even if it only moves it (through an instruction that flushes denormals). So the host
has none: `floats/narrow.py` writes out all operations on them.
"""

from __future__ import annotations

from lanewise.ir import types as ty
from lanewise.ir.module import constants_in
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, int_constant


def host_type(type_: Type) -> Type:
    """`type_` with every pointer in address space 0, and i16 for bfloat."""
    match type_.kind:
        case "ptr":
            return ty.PTR
        case "bfloat":
            return ty.I16
        case "vector":
            return ty.vector(type_.count, host_type(type_.inner), type_.scalable)
        case "array":
            return ty.array(type_.count, host_type(type_.inner))
        case "struct":
            return ty.struct(tuple(host_type(f) for f in type_.fields), type_.packed)
        case "function":
            return ty.function(host_type(type_.inner), tuple(host_type(f) for f in type_.fields), type_.vararg)
        case _:
            return type_


def is_plain(value: Value) -> bool:
    """No symbol and no expression anywhere in a constant."""
    return all(isinstance(v, Constant) and v.kind != "expr" for v in constants_in(value))


def host_constant(value: Value) -> Constant:
    """A plain constant in its host type."""
    assert isinstance(value, Constant), f"{value!r} is no plain constant"
    type_ = host_type(value.type)
    if type_ is value.type:
        return value
    if value.kind == "float":  # LLVM writes a bfloat as its bits, 0xR3F80
        return int_constant(type_, int(value.text.removeprefix("0xR"), 16))
    operands = tuple(host_constant(o) for o in value.operands)
    return Constant(type_, value.kind, value.text, operands, opcode=value.opcode, flags=value.flags)
