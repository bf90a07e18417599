# SPDX-License-Identifier: Apache-2.0
"""Runtime values as bits, by IR type, for memory and bitcast.

Bits are one unsigned Python integer, with the byte at the lowest address in the lowest eight. A second integer marks
the undetermined bits by ones. Poison stored inside a vector or aggregate is loaded as undefined bits (a poison scalar
is never stored).

Source: LLVM Language Reference, "Data Layout", "Bitcast .. to", "Vector Type".
"""

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

from lanewise.device.reference.arithmetic.formats import FORMATS, from_bits, to_bits
from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value, known_bits
from lanewise.device.reference.arithmetic.integers import from_known_bits
from lanewise.errors import CompileError
from lanewise.ir.layout import NamedTypes, field_offsets, resolve, size_of
from lanewise.ir.types import Type

UNWRITTEN: Final = "memory that was never written"


class Codec(NamedTuple):
    """Conversion of values of one type to bits and back."""

    bits: int
    encode: Callable[[Value], tuple[int, int]]
    """Value -> its bits and a mask of the unknown ones."""
    decode: Callable[[int, int], Value]

    @property
    def size(self) -> int:
        """Bytes that a load or store touches."""
        return (self.bits + 7) // 8


class Codecs:
    """The codecs of a module's types."""

    def __init__(self, names: NamedTypes) -> None:
        self._names: Final = names
        self._known: Final[dict[Type, Codec]] = {}

    def of(self, type_: Type) -> Codec:
        """The codec of a type. CompileError for a type that no value in memory has."""
        found = self._known.get(type_)
        if found is None:
            found = self._known[type_] = self._make(resolve(type_, self._names))
        return found

    def _make(self, type_: Type) -> Codec:
        if type_.is_int:
            return _integer(type_.bits)
        if type_.is_pointer:
            return _POINTER
        if type_.kind in FORMATS:
            return _float(type_.kind)
        if type_.is_vector and not type_.scalable:
            element = self.of(type_.inner)
            return _composite([(element, i * element.bits) for i in range(type_.count)], type_.count * element.bits)
        if type_.kind == "array":
            element, stride = self.of(type_.inner), 8 * size_of(type_.inner, self._names)
            return _composite([(element, i * stride) for i in range(type_.count)], type_.count * stride)
        if type_.kind == "struct":
            offsets, size = field_offsets(type_, self._names)
            parts = [(self.of(f), 8 * o) for f, o in zip(type_.fields, offsets, strict=True)]
            return _composite(parts, 8 * size)
        raise CompileError(f"the reference device has no values of type {type_}")


@cache
def _integer(bits: int) -> Codec:
    mask = (1 << bits) - 1

    def encode(value: Value) -> tuple[int, int]:
        return known_bits(value, mask)

    def decode(bits_: int, unknown: int) -> Value:
        return from_known_bits(bits_, unknown, bits, UNWRITTEN)

    return Codec(bits, encode, decode)


def _encode_pointer(value: Value) -> tuple[int, int]:
    return known_bits(value, (1 << 64) - 1)


def _decode_pointer(bits: int, unknown: int) -> Value:
    return Indeterminate(UNWRITTEN) if unknown else bits


_POINTER: Final = Codec(64, _encode_pointer, _decode_pointer)


@cache
def _float(kind: str) -> Codec:
    bits = FORMATS[kind].bits

    def encode(value: Value) -> tuple[int, int]:
        if value.__class__ is Indeterminate:
            return 0, (1 << bits) - 1
        return to_bits(value, kind), 0

    def decode(bits_: int, unknown: int) -> Value:
        return Indeterminate(UNWRITTEN) if unknown else from_bits(bits_, kind)

    return Codec(bits, encode, decode)


def _composite(parts: list[tuple[Codec, int]], bits: int) -> Codec:
    """Codec of elements at increasing bit offsets; the bits between them are padding."""
    everything = (1 << bits) - 1
    padding = everything
    for codec, offset in parts:
        padding &= ~(((1 << codec.bits) - 1) << offset)

    def encode(values: Value) -> tuple[int, int]:
        bits_, unknown = 0, padding
        for value, (codec, offset) in zip(values, parts, strict=True):
            element_bits, element_unknown = codec.encode(value)
            bits_ |= element_bits << offset
            unknown |= element_unknown << offset
        return bits_, unknown

    def decode(bits_: int, unknown: int) -> Value:
        values: list[Value] = []
        for codec, offset in parts:
            mask = (1 << codec.bits) - 1
            values.append(codec.decode(bits_ >> offset & mask, unknown >> offset & mask))
        return tuple(values)

    return Codec(bits, encode, decode)


def uniform_value(type_: Type, names: NamedTypes, element: Callable[[Type], Value]) -> Value:
    """The value of a type with `element` of its type for each scalar in it."""
    type_ = resolve(type_, names)
    if type_.kind in ("vector", "array"):
        return (uniform_value(type_.inner, names, element),) * type_.count
    if type_.kind == "struct":
        return tuple(uniform_value(f, names, element) for f in type_.fields)
    return element(type_)


def zero(type_: Type) -> Value:
    """The null value of a scalar type."""
    return 0.0 if type_.is_float else False if type_.bits == 1 else 0
