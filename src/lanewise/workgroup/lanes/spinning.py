# SPDX-License-Identifier: Apache-2.0
"""Loops that wait: whose exit depends on an atomic or volatile read.

Such a loop may wait for another work-item of the same group, which in lock-step never comes to do what is waited for.
As a loop over work-items, those before it have done all that they do.
"""

from __future__ import annotations

from lanewise.analysis.flow import Flow, FlowLoop
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value


def spins(flow: Flow) -> bool:
    return any(_spins(flow, loop) for loop in flow.loops)


def _spins(flow: Flow, loop: FlowLoop) -> bool:
    """What decides on a way out, as far as the loop computes it, reads what others change."""
    work: list[Value] = [
        operand
        for block in loop.blocks
        if any(s not in loop.blocks for s in flow.successors[block])
        for operand in block.terminator.operands[:1]
    ]
    seen: set[Value] = set()
    while work:
        value = work.pop()
        if value in seen or not isinstance(value, Instruction) or value.block not in loop.blocks:
            continue
        seen.add(value)
        if value.op in ("atomicrmw", "cmpxchg") or value.is_volatile or value.ordering is not None:
            return True
        work += value.operands
    return False
