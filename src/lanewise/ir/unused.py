# SPDX-License-Identifier: Apache-2.0
"""Removal of instructions whose results nobody uses."""

from collections.abc import Iterable

from lanewise.ir.effects import is_pure
from lanewise.ir.instruction import Instruction


def erase_unused(instructions: Iterable[Instruction]) -> None:
    """Erase those of the instructions that are pure and have no users, then of their operands, and so on."""
    work = list(instructions)
    while work:
        instruction = work.pop()
        if instruction.block is None or instruction.users or not is_pure(instruction):
            continue
        operands = [operand for operand in instruction.operands if isinstance(operand, Instruction)]
        instruction.erase()
        work += operands
