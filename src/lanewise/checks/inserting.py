# SPDX-License-Identifier: Apache-2.0
"""Instructions that are put before or behind another one."""

from __future__ import annotations

from typing import Final, final

from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction


class Inserting:
    """A builder whose instructions go to a place within a block."""

    def __init__(self, block: Block, place: int) -> None:
        self._block: Final = block
        self._place: Final = place

    def __enter__(self) -> Builder:
        self._known = len(self._block.instructions)
        return Builder(self._block)

    def __exit__(self, *_: object) -> None:
        instructions = self._block.instructions
        made = instructions[self._known :]
        del instructions[self._known :]
        instructions[self._place : self._place] = made


@final
class InsertBefore(Inserting):
    def __init__(self, instruction: Instruction) -> None:
        super().__init__(instruction.parent, instruction.parent.instructions.index(instruction))


@final
class InsertBehind(Inserting):
    def __init__(self, instruction: Instruction) -> None:
        super().__init__(instruction.parent, instruction.parent.instructions.index(instruction) + 1)
