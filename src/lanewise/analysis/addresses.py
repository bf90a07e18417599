# SPDX-License-Identifier: Apache-2.0
"""Affine addresses: the sum of a base, of values times constants, and of a constant, all in bytes.

    %wide = sext i32 %i to i64
    %q = getelementptr inbounds [4 x float], ptr %p, i64 %wide, i64 3        %p + 16 * sext(%i) + 12

Two addresses whose sums differ in the constant alone are at a known distance from each other.

Method
    Address computations are followed down to a value that is none, the base. Sums within an index are followed if they
    don't wrap. In 64 bits they never do, since addresses have no more. In 32 bits they are followed if an address may
    not leave its array. An array has less than 2^32 elements (`workgroup/lanes/memory/wrapping.py`). So if one index
    wraps, those of all addresses a few elements away do, too: otherwise they would be at both ends of the array.
"""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple, TypeGuard, final

from lanewise.analysis.shapes import strides
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import field_offsets, resolve
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value

MAX_DEPTH: Final = 8
"""Limit on sums within sums that are followed."""


class Term(NamedTuple):
    """A value, extended to 64 bits, times a constant."""

    extension: str
    """`sext`, `zext`, or empty for a value of 64 bits."""
    value: Value
    factor: int
    """Bytes."""


class AffineAddress(NamedTuple):
    """The base with factor 1, all other terms, and a constant number of bytes."""

    base: Value
    others: frozenset[Term]
    offset: int

    @property
    def terms(self) -> frozenset[Term]:
        """All terms, the base among them."""
        return self.others | {Term("", self.base, 1)}

    @property
    def start(self) -> "AffineAddress":
        """The same address without its constant: equal for all addresses at known distances from each other."""
        return self._replace(offset=0)


def affine_address(
    pointer: Value,
    types: Mapping[str, Type | None],
    exact: bool = False,
    within: Collection[Block] | None = None,
) -> AffineAddress:
    """The sum that an address is, as far as its computation is followed. `exact`: without sums that may wrap unseen,
    so that it holds for the address alone and not only for its distance from others. `within`: blocks, such as those of
    a loop, outside of which no computation is followed."""
    terms: dict[tuple[str, Value], int] = {}
    offset = 0
    followed: set[Value] = set()  # in code that isn't reached, an address may be computed from itself
    while _is_followed(pointer, within) and pointer.op == "getelementptr" and not pointer.type.is_vector:
        if pointer in followed:
            break
        followed.add(pointer)
        offset += constant_fields(pointer, types)
        total = _Sum(terms, "inbounds" in pointer.flags and not exact, within)
        for index, size in strides(pointer, types):
            if size:
                offset += total.add(index, "" if index.type.bits == 64 else "sext", size)
        pointer = pointer.operands[0]
    others = frozenset(Term(extension, value, factor) for (extension, value), factor in terms.items() if factor)
    return AffineAddress(pointer, others, offset)


def _is_followed(value: Value, within: Collection[Block] | None) -> TypeGuard[Instruction]:
    return isinstance(value, Instruction) and (within is None or value.parent in within)


def stays_extended(value: Instruction, extension: str) -> bool:
    """True if `value`, computed from operands with this extension, is the extended result. "" is no extension."""
    return not extension or ("nsw" if extension == "sext" else "nuw") in value.flags


def constant_fields(address: Instruction, types: Mapping[str, Type | None]) -> int:
    """The offsets of the fields of structs that an address computation names."""
    offset = 0
    current = address.source_type
    assert current is not None
    for index in address.operands[2:]:
        current = resolve(current, types)
        if current.kind == "struct":
            assert isinstance(index, Constant)
            offset += field_offsets(current, types)[0][index.integer]
            current = current.fields[index.integer]
        else:
            current = current.inner
    return offset


@final
class _Sum:
    """The terms gathered so far. `in_bounds`: the address may not leave its array."""

    def __init__(self, terms: dict[tuple[str, Value], int], in_bounds: bool, within: Collection[Block] | None) -> None:
        self._terms: Final = terms
        self._in_bounds: Final = in_bounds
        self._within: Final = within

    def add(self, value: Value, extension: str, factor: int, depth: int = MAX_DEPTH) -> int:
        """Add factor * value, with this extension, to the terms; returns its constant part."""
        if isinstance(value, Constant) and value.kind == "int":
            signed = extension != "zext" or self._wraps_unseen(value)
            return factor * (value.integer if signed else value.integer % (1 << value.type.bits))
        if depth and _is_followed(value, self._within):
            if not extension and value.op in ("sext", "zext"):
                signed = value.op == "sext" or "nneg" in value.flags
                return self.add(value.operands[0], "sext" if signed else "zext", factor, depth - 1)
            if self._is_sum(value, extension):
                a, b = value.operands
                sign = -1 if value.op == "sub" else 1
                return self.add(a, extension, factor, depth - 1) + self.add(b, extension, sign * factor, depth - 1)
            scale = self._scale(value, extension)
            if scale is not None:
                return self.add(value.operands[0], extension, factor * scale, depth - 1)
        self._terms[extension, value] = self._terms.get((extension, value), 0) + factor
        return 0

    def _is_sum(self, value: Instruction, extension: str) -> bool:
        if value.op == "or":
            return "disjoint" in value.flags
        return value.op in ("add", "sub") and (stays_extended(value, extension) or self._wraps_unseen(value))

    def _scale(self, value: Instruction, extension: str) -> int | None:
        """The constant by which a product or shift multiplies its first operand."""
        if value.op not in ("mul", "shl") or not (stays_extended(value, extension) or self._wraps_unseen(value)):
            return None
        by = value.operands[1]
        if not isinstance(by, Constant) or by.kind != "int":
            return None
        if value.op == "shl":
            return 1 << by.integer if 0 <= by.integer < value.type.bits else None
        return by.integer if extension != "zext" or self._wraps_unseen(by) else by.integer % (1 << by.type.bits)

    def _wraps_unseen(self, value: Value) -> bool:
        """True if an index that `value` is part of may wrap without harm; see the module's docstring."""
        return self._in_bounds and value.type.bits >= 32
