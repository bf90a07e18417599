# SPDX-License-Identifier: Apache-2.0
"""Loads, or stores, of a block that are at constant distances from each other and can be done as one.

A struct of equal fields comes as a load for each field. Of a family of siblings all are loads that no write stands
between, or stores that stand together; loads are then done where the first is, stores where the last is.

Two addresses are siblings where they are the same sum of the same values, but for a constant. Sums are looked through
where they don't wrap: in 64 bits always, since addresses have no more; and in 32 bits where an address may not leave
its array, as there all members wrap together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, final

from lanewise.analysis.shapes import strides
from lanewise.ir import effects
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import field_offsets, resolve, size_of
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value

MAX_FAMILY: Final = 64
MAX_DEPTH: Final = 8
"""Of sums within sums."""


class Place(NamedTuple):
    """An address: a sum of values times factors, each extended as it says, and a constant, in bytes."""

    terms: frozenset[tuple[str, Value, int]]
    offset: int


class Member(NamedTuple):
    access: Instruction
    offset: int
    """In bytes, from the place of all that is the same in a family."""
    type: Type
    """Of what is loaded or stored."""

    @property
    def end(self) -> int:
        return self.offset + (self.type.count if self.type.is_vector else 1) * size_of(self.type.scalar, {})


Family = tuple[Member, ...]
"""In the order of the program."""


def window(family: Sequence[Member], access: Instruction, unit: int, span: int) -> Family:
    """The members that stand with `access` in one of the windows of `span` bytes, which begin with the first member of
    the family that is in none yet; whole units from each other, in the order of their offsets."""
    rest = sorted((m for m in family if size_of(m.type.scalar, {}) % unit == 0), key=lambda m: m.offset)
    while rest:
        start = rest[0].offset
        inside = [m for m in rest if (m.offset - start) % unit == 0 and m.end - start <= span] or rest[:1]
        if any(m.access is access for m in inside):
            return tuple(inside)
        rest = [m for m in rest if m not in inside]
    return ()


@final
class Siblings:
    """The families of a function's blocks, each found when it is first asked for."""

    def __init__(self, types: Mapping[str, Type | None]) -> None:
        self._types: Final = types
        self._families: Final[dict[Block, dict[Instruction, Family]]] = {}

    def of(self, access: Instruction) -> Family:
        """The family of a load or store, of which it may be the only member; empty for a volatile or ordered one."""
        block = access.parent
        known = self._families.get(block)
        if known is None:
            known = self._families[block] = _families(block, self._types)
        return known.get(access, ())


def _families(block: Block, types: Mapping[str, Type | None]) -> dict[Instruction, Family]:
    loads: dict[object, list[Member]] = {}
    stores: dict[object, list[Member]] = {}
    found: dict[Instruction, Family] = {}

    def close(families: dict[object, list[Member]]) -> None:
        for members in families.values():
            found.update((member.access, tuple(members)) for member in members)
        families.clear()

    for instruction in block.instructions:
        is_load = instruction.op == "load"
        if (is_load or instruction.op == "store") and is_simple(instruction):
            type_ = effects.accessed_type(instruction)
            place = place_of(effects.pointer_operand(instruction), types)
            key = (place.terms, type_.scalar.is_pointer)
            member = Member(instruction, place.offset, type_)
            close(stores if is_load else loads)
            if not is_load and stores and (key not in stores or _overlaps(stores[key], member)):
                close(stores)
            family = (loads if is_load else stores).setdefault(key, [])
            family.append(member)
            if len(family) == MAX_FAMILY:
                close(loads if is_load else stores)
        elif effects.touches_memory(instruction) or effects.may_not_return(instruction):
            close(loads)
            close(stores)
    close(loads)
    close(stores)
    return found


def is_simple(access: Instruction) -> bool:
    """Neither volatile nor ordered, of a number or pointer of whole bytes or of a vector of these."""
    type_ = effects.accessed_type(access).scalar
    known = type_.is_pointer or type_.is_float or (type_.is_int and type_.bits in (8, 16, 32, 64))
    return known and not effects.is_ordered(access)


def _overlaps(members: list[Member], new: Member) -> bool:
    return any(m.offset < new.end and new.offset < m.end for m in members)


def place_of(pointer: Value, types: Mapping[str, Type | None]) -> Place:
    terms: dict[tuple[str, Value], int] = {}
    offset = 0
    while isinstance(pointer, Instruction) and pointer.op == "getelementptr" and not pointer.type.is_vector:
        offset += _constant_fields(pointer, types)
        total = _Sum(terms, "inbounds" in pointer.flags)
        for index, size in strides(pointer, types):
            if size:
                offset += total.add(index, "" if index.type.bits == 64 else "sext", size)
        pointer = pointer.operands[0]
    found = {(how, value, factor) for (how, value), factor in terms.items() if factor}
    return Place(frozenset({*found, ("", pointer, 1)}), offset)


def _constant_fields(address: Instruction, types: Mapping[str, Type | None]) -> int:
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
    """Gathers `terms`. `in_bounds`: of an address within an array, which has less than 2^32 elements, as `wrapping.py`
    says."""

    def __init__(self, terms: dict[tuple[str, Value], int], in_bounds: bool) -> None:
        self._terms: Final = terms
        self._in_bounds: Final = in_bounds

    def add(self, value: Value, how: str, factor: int, depth: int = MAX_DEPTH) -> int:
        """Add factor * value, which is extended as `how` says, to the terms; gives what is constant of it."""
        if isinstance(value, Constant) and value.kind == "int":
            signed = how != "zext" or self._wraps_unseen(value)
            return factor * (value.integer if signed else value.integer % (1 << value.type.bits))
        if isinstance(value, Instruction) and depth:
            if not how and value.op in ("sext", "zext"):
                signed = value.op == "sext" or "nneg" in value.flags
                return self.add(value.operands[0], "sext" if signed else "zext", factor, depth - 1)
            if self._is_sum(value, how):
                a, b = value.operands
                sign = -1 if value.op == "sub" else 1
                return self.add(a, how, factor, depth - 1) + self.add(b, how, sign * factor, depth - 1)
            scale = self._scale(value, how)
            if scale is not None:
                return self.add(value.operands[0], how, factor * scale, depth - 1)
        self._terms[how, value] = self._terms.get((how, value), 0) + factor
        return 0

    def _is_sum(self, value: Instruction, how: str) -> bool:
        if value.op == "or":
            return "disjoint" in value.flags
        return value.op in ("add", "sub") and (stays(value, how) or self._wraps_unseen(value))

    def _scale(self, value: Instruction, how: str) -> int | None:
        """The constant by which a product or shift multiplies its first operand."""
        if value.op not in ("mul", "shl") or not (stays(value, how) or self._wraps_unseen(value)):
            return None
        by = value.operands[1]
        if not isinstance(by, Constant) or by.kind != "int":
            return None
        if value.op == "shl":
            return 1 << by.integer if 0 <= by.integer < value.type.bits else None
        return by.integer if how != "zext" or self._wraps_unseen(by) else by.integer % (1 << by.type.bits)

    def _wraps_unseen(self, value: Value) -> bool:
        """Where an index that this is part of wraps round, it does so for all members of a family: two that are a few
        elements apart, one before and one behind, would be at both ends of the array."""
        return self._in_bounds and value.type.bits >= 32


def stays(value: Instruction, how: str) -> bool:
    """An operation on operands that are extended as `how` says ("": they aren't) gives the extended result."""
    return not how or ("nsw" if how == "sext" else "nuw") in value.flags
