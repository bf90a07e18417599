# SPDX-License-Identifier: Apache-2.0
"""An estimate of the registers that a GPU needs at once: those of all values that are live.

Why: a pass that keeps a value longer saves an instruction, and may cost a register. Beyond 64, fewer warps fit into a
multiprocessor of today's GPUs (65,536 registers, 2,048 threads of 32 each at full occupancy).

Method. Liveness by dataflow from the uses of a value up to its definition (Appel, "Modern Compiler Implementation",
section 10.1), then the sum over the values that are live at each instruction. A value takes its bits in registers of
32, a condition none, since it goes into a predicate. Constants and parameters take none: they stay in constant memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from lanewise.analysis.dataflow import solve
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type


@final
class LiveRegisters:
    """Live registers of each block of a function."""

    def __init__(self, most: Mapping[Block, int]) -> None:
        self._most: Final = most

    def most(self, block: Block) -> int:
        """The most registers that are live at an instruction of a block; 0 for a block made since."""
        return self._most.get(block, 0)


def registers_of(type_: Type) -> int:
    """Registers of 32 bits for a value of a type: 0 for a condition and for what isn't in registers."""
    if type_.is_vector:
        return max(1, type_.count * max(type_.inner.bits, 8) // 32)
    if type_.is_pointer:
        return 2
    return 0 if type_.bits <= 1 else -(-type_.bits // 32)


def live_registers(function: Function) -> LiveRegisters:
    """The estimate for a function."""
    order = list(reversed(function.blocks))
    made = {block: frozenset(block.instructions) for block in order}
    used = {block: _used_before_made(block) for block in order}
    for block in order:
        for phi in block.phis:
            for value, before in phi.incoming():
                if isinstance(value, Instruction) and value not in made[before]:
                    used[before] |= {value}

    def transfer(block: Block, after: frozenset[Instruction]) -> frozenset[Instruction]:
        return used[block] | (after - made[block])

    live_in = solve(order, lambda block: block.successors, transfer)
    most: dict[Block, int] = {}
    for block in order:
        live = set(frozenset[Instruction]().union(*(live_in[each] for each in block.successors)))
        for successor in block.successors:
            live |= {value for phi in successor.phis for value, before in phi.incoming()
                     if before is block and isinstance(value, Instruction)}  # fmt: skip
        count = highest = sum(registers_of(value.type) for value in live)
        for instruction in reversed(block.instructions):
            if instruction in live:
                live.discard(instruction)
                count -= registers_of(instruction.type)
            if instruction.op != "phi":
                for operand in instruction.operands:
                    if isinstance(operand, Instruction) and operand not in live:
                        live.add(operand)
                        count += registers_of(operand.type)
            highest = max(highest, count)
        most[block] = highest
    return LiveRegisters(most)


def _used_before_made(block: Block) -> frozenset[Instruction]:
    made: set[Instruction] = set()
    used: set[Instruction] = set()
    for instruction in block.instructions:
        if instruction.op != "phi":
            used |= {each for each in instruction.operands if isinstance(each, Instruction) and each not in made}
        made.add(instruction)
    return frozenset(used)
