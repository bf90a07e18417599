# SPDX-License-Identifier: Apache-2.0
"""Counters of one call of a work-group function, in variables of its own; it adds them to memory at its end.

    %counted.3 = alloca i64              at the entry
    ... + 1                              for each warp that comes by
    atomicrmw add ptr %place, i64 %n     at the end, if it isn't zero, to the copy that the group's number selects

LLVM keeps the variables in registers, and computes from a loop's count what each of its turns adds.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.counters import COPY_BITS
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction, Ordering
from lanewise.ir.values import Value, i32, i64
from lanewise.workgroup.layout.frame import Frame

_SPREAD: Final = i32(0x9E3779B1 - (1 << 32))
"""2 to the power of 32 over the golden ratio, odd. The upper bits of a block's number times it differ for blocks that
are next to each other, and for those at the same place of equal shares of the grid: workers run either side by side.
Source: Knuth, The Art of Computer Programming, volume 3, 6.4, multiplicative hashing."""


@final
class OwnCounters:
    """The counters of one function."""

    def __init__(self, frame: Frame, are_used: bool) -> None:
        self.are_used: Final = are_used
        """The kernel counts."""
        self._frame: Final = frame
        self._own: Final[dict[int, Value]] = {}
        self._since: Final[dict[int, None]] = {}
        self._memory: tuple[Value, int] | None = None

    def add(self, build: Builder, memory: tuple[Value, int], number: int, counted: Value) -> None:
        """Add a number (i32 or i64) to a counter. `memory`: the address of counters, and their number in a copy."""
        self._memory = memory
        self._since[number] = None
        own = self._own.get(number)
        if own is None:
            own = self._own[number] = self._frame.entry.alloca(ty.I64, f"counted.{number}", 8)
            self._frame.entry.store(i64(0), own, 8)
        wide = build.cast("zext", counted, ty.I64) if counted.type is ty.I32 else counted
        build.store(build.binary("add", build.load(ty.I64, own, align=8), wide), own, 8)

    def start(self) -> None:
        """Start code that may be given up, so that what it has counted doesn't count."""
        self._since.clear()

    def restore(self, before: Builder, after: Builder) -> None:
        """Emit code that goes `after` the code since `start` where that is given up, with the counters of `before`."""
        for number in self._since:
            own = self._own[number]
            after.store(before.load(ty.I64, own, align=8), own, 8)
        self._since.clear()

    def finish(self, function: Function) -> None:
        """Add what was counted to memory wherever the function returns."""
        returns = [block for block in function.blocks if block.instructions and block.instructions[-1].op == "ret"]
        if self._memory is None or not returns:
            return
        first = Builder(function.add_block("counted"))
        for block in returns:
            block.terminator.erase()
            Builder(block).branch(first.block)
        build = first
        memory, distance = self._memory
        x, y, z = self._frame.group
        group = build.binary("add", build.binary("add", x, y), z)
        copy = build.binary("lshr", build.binary("mul", group, _SPREAD), i32(ty.I32.bits - COPY_BITS))
        offset = build.binary("mul", build.cast("zext", copy, ty.I64), i64(distance))
        counters = build.address(ty.I64, memory, [offset])
        for number, own in self._own.items():
            counted = build.load(ty.I64, own, align=8)
            some = Builder(function.add_block("counted.some"))
            after = Builder(function.add_block("counted.after"))
            build.branch_if(build.compare("ne", counted, i64(0)), some.block, after.block)
            place = some.address(ty.I64, counters, [i64(number)])
            some.emit(
                Instruction(
                    "atomicrmw", ty.I64, (place, counted), predicate="add", ordering=Ordering("monotonic"), align=8
                )
            )
            some.branch(after.block)
            build = after
        build.ret()
