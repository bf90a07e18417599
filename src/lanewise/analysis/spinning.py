# SPDX-License-Identifier: Apache-2.0
"""Spin loops, whose exit depends on an atomic or volatile read.

Such a loop may wait for another work-item of the same group, which in lock-step never gets to the awaited write. In a
loop over work-items, all earlier work-items have finished.
"""

from __future__ import annotations

from typing import Final

from lanewise.analysis.flow import Flow, FlowLoop
from lanewise.ir import effects
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value

_IDENTITY_0: Final = frozenset({"add", "sub", "or", "xor"})


def is_shared_read(instruction: Instruction) -> bool:
    """Return whether an instruction reads memory that other threads may change."""
    return instruction.op in ("load", "atomicrmw", "cmpxchg") and effects.is_ordered(instruction)


def changes_memory(read: Instruction) -> bool:
    """Return whether an atomic or volatile read may write a new value."""
    if read.op != "atomicrmw" or read.predicate not in _IDENTITY_0:
        return read.op != "load"
    operand = read.operands[1]
    return not (isinstance(operand, Constant) and operand.type.is_int and operand.integer == 0)


def stores_what_it_finds(instruction: Instruction) -> bool:
    """Return whether an instruction is a compare-and-swap of a value for itself: a read in all but name."""
    if instruction.op != "cmpxchg":
        return False
    expected, new = instruction.operands[1:3]
    if isinstance(expected, Constant) and isinstance(new, Constant) and expected.kind == new.kind == "int":
        return expected.integer == new.integer
    return expected is new


def spins(flow: Flow) -> bool:
    """Return whether a loop spins."""
    return any(waiting_reads(flow, loop) for loop in flow.loops)


def waiting_reads(flow: Flow, loop: FlowLoop, retries: bool = True) -> list[Instruction]:
    """The reads, of memory that others change, on which a loop's exit depends by a value or a branch. `retries`: also
    those of an update that is tried again until nobody has come between, which doesn't wait: if it fails, another one
    has succeeded."""
    if not any(effects.is_ordered(instruction) for block in loop.blocks for instruction in block.instructions):
        return []  # most loops; the search below takes the square of a loop's blocks
    exits = [block for block in loop.blocks if any(s not in loop.blocks for s in flow.successors[block])]
    deciding = {*exits, *(branch for block in exits for branch in _branches_before(flow, loop, block))}
    work: list[Value] = [operand for block in deciding for operand in block.terminator.operands[:1]]
    seen: set[Value] = set()
    found: list[Instruction] = []
    while work:
        value = work.pop()
        if value in seen or not isinstance(value, Instruction) or value.block not in loop.blocks:
            continue
        seen.add(value)
        if not retries and _is_success(value, loop):
            continue
        if effects.is_ordered(value):
            found.append(value)
        work += value.operands
    return found


def _is_success(value: Instruction, loop: FlowLoop) -> bool:
    """Return whether a value says if a cmpxchg has found what an iteration has read before."""
    found, expected = value, None
    if value.op == "icmp":
        found, expected = value.operands
    if not isinstance(found, Instruction) or found.op != "extractvalue":
        return False
    exchange = found.operands[0]
    if not isinstance(exchange, Instruction) or exchange.op != "cmpxchg":
        return False
    read = exchange.operands[1]
    is_flag = value is found and found.indices == (1,)
    return (is_flag or read is expected) and isinstance(read, Instruction) and read.block in loop.blocks


def _branches_before(flow: Flow, loop: FlowLoop, block: Block) -> list[Block]:
    """The branches of an iteration that decide if `block` is reached in it."""
    if block is loop.header:
        return []
    reaching = _reaching(flow, loop, block, loop.header)
    missing = _reaching(flow, loop, loop.header, block)

    def decides(branch: Block) -> bool:
        successors = [s for s in flow.successors[branch] if s in loop.blocks]
        return any(s in reaching for s in successors) and any(s in missing for s in successors)

    return [branch for branch in loop.blocks if len(flow.successors[branch]) > 1 and decides(branch)]


def _reaching(flow: Flow, loop: FlowLoop, target: Block, without: Block) -> set[Block]:
    """The blocks of `loop` from which a path leads to `target` that does not go through `without` before."""
    found = {target}
    work = [target]
    while work:
        for before in flow.predecessors[work.pop()]:
            if before in loop.blocks and before not in found and before is not without:
                found.add(before)
                work.append(before)
    return found
