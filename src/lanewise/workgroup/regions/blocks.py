# SPDX-License-Identifier: Apache-2.0
"""Blocks that code may not have: unreachable ones are dropped, indirect branches are refused."""

from __future__ import annotations

from lanewise.errors import CompileError
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction


def drop_unreachable_blocks(function: Function) -> None:
    """Keep only blocks that a path from the entry leads to."""
    reached: set[Block] = set()
    work = [function.entry]
    while work:
        block = work.pop()
        if block not in reached:
            reached.add(block)
            work.extend(block.successors)
    dead = [block for block in function.blocks if block not in reached]
    for block in dead:
        for successor in block.successors:
            for phi in successor.phis:
                _remove_incoming(phi, block)
    for block in dead:
        for instruction in block.instructions:
            instruction.drop_operands()
    function.blocks = [block for block in function.blocks if block in reached]


def refuse_computed_goto(function: Function, owner: str) -> None:
    """Raise CompileError for an indirect branch; messages call the function `owner`. CUDA C++ never comes with one: the
    front end makes it a switch."""
    if any(block.terminator.op == "indirectbr" for block in function.blocks):
        raise CompileError(f"{owner}: computed goto is not supported on the CPU device")


def _remove_incoming(phi: Instruction, block: Block) -> None:
    pairs = [(value, before) for value, before in phi.incoming() if before is not block]
    phi.drop_operands()
    for value, before in pairs:
        phi.append_operand(value)
        phi.append_operand(before)
