# SPDX-License-Identifier: Apache-2.0
"""Demotes values that no longer dominate their uses to the stack; LLVM makes phis of them (as after `reg2mem`).

If blocks that exclude each other are laid out one after the other, control may reach a use of a value without having
passed its definition. No active work-item needs the value then, so it may be anything there.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.dominators import DominatorTree
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value


def demote_to_stack(blocks: Sequence[Block], entry: Builder) -> int:
    """Mend the uses in `blocks`, the first of which reaches all others, by memory that is allocated in `entry`. Returns
    the number of values that were put into memory."""
    inside = set(blocks)
    edges: dict[Block | None, list[Block | None]] = {
        block: [s for s in dict.fromkeys(block.successors) if s in inside] if block.instructions else []
        for block in blocks
    }
    tree = DominatorTree(blocks[0], edges)
    broken: dict[Instruction, list[tuple[Instruction, int]]] = {}
    for block in blocks:
        for user in block.instructions:
            for index, operand in enumerate(user.operands):
                if not isinstance(operand, Instruction) or operand.block not in inside or operand.block is block:
                    continue
                place: Value = user.operands[index + 1] if user.op == "phi" else block
                assert isinstance(place, Block)
                if not tree.dominates(operand.parent, place):
                    broken.setdefault(operand, []).append((user, index))
    for value, uses in broken.items():
        slot = entry.alloca(value.type, f"{value.name or 'value'}.kept")
        _insert_behind(value, Instruction("store", ty.VOID, (value, slot)))
        for user, index in uses:
            load = Instruction("load", value.type, (slot,), source_type=value.type)
            if user.op == "phi":
                before = user.operands[index + 1]
                assert isinstance(before, Block)
                before.insert(len(before.instructions) - 1, load)
            else:
                user.parent.insert(user.parent.instructions.index(user), load)
            user.set_operand(index, load)
    return len(broken)


def _insert_behind(value: Instruction, new: Instruction) -> None:
    block = value.parent
    index = block.instructions.index(value) + 1
    while block.instructions[index].op == "phi":
        index += 1
    block.insert(index, new)
