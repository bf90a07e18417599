# SPDX-License-Identifier: Apache-2.0
"""Addresses by what an earlier loop counted: neighbours if all lanes left that loop in the same iteration.

Why
    nvcc unrolls `for (i = first; i < n; i += stride)` by four: a first loop does the iterations that are too many, one,
    two or three of them. Where n is no multiple of the stride, some lanes do one more than others. Nearly everywhere
    they do not. The reduction of bench/cpu took 2.4 times as long with gathers, and 1.8 times by a test of addresses.

Example
    %i = phi i32 [ %left, %before ], [ %next, %loop ]     varying: from the first loop
    %wide = sext i32 %i to i64
    %p = getelementptr float, ptr %in, i64 %wide

    is tested by one comparison of vectors, %i with %i of one lane and the steps; lane 0 is at %in + 4 * %i.

Needs
    1. The steps of the address are known if lanes leave loops together (`Divergence.if_together`).
    2. So are those of each value that loops carry, and these differ by as many in all active lanes: tested, here or
       once before a loop (`control/tested_steps.py`).

Method
    The address of the first active lane, and that less its distance from lane 0.

Neighbours
    `clamped.py` does the same for minima and maxima, and `neighbours.py` compares addresses of any kind.
"""

from collections.abc import Callable
from typing import NamedTuple

from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value, i32, int_constant
from lanewise.workgroup.lanes.memory.one_lane import OneLane
from lanewise.workgroup.lanes.values.first_active import first_active
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue, element, lanes_type, vector_of, zeros


class Counted(NamedTuple):
    """The addresses of a chunk's lanes, which are neighbours if lanes left loops together."""

    first: Value
    """The address of lane 0, if they did."""
    holds: Value | None
    """True (i1) if all active lanes are neighbours; None if that has been tested before."""
    pointers: Callable[[], Value]
    """Compute the addresses of all lanes anew, for code that is rarely run."""


def counted_neighbours(code: LaneCode, pointer: Value, distance: int, mask: Mask, chunk: int) -> Counted | None:
    """The addresses of lanes that are neighbours at `distance` bytes if they left loops together; None if `pointer` is
    not of this kind."""
    divergence = code.divergence
    shape = divergence.if_together(pointer)
    if shape is None or shape.lane != distance:  # 1
        return None
    if not isinstance(pointer, Instruction) or pointer in code.left or pointer not in code.known:
        return None
    lane = first_active(code, mask, chunk) if mask is not None else None
    one = OneLane(code, pointer.parent, chunk, 0, lane, lambda value: divergence.if_together(value) is not None)
    address = one.of(pointer)
    differ: Value | None = None
    if mask is None and one.taken and code.in_step.issuperset(one.taken):
        return Counted(address, None, lambda: _all_lanes(code, one, pointer, {}))
    for value, lanes in one.taken.items():
        steps = divergence.if_together(value)
        if steps is None or steps.lane is None or not value.type.is_int:  # 2
            return None
        this = differs(code, lanes, steps.lane, lane, chunk)
        differ = this if differ is None else code.build.binary("or", differ, this)
    if differ is None:
        return None
    if mask is not None:  # lanes that are switched off may be poison
        differ = code.build.select(code.vector(mask, chunk), differ, zeros(differ.type))
    if lane is not None:
        behind = code.build.binary("mul", code.build.cast("zext", lane, ty.I64), int_constant(ty.I64, -distance))
        address = code.build.emit(Instruction("getelementptr", address.type, (address, behind), source_type=ty.I8))
    holds = code.build.binary("xor", code.reduced(differ, "or"), int_constant(ty.I1, 1))
    return Counted(address, holds, lambda: _all_lanes(code, one, pointer, {}))


def _all_lanes(code: LaneCode, one: OneLane, value: Value, known: dict[Value, Value]) -> Value:
    """The values of all lanes, from those that `one` takes out of vectors."""
    if value not in known:
        lanes = code.use(value, one.block)
        if isinstance(value, Instruction) and lanes.shape.is_varying and one.computes(value):
            operands = [_all_lanes(code, one, operand, known) for operand in value.operands]
            type_ = lanes_type(value.type, code.extent.width)
            made = code.build.emit(Instruction(value.op, type_, operands, source_type=value.source_type))
        else:
            made = code.vector(lanes, one.chunk)
        known[value] = made
    return known[value]


def differs(code: LaneCode, lanes: LaneValue, step: int, lane: Value | None, chunk: int) -> Value:
    """For each lane, true if its value is not that of `lane` and the steps between them."""
    build, width, type_ = code.build, code.extent.width, lanes.type
    vector = code.vector(lanes, chunk)
    relative = build.binary("sub", vector, vector_of(type_, [step * place for place in range(width)]))
    first = LaneValue.uniform(element(relative, i32(0) if lane is None else lane, build))
    return build.compare("ne", relative, code.lane_values.vector(first, 0, build))
