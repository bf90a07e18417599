# SPDX-License-Identifier: Apache-2.0
"""Code that at most one thread of a warp, or of a block, executes: behind a comparison of its number with a value that
is the same for all.

    if (threadIdx.x == 0)                        in a block of one row
    if ((threadIdx.x | threadIdx.y) == 0)        in one of several rows
    if (lane == __ffs(mask) - 1)                 of each warp
"""

from typing import Final, NamedTuple, final

from lanewise.analysis.flow import Flow
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.threads.lane_levels import LaneLevels
from lanewise.workgroup.threads.linear_values import LinearValues, integer_of

_TID: Final = "llvm.nvvm.read.ptx.sreg.tid."
_NUMBERS: Final = 1023
"""All bits of a thread's number in its block."""
_CASTS: Final = frozenset({"zext", "sext", "freeze"})


class _Equal(NamedTuple):
    value: Value
    to: Value | int


class _Below(NamedTuple):
    """`value` is less than `limit`, as an unsigned number."""

    value: Value
    limit: int


Single = frozenset[tuple[str, Value | int]]
"""A thread, by the numbers that are compared and what they are equal to."""


@final
class SingleThreads:
    """Tells such code of a kernel. `levels` are those of its values in groups of `block` threads, None for any."""

    def __init__(self, kernel: Function, flow: Flow, levels: LaneLevels, block: Extent | None) -> None:
        self._flow: Final = flow
        self._levels: Final = levels
        self._linear: Final = LinearValues(block, levels.whole)
        self._warp_size: Final = 1 << levels.whole
        read = {i.callee for i in kernel.instructions() if i.op == "call"}
        # Who writes code of x alone means blocks of one row.
        self._axes: Final = [
            axis for n, axis in enumerate("xyz") if (_TID + axis in read if block is None else block[n] > 1)
        ]

    def of_warp(self, block: Block) -> bool:
        """Return whether no two lanes of a warp come to a block together."""
        equal = self._equal(block)
        return any(self._linear.is_linear(e.value) for e in equal) or self._of_block(equal) is not None

    def of_block(self, block: Block) -> Single | None:
        """The only thread of its group that comes to a block; None if several may."""
        return self._of_block(self._equal(block))

    def warp_of_block(self, block: Block) -> Value | int | None:
        """The number of the only warp of its group that comes to a block; None if several may."""
        equal = self._equal(block)
        single = dict(self._of_block(equal) or ())
        if single and all(to == 0 for to in single.values()):
            return 0
        number = single.get("number", single.get("x") if self._axes == ["x"] else None)
        if isinstance(number, int):
            return number // self._warp_size
        for value, to in equal:
            if isinstance(value, Instruction) and value.op in ("lshr", "udiv"):
                divided, by = value.operands
                is_warp = integer_of(by) == (self._levels.whole if value.op == "lshr" else self._warp_size)
                if is_warp and self._is_number(divided):
                    return to
            if isinstance(value, Instruction) and value.op == "and" and isinstance(to, int):
                masked, bits = value.operands
                if (integer_of(bits) or 0) & _NUMBERS == _NUMBERS & -self._warp_size and self._is_number(masked):
                    return to // self._warp_size
        first = any(each.limit <= self._warp_size and self._is_number(each.value) for each in self._below(block))
        return 0 if first else None

    def _is_number(self, value: Value) -> bool:
        """Return whether a value is the thread's number in its group, at most extended."""
        while isinstance(value, Instruction) and value.op in _CASTS:
            value = value.operands[0]
        one_row = isinstance(value, Instruction) and value.callee == f"{_TID}x" and self._axes in ([], ["x"])
        return one_row or self._linear.is_number(value)

    def _of_block(self, equal: list[_Equal]) -> Single | None:
        pinned: dict[str, Value | int] = {}
        for value, to in equal:
            if isinstance(value, Instruction) and value.callee.startswith(_TID):
                pinned[value.callee[-1]] = to
            elif self._linear.is_number(value):
                return frozenset({("number", to)})
        return frozenset(pinned.items()) if all(axis in pinned for axis in self._axes) else None

    def _equal(self, block: Block) -> list[_Equal]:
        """Equations that hold of whoever comes to a block."""
        return [each for each in self._facts(block) if isinstance(each, _Equal)]

    def _below(self, block: Block) -> list[_Below]:
        return [each for each in self._facts(block) if isinstance(each, _Below)]

    def _facts(self, block: Block) -> list[_Equal | _Below]:
        found: list[_Equal | _Below] = []
        below: Block = block
        above = self._flow.tree.immediate(block)
        while above is not None:
            if len(set(above.successors)) == 2 and self._only_by(above, below):
                condition = above.terminator.operands[0]
                if condition.type.is_int and condition.type.bits == 1:
                    self._follow(condition, below is above.successors[0], found)
            below, above = above, self._flow.tree.immediate(above)
        return found

    def _only_by(self, above: Block, below: Block) -> bool:
        """Return whether whoever comes to `below` has come from `above`, perhaps some turns of a loop ago."""
        return all(b is above or self._flow.tree.dominates(below, b) for b in self._flow.predecessors[below])

    def _follow(self, condition: Value, holds: bool, found: list[_Equal | _Below]) -> None:
        """Add the equations and limits that follow if a condition holds, or if it doesn't."""
        if not isinstance(condition, Instruction):
            return
        operands = condition.operands
        if condition.op == ("and" if holds else "or"):
            for each in operands:
                self._follow(each, holds, found)
        elif condition.op == "select" and integer_of(operands[2 if holds else 1]) == (0 if holds else 1):
            for each in (operands[0], operands[1 if holds else 2]):
                self._follow(each, holds, found)
        elif condition.op == "icmp":
            a, b = operands
            one = condition.predicate == ("ult" if holds else "ugt") and integer_of(b) == (1 if holds else 0)
            if one:
                self._add(a, 0, found)
            limit = integer_of(b)
            if limit is not None and condition.predicate in (("ult", "ule") if holds else ("uge", "ugt")):
                found.append(_Below(a, limit + (condition.predicate in ("ule", "ugt"))))
            elif condition.predicate == ("eq" if holds else "ne"):
                for value, to in ((a, b), (b, a)):
                    known = integer_of(to)
                    if known is not None:
                        self._add(value, known, found)
                    elif not isinstance(to, Constant) and self._levels.of(to) == self._levels.whole:
                        self._add(value, to, found)

    def _add(self, value: Value, to: Value | int, found: list[_Equal | _Below]) -> None:
        while isinstance(value, Instruction) and value.op in _CASTS:
            value = value.operands[0]
        found.append(_Equal(value, to))
        if isinstance(value, Instruction) and value.op == "or" and to == 0:
            for each in value.operands:
                self._add(each, 0, found)
