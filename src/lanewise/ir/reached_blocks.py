# SPDX-License-Identifier: Apache-2.0
"""Blocks that paths lead to; the others are dropped."""

from collections.abc import Iterable

from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction


def reached_blocks(starts: Iterable[Block], stop: Block | None = None) -> list[Block]:
    """Blocks that paths from `starts` lead to without passing `stop`, these included, in the order found."""
    found: dict[Block, None] = {}
    work = [block for block in starts if block is not stop]
    while work:
        block = work.pop()
        if block not in found:
            found[block] = None
            work.extend(after for after in block.successors if after is not stop)
    return list(found)


def drop_unreachable_blocks(function: Function) -> None:
    """Keep only blocks that a path from the entry leads to."""
    reached = set(reached_blocks([function.entry]))
    dead = [block for block in function.blocks if block not in reached]
    for block in dead:
        for successor in block.successors:
            for phi in successor.phis:
                _remove_incoming(phi, block)
    for block in dead:
        for instruction in block.instructions:
            instruction.drop_operands()
    function.blocks = [block for block in function.blocks if block in reached]


def _remove_incoming(phi: Instruction, block: Block) -> None:
    pairs = [(value, before) for value, before in phi.incoming() if before is not block]
    phi.drop_operands()
    for value, before in pairs:
        phi.append_operand(value)
        phi.append_operand(before)
