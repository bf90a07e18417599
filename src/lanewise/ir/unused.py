# SPDX-License-Identifier: Apache-2.0
"""Removal of instructions whose results nobody uses."""

from collections.abc import Iterable

from lanewise.ir.effects import is_pure
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction


def erase_unused(instructions: Iterable[Instruction]) -> None:
    """Erase those of the instructions that are pure and have no users, then of their operands, and so on.

    Each block is gone through once, however many of its instructions go.
    """
    unused: dict[Block, set[Instruction]] = {}
    work = list(instructions)
    while work:
        instruction = work.pop()
        if instruction.block is None or instruction.users or not is_pure(instruction):
            continue
        unused.setdefault(instruction.block, set()).add(instruction)
        instruction.block = None
        work += [operand for operand in instruction.operands if isinstance(operand, Instruction)]
        instruction.drop_operands()
    for block, gone in unused.items():
        block.instructions[:] = [instruction for instruction in block.instructions if instruction not in gone]
