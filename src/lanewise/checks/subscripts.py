# SPDX-License-Identifier: Apache-2.0
"""The offset of an address within its object, and the indices of arrays on the way there."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import field_offsets, resolve, size_of
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, Value, i64

_CASTS: Final = ("bitcast", "addrspacecast", "freeze")


class OffsetTerm(NamedTuple):
    """An index, times the bytes of what it steps over."""

    value: Value
    stride: int


class Subscript(NamedTuple):
    """An index of an array that has `extent` elements."""

    value: Value
    extent: int


class ObjectAddress(NamedTuple):
    """An address: its offset in bytes from `root`, a number and some terms, and the subscripts that lead there."""

    root: Value
    constant: int
    terms: tuple[OffsetTerm, ...]
    subscripts: tuple[Subscript, ...]

    @property
    def step(self) -> int:
        """A number of bytes that the offset is a multiple of."""
        found = self.constant
        for term in self.terms:
            found = _gcd(found, term.stride)
        return found


def address_of(pointer: Value, until: Value | None, module: Module) -> ObjectAddress:
    """The address that a pointer holds, computed from what no addition or cast leads to, or from `until`."""
    constant = 0
    terms: list[OffsetTerm] = []
    subscripts: list[Subscript] = []
    steps_over_none = True  # no addition to the address of an element, which may lead back to where there are some
    value = pointer
    while value is not until and isinstance(value, Instruction | Constant):
        operation = value.op if isinstance(value, Instruction) else value.opcode
        if operation == "getelementptr":
            step, more, arrays = _of_one(value, module)
            constant += step
            terms += more
            subscripts = [*arrays, *subscripts] if steps_over_none else subscripts
            steps_over_none &= _integer(value.operands[1]) == 0
        elif operation not in _CASTS:
            break
        value = value.operands[0]
    return ObjectAddress(value, constant, tuple(terms), tuple(subscripts))


def _of_one(value: Value, module: Module) -> tuple[int, list[OffsetTerm], list[Subscript]]:
    assert isinstance(value, Instruction | Constant)
    type_ = value.source_type
    assert type_ is not None
    constant = 0
    terms: list[OffsetTerm] = []
    subscripts: list[Subscript] = []
    for number, index in enumerate(value.operands[1:]):
        if number:
            type_ = resolve(type_, module.types)
            if type_.kind == "struct":
                field = _integer(index)
                assert field is not None, "a field of a struct is a constant"
                constant += field_offsets(type_, module.types)[0][field]
                type_ = type_.fields[field]
                continue
            if type_.kind == "array" and type_.count > 1:  # arrays of one element may stand for any number
                subscripts.append(Subscript(index, type_.count))
            type_ = type_.inner
        stride = size_of(type_, module.types)
        known = _integer(index)
        if known is None:
            terms.append(OffsetTerm(index, stride))
        else:
            constant += known * stride
    return constant, terms, [each for each in subscripts if not _is_within(each)]


def offset_in(address: ObjectAddress, build: Builder) -> Value:
    """The offset, as an i64, computed in the block of `build`."""
    total: Value | None = None
    for term in address.terms:
        index = widened(term.value, build)
        part = index if term.stride == 1 else build.binary("mul", index, i64(term.stride))
        total = part if total is None else build.binary("add", total, part)
    if total is None:
        return i64(address.constant)
    return build.binary("add", total, i64(address.constant)) if address.constant else total


def widened(index: Value, build: Builder) -> Value:
    """An index as an i64: indices have signs."""
    if index.type.bits == 64:
        return index
    return build.cast("sext" if index.type.bits < 64 else "trunc", index, ty.I64)


def _is_within(subscript: Subscript) -> bool:
    index = _integer(subscript.value)
    return index is not None and 0 <= index < subscript.extent


def _integer(value: Value) -> int | None:
    return value.integer if isinstance(value, Constant) and value.kind in ("int", "zeroinitializer") else None


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return abs(a)


def extents(subscripts: Sequence[Subscript]) -> tuple[int, ...]:
    return tuple(each.extent for each in subscripts)
