# SPDX-License-Identifier: Apache-2.0
"""Arrays for non-temporal stores, which pass by the caches, in launches that write more than the caches hold.

Why     A store to a line that is not in the cache first reads the line from memory, and pushes out another. A kernel
        that fills an array larger than the caches moves a third to a half more bytes than necessary, and nothing of the
        array is left in the cache when it is read. Non-temporal stores of whole lines read nothing: a transposition
        of 4096 x 4096 floats takes half the time, a five-point stencil two thirds.
How     A store of all work-items of a unit, unmasked, is made twice, with a branch at run time:

            mask = the launch is large ? 63 : -1                    once per group
            if (address & mask) == 0: store, !nontemporal           `nontemporal_stores.py`
            else:                     store

Needs
    1. The pointer is an argument of the kernel that is stored through only. A line that is read as well is in the
       cache, and storing past that costs more. Arguments that are loaded from are tested not to be the same.
    2. No store through it is in a loop, as it might write to the same places again and again.
    3. The kernel orders nothing between threads: no atomic operations, fences or volatile accesses, no calls. Such
       stores are weakly ordered; within a thread loads see them all the same, and the core fences when a thread leaves
       a launch.
    4. Each store fills whole lines, one after the other, the first of which is aligned (tested at run time).
    5. The launch stores more than the last-level caches hold (tested at run time: the core says how much that is for
       each work-group, `abi.LAUNCH_STREAM_BYTES`). Less stays in the caches, for the next kernel.

Source of the ordering: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 10.4.6.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from lanewise.analysis.origins import DERIVED
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction, Metadata
from lanewise.ir.intrinsics import intrinsic_of
from lanewise.ir.layout import size_of
from lanewise.ir.loops import find_loops
from lanewise.ir.module import Module
from lanewise.ir.values import Argument, Value, i64
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.frame import Frame

LINE: Final = 64
"""Bytes of a cache line."""
MAX_STORES: Final = 8
"""Most stores of a kernel that are doubled; if there are more, none is."""


@final
class NontemporalArrays:
    """The arguments of a kernel that may be stored to past the caches."""

    def __init__(
        self, kernel: Function, frame: Frame, target: Module, values: Mapping[Value, Value], work_items: int
    ) -> None:
        """`values`: argument of the kernel -> value of the work-group function, which is made in `target`.
        `work_items`: the size of a group."""
        self.frame: Final = frame
        self._arguments: Final = _written_only(kernel)
        stores = [store for stores in self._arguments.values() for store in stores]
        if len(stores) > MAX_STORES:
            self._arguments.clear()
        self._bytes: Final = work_items * sum(size_of(s.operands[0].type, {}) for s in stores)
        """Bytes that a work-group stores."""
        pointers = [a for a in kernel.arguments if a.type.is_pointer and a.byval is None]
        self._others: Final = [a for a in pointers if a.users and a not in self._arguments]
        self._values: Final = values
        self._loaded: Final = {values[argument]: argument for argument in self._arguments}
        self._masks: Final[dict[Argument, Value]] = {}
        self._large: Value | None = None
        self.metadata: Metadata = ()
        """The mark of a store past the caches."""
        if self._arguments:
            self.metadata = (("!nontemporal", target.add_metadata("!{i32 1}")),)

    @property
    def any(self) -> bool:
        """True if there are such arguments."""
        return bool(self._arguments)

    @property
    def large(self) -> Value:
        """True (i1) if the launch stores more than the caches hold."""
        if self._large is None:
            entry = self.frame.entry
            place = entry.offset(self.frame.launch, abi.LAUNCH_STREAM_BYTES)
            least = entry.load(ty.I64, place, "stream.bytes", align=8)
            self._large = entry.compare("ult", least, i64(self._bytes), "large")  # 5
        return self._large

    def mask(self, pointer: Value) -> Value | None:
        """Bits that must be zero in an address through `pointer` for a non-temporal store; None if none is made."""
        while isinstance(pointer, Instruction) and pointer.op in DERIVED:
            pointer = pointer.operands[0]
        argument = self._loaded.get(pointer)
        if argument is None:
            return None
        known = self._masks.get(argument)
        if known is None:
            known = self._masks[argument] = self._new_mask(argument)
        return known

    def _new_mask(self, argument: Argument) -> Value:
        entry, large = self.frame.entry, self.large
        for other in self._others:  # 1
            apart = entry.compare("ne", self._values[argument], self._values[other])
            large = entry.binary("and", large, apart)
        return entry.select(large, i64(LINE - 1), i64(-1))


def _written_only(kernel: Function) -> dict[Argument, list[Instruction]]:
    """The pointers that are stored through only, outside of loops, with these stores; empty if the kernel orders
    accesses."""
    if any(map(_orders, kernel.instructions())):  # 3
        return {}
    loops = find_loops(kernel)
    found: dict[Argument, list[Instruction]] = {}
    for argument in kernel.arguments:
        if not argument.type.is_pointer or argument.byval is not None or loops.irreducible:
            continue
        stores = _stores_through(argument)
        if stores and all(loops.innermost(store.parent) is None for store in stores):  # 2
            found[argument] = stores
    return found


def _orders(instruction: Instruction) -> bool:
    """Return whether an instruction may order memory for other threads of the processor. Barriers and operations of the
    warp order it for work-items of the group only, and one thread runs them all."""
    if instruction.op != "call":
        return effects.orders(instruction)
    row = intrinsic_of(instruction.callee)
    of_group = row is not None and (row.convergent or row.name.startswith("llvm.stack"))
    return effects.writes(instruction) and not (of_group or effects.is_copy(instruction))


def _stores_through(argument: Argument) -> list[Instruction]:
    """The stores through a pointer; empty if it is used for anything else (1)."""
    stores: list[Instruction] = []
    seen: set[Value] = {argument}
    work: list[Value] = [argument]
    while work:
        pointer = work.pop()
        for user in pointer.users:
            if user.op == "store" and user.operands[0] is not pointer:
                stores.append(user)
            elif user.op in DERIVED:
                if user not in seen:
                    seen.add(user)
                    work.append(user)
            elif user.op != "icmp" and not user.is_debug_record:
                return []
    return stores
