# SPDX-License-Identifier: Apache-2.0
"""Order of divergent work-items: those still inside a branch run before those waiting at its join.

A place consists of the call stack and, for each function, the loops around it and the position in the text. The loops
are outermost first, each with its iteration number. If work-items at earlier places go first, all those that entered an
`if`, or another iteration of a loop, meet again after it. This holds if the blocks are in the order in which they may
run, as clang writes them. Work-items in different iterations of a loop are not at the same place.

The program itself counts the iterations, in additional variables of the function:

    for.cond:       round_2 += 1, and round_5 = 0 of a loop within
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import FrameType
from typing import Final, final

from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.loops import find_loops

Progress = tuple[tuple[int, int], ...]


class Rounds:
    """The variables that count the iterations of a function's loops."""

    def __init__(self, function: Function) -> None:
        self._numbers: Final = {block: number for number, block in enumerate(function.blocks)}
        self.loops: Final = find_loops(function)

    def first(self) -> list[str]:
        """Lines at the start of the function."""
        return [f"{self.name(loop.header)} = 0" for loop in self.loops.loops]

    def of(self, block: Block) -> list[str]:
        """Lines at the start of a block."""
        loop = self.loops.innermost(block)
        if loop is None or loop.header is not block:
            return []
        inner = [f"{self.name(other.header)} = 0" for other in self.loops.loops if other.parent is loop]
        return [f"{self.name(block)} += 1", *inner]

    def name(self, header: Block) -> str:
        return f"round_{self._numbers[header]}"


@final
class Places:
    """Comparable places of a program; `instructions` has the instruction of each line."""

    def __init__(self, instructions: Sequence[Instruction | None]) -> None:
        self._instructions: Final = instructions
        self._rounds: Final[dict[Function, Rounds]] = {}
        self._positions: Final[dict[Function, dict[Instruction, int]]] = {}

    def of(self, frames: Iterable[FrameType]) -> Progress:
        """The place of a work-item, from its frames, the kernel's first. A smaller place is earlier in the program."""
        found: list[tuple[int, int]] = []
        for frame in frames:
            instruction = self._instructions[frame.f_lineno - 1]
            assert instruction is not None
            block = instruction.parent
            assert block is not None
            positions = self._positions_in(block.parent)
            rounds = self._rounds_of(block.parent)
            for loop in reversed(rounds.loops.around(block)):
                first = loop.header.instructions[0]
                found.append((positions[first], frame.f_locals[rounds.name(loop.header)]))
            found.append((positions[instruction], 0))
        return tuple(found)

    def _positions_in(self, function: Function) -> dict[Instruction, int]:
        found = self._positions.get(function)
        if found is None:
            found = self._positions[function] = {i: number for number, i in enumerate(function.instructions())}
        return found

    def _rounds_of(self, function: Function) -> Rounds:
        found = self._rounds.get(function)
        if found is None:
            found = self._rounds[function] = Rounds(function)
        return found
