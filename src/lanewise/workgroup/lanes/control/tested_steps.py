# SPDX-License-Identifier: Apache-2.0
"""Steps from lane to lane of what a loop carries, tested once before a loop that all work-items run together.

    %i = phi i32 [ %left, %before ], [ %next, %loop ]     varying: work-items may have left an earlier loop apart
    %next = add i32 %i, %stride                           uniform: the steps of %next are those of %i
    ... load %in[%i], %in[%i + %stride] ...               neighbours in each iteration, if they are in the first one

Needs
    1. The steps of the phi are known if lanes leave loops together (`Divergence.if_together`).
    2. The next value is computed from such phis and from values whose steps are known, and so keeps these steps.
    3. They hold in the first iteration: tested (`memory/counted.py` tests each access where 2 doesn't hold).
"""

from __future__ import annotations

from lanewise.analysis.flow import FlowLoop
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value, int_constant
from lanewise.workgroup.lanes.memory.counted import differs
from lanewise.workgroup.lanes.values.lane_code import LaneCode
from lanewise.workgroup.lanes.values.lane_values import LaneValue


def carried_in_step(code: LaneCode, loop: FlowLoop, latch: Block) -> set[Instruction]:
    """The phis of a loop, which ends at `latch`, that keep their steps (1, 2)."""
    if code.extent.rows > 1:
        return set()
    found = {phi for phi in loop.header.phis if phi.type.is_int and _expected_step(code, phi) is not None}
    while True:
        kept = {phi for phi in found if _sources(code, _next(phi, latch), loop) <= found}
        if kept == found:
            return found
        found = kept


def _expected_step(code: LaneCode, value: Value) -> int | None:
    """The step of a value that varies, if lanes leave loops together."""
    if not code.divergence.at_definition(value).is_varying:
        return None
    shape = code.divergence.if_together(value)
    return None if shape is None else shape.lane


def _next(phi: Instruction, latch: Block) -> Value:
    return next(value for value, before in phi.incoming() if before is latch)


def _sources(code: LaneCode, value: Value, loop: FlowLoop) -> set[Value]:
    """The varying values that a value is computed from in the loop, and that aren't computed again from others."""
    sources: set[Value] = set()
    seen: set[Value] = set()
    work = [value]
    while work:
        value = work.pop()
        if value in seen or not code.divergence.at_use(value, loop.header).is_varying:
            continue
        seen.add(value)
        is_computed = isinstance(value, Instruction) and value.block in loop.blocks and value.op != "phi"
        if is_computed and _expected_step(code, value) is not None:
            work += value.operands if isinstance(value, Instruction) else ()
        else:
            sources.add(value)
    return sources


def steps_hold(code: LaneCode, first: dict[Instruction, LaneValue]) -> Value:
    """True (i1) if the steps of phis, given their first values, are those expected in all chunks (3)."""
    differ: Value | None = None
    for phi, lanes in first.items():
        step = _expected_step(code, phi)
        assert step is not None
        for chunk in range(code.extent.chunks):
            this = differs(code, lanes, step, None, chunk)
            differ = this if differ is None else code.build.binary("or", differ, this)
    assert differ is not None
    return code.build.binary("xor", code.reduced(differ, "or"), int_constant(ty.I1, 1))
