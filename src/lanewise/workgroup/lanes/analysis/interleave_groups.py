# SPDX-License-Identifier: Apache-2.0
"""Interleave groups: loads, or stores, of a block at constant distances from each other, which can be done as one.

A struct of equal fields comes as one load per field. A group holds loads with no write in between, or consecutive
stores. Loads are then done at the place of the first one, stores at that of the last. Two accesses can be in one group
if their addresses differ by a constant only (`analysis/addresses.py`). LLVM has the term (`InterleavedAccessInfo`).
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, final

from lanewise.analysis.addresses import affine_address
from lanewise.ir import effects
from lanewise.ir.counters import TALLY
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import size_of
from lanewise.ir.types import Type

MAX_MEMBERS: Final = 64


class Member(NamedTuple):
    access: Instruction
    offset: int
    """Distance in bytes from the start of the group's addresses, which is the same for all members."""
    type: Type
    """The type that is loaded or stored."""

    @property
    def end(self) -> int:
        return self.offset + (self.type.count if self.type.is_vector else 1) * size_of(self.type.scalar, {})


InterleaveGroup = tuple[Member, ...]
"""Accesses of a group, in the order of the program."""


def window(group: Sequence[Member], access: Instruction, unit: int, span: int) -> InterleaveGroup:
    """The members of a group that are in one window of `span` bytes with `access`. Windows start at the first member
    that is in none yet; members are whole units apart, in the order of their offsets."""
    rest = sorted((m for m in group if size_of(m.type.scalar, {}) % unit == 0), key=lambda m: m.offset)
    while rest:
        start = rest[0].offset
        inside = [m for m in rest if (m.offset - start) % unit == 0 and m.end - start <= span] or rest[:1]
        if any(m.access is access for m in inside):
            return tuple(inside)
        rest = [m for m in rest if m not in inside]
    return ()


@final
class InterleaveGroups:
    """The groups of a function's blocks, each found when it is first asked for."""

    def __init__(self, types: Mapping[str, Type | None]) -> None:
        self._types: Final = types
        self._groups: Final[dict[Block, dict[Instruction, InterleaveGroup]]] = {}

    def of(self, access: Instruction) -> InterleaveGroup:
        """The group of a load or store, possibly with no other member; empty for a volatile or ordered one."""
        block = access.parent
        known = self._groups.get(block)
        if known is None:
            known = self._groups[block] = _groups_of(block, self._types)
        return known.get(access, ())


def _groups_of(block: Block, types: Mapping[str, Type | None]) -> dict[Instruction, InterleaveGroup]:
    loads: dict[object, list[Member]] = {}
    stores: dict[object, list[Member]] = {}
    found: dict[Instruction, InterleaveGroup] = {}

    def close(groups: dict[object, list[Member]]) -> None:
        for members in groups.values():
            found.update((member.access, tuple(members)) for member in members)
        groups.clear()

    for instruction in block.instructions:
        is_load = instruction.op == "load"
        if (is_load or instruction.op == "store") and is_simple(instruction):
            type_ = effects.accessed_type(instruction)
            address = affine_address(effects.pointer_operand(instruction), types)
            key = (address.start, type_.scalar.is_pointer)
            member = Member(instruction, address.offset, type_)
            close(stores if is_load else loads)
            if not is_load and stores and (key not in stores or _overlaps(stores[key], member)):
                close(stores)
            group = (loads if is_load else stores).setdefault(key, [])
            group.append(member)
            if len(group) == MAX_MEMBERS:
                close(loads if is_load else stores)
        elif instruction.callee.startswith(TALLY):  # counts in memory of its own
            continue
        elif effects.touches_memory(instruction) or effects.may_not_return(instruction):
            close(loads)
            close(stores)
    close(loads)
    close(stores)
    return found


def is_simple(access: Instruction) -> bool:
    """Return whether an access is neither volatile nor ordered, and of whole bytes: a number, a pointer, or a vector of
    these."""
    type_ = effects.accessed_type(access).scalar
    known = type_.is_pointer or type_.is_float or (type_.is_int and type_.bits in (8, 16, 32, 64))
    return known and not effects.is_ordered(access)


def _overlaps(members: list[Member], new: Member) -> bool:
    return any(m.offset < new.end and new.offset < m.end for m in members)
