# SPDX-License-Identifier: Apache-2.0
"""Initial values of global variables as bytes, little-endian, with the addresses left open."""

import re
import struct
from typing import Final, NamedTuple

from lanewise.ir import types as ty
from lanewise.ir.layout import NamedTypes, field_offsets, resolve, size_of
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Global, Value

_ESCAPE: Final = re.compile(r"\\([0-9A-Fa-f]{2})|\\\\")


class Relocation(NamedTuple):
    """The 8 bytes at `offset` hold the address of `symbol` plus `addend` bytes."""

    offset: int
    symbol: str
    addend: int


class InitialValue(NamedTuple):
    """Bytes of a variable; those under relocations are zero. What is undefined is zero, too."""

    data: bytes
    relocations: tuple[Relocation, ...]


def initial_value(value: Value | None, type_: Type, names: NamedTypes) -> InitialValue:
    """The memory of a variable of `type_` whose initial value is `value`, None without an initialiser.

    ValueError for what LLVM allows and no compiler emits for a variable, such as a difference of addresses.
    """
    data = bytearray(size_of(type_, names))
    relocations: list[Relocation] = []
    if value is not None:
        _fill(value, type_, names, 0, data, relocations)
    return InitialValue(bytes(data), tuple(relocations))


def _fill(
    value: Value, type_: Type, names: NamedTypes, offset: int, data: bytearray, relocations: list[Relocation]
) -> None:
    if isinstance(value, Global):
        relocations.append(Relocation(offset, str(value.name), 0))
        return
    if not isinstance(value, Constant):
        raise ValueError(f"{value!r} is not constant")
    match value.kind:
        case "null" | "undef" | "poison" | "zeroinitializer" | "none":
            return
        case "int":
            size = size_of(type_, names)
            data[offset : offset + size] = (value.integer & ((1 << type_.bits) - 1)).to_bytes(size, "little")
        case "float":
            encoded = encode_float(value.floating, type_)
            data[offset : offset + len(encoded)] = encoded
        case "string":
            text = unescape(value.text)
            data[offset : offset + len(text)] = text
        case "aggregate" | "splat":
            for element, (place, element_type) in zip(_elements(value), _places(type_, names), strict=True):
                _fill(element, element_type, names, offset + place, data, relocations)
        case "expr" if value.opcode == "inttoptr" and isinstance(value.operands[0], Constant):
            _fill(value.operands[0], ty.I64, names, offset, data, relocations)
        case "expr":
            symbol, addend = _address(value, names)
            relocations.append(Relocation(offset, symbol, addend))
        case _:
            raise ValueError(f"constant of kind {value.kind} in an initialiser")


def _elements(value: Constant) -> tuple[Value, ...]:
    return value.operands * value.type.count if value.kind == "splat" else value.operands


def _places(type_: Type, names: NamedTypes) -> list[tuple[int, Type]]:
    """Offset and type of each element of an aggregate."""
    type_ = resolve(type_, names)
    if type_.kind == "struct":
        return list(zip(field_offsets(type_, names)[0], type_.fields, strict=True))
    if type_.is_vector and type_.inner.bits % 8:
        raise ValueError(f"vector {type_} of parts of bytes in an initialiser")
    stride = type_.inner.bits // 8 if type_.is_vector else size_of(type_.inner, names)
    return [(i * stride, type_.inner) for i in range(type_.count)]


def _address(value: Value, names: NamedTypes) -> tuple[str, int]:
    """The symbol and offset that an address expression comes to."""
    if isinstance(value, Global):
        return str(value.name), 0
    if isinstance(value, Constant) and value.kind == "expr":
        if value.opcode in ("addrspacecast", "bitcast", "ptrtoint", "inttoptr"):
            return _address(value.operands[0], names)
        if value.opcode == "getelementptr" and value.source_type is not None:
            symbol, offset = _address(value.operands[0], names)
            return symbol, offset + element_offset(value.source_type, value.operands[1:], names)
    raise ValueError("an initialiser that is neither a value nor an address")


def element_offset(type_: Type, indices: tuple[Value, ...], names: NamedTypes) -> int:
    """Bytes that a getelementptr with constant indices moves its base by."""
    offset = 0
    for position, index in enumerate(indices):
        assert isinstance(index, Constant)
        count = index.integer
        if position == 0:
            offset += count * size_of(type_, names)
            continue
        type_ = resolve(type_, names)
        if type_.kind == "struct":
            offset += field_offsets(type_, names)[0][count]
            type_ = type_.fields[count]
        else:
            type_ = type_.inner
            offset += count * size_of(type_, names)
    return offset


def encode_float(value: float, type_: Type) -> bytes:
    """A half, bfloat, float or double in memory."""
    if type_.kind == "bfloat":
        return struct.pack("<f", value)[2:]
    formats = {"half": "<e", "float": "<f", "double": "<d"}
    if type_.kind not in formats:
        raise ValueError(f"no bytes for a value of type {type_}")
    return struct.pack(formats[type_.kind], value)


def unescape(text: str) -> bytes:
    """The bytes of a c"..." literal; each escape is a backslash and two hexadecimal digits."""
    parts = _ESCAPE.sub(lambda m: chr(int(m.group(1), 16)) if m.group(1) else "\\", text)
    return parts.encode("latin-1", "surrogateescape") if parts.isascii() or max(parts) < "\u0100" else parts.encode()


POINTER_BYTES: Final = size_of(ty.PTR, {})
