# SPDX-License-Identifier: Apache-2.0
"""The block before a loop, where what each turn needs is computed once."""

from __future__ import annotations

from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.loops import Loop


def preheader(loop: Loop) -> Block:
    """The block that is left for the loop and nothing else, made if there is none. The loop must be entered from one
    block, which may be by several edges. Loops around it don't hear of a block that is made."""
    (before,) = loop.entering()
    if len(before.successors) == 1:
        return before
    header = loop.header
    blocks = header.parent.blocks
    made = Block(None, header.parent)
    blocks.insert(blocks.index(header), made)
    before.terminator.replace_operand(header, made)
    for phi in header.phis:
        incoming = {block: value for value, block in phi.incoming()}  # one entry for all edges of a switch
        phi.drop_operands()
        for block, value in incoming.items():
            phi.append_operand(value)
            phi.append_operand(made if block is before else block)
    made.append(Instruction("br", ty.VOID, (header,)))
    return made
