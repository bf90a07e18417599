# SPDX-License-Identifier: Apache-2.0
"""Copies of blocks within their function."""

from collections.abc import Sequence

from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value


def copied_blocks(blocks: Sequence[Block]) -> tuple[list[Block], dict[Value, Value]]:
    """Copy blocks, without debug records. Returns the copies, which aren't in the function's list yet, and the copy of
    each block and instruction. They use each other, and the values of other blocks; nothing leads to them yet."""
    made = [Block(None, block.parent) for block in blocks]
    copies: dict[Value, Value] = dict(zip(blocks, made, strict=True))
    pairs: list[tuple[Instruction, Instruction]] = []
    for block, copy in zip(blocks, made, strict=True):
        for instruction in block.instructions:
            if not instruction.is_debug_record:
                pairs.append((instruction, copy.append(instruction.copied(()))))
    copies.update(pairs)
    for original, copied in pairs:
        for operand in original.operands:
            copied.append_operand(copies.get(operand, operand))
    return made, copies
