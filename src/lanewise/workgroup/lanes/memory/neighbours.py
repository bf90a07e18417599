# SPDX-License-Identifier: Apache-2.0
"""Tests, when the code runs, whether the lanes of a row are neighbours, where that may be but is not known.

    in[y * pitch + x * step]           the step is known at the launch only
    in[i], i counted by another loop   consecutive if all lanes left that loop together
    tile[max(x - 1, 0)]                clamped: two lanes have the same address, one of which is switched off, perhaps

A clamped address is compared from the first active lane on, among active lanes; any other one from lane 0 on, whatever
is active, which costs less.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from lanewise.analysis.shapes import strides
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value, i64, int_constant
from lanewise.workgroup.lanes.analysis.elements import Elements, Places
from lanewise.workgroup.lanes.memory.clamped import unclamped_neighbours
from lanewise.workgroup.lanes.memory.counted import counted_neighbours
from lanewise.workgroup.lanes.memory.deciding import deciding_value
from lanewise.workgroup.lanes.values.first_active import first_active
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue, element, vector_of, zeros

_CLAMPS: Final = frozenset(f"llvm.{name}.i{bits}" for name in ("smin", "smax", "umin", "umax") for bits in (32, 64))
_LOOKED_AT: Final = 24
"""Most instructions in the computation of an address that are looked at."""


class ExpectedNeighbours(NamedTuple):
    """`distance` between lanes in bytes, if they are neighbours. `clamped`: some may not be, where others are.
    `counted`: they are unless they left a loop at different times."""

    distance: int
    clamped: bool
    counted: bool = False


def expected_neighbours(
    code: LaneCode, elements: Elements, places: Places, pointer: Value
) -> ExpectedNeighbours | None:
    """The distance to test for; None if lanes are not expected to be neighbours."""
    clamped = _is_clamped(code, pointer)
    span = (places[-1] + 1) * elements.size
    if clamped is None:
        together = code.divergence.if_together(pointer) if code.extent.rows == 1 else None
        return ExpectedNeighbours(span, False, True) if together is not None and together.lane == span else None
    if len(places) > 1 and isinstance(pointer, Instruction) and pointer.op == "getelementptr":
        for index, size in strides(pointer, code.divergence.types):
            if code.divergence.at_definition(index).is_varying and size >= span:
                return ExpectedNeighbours(size, clamped)
    return ExpectedNeighbours(span, clamped)


def _is_clamped(code: LaneCode, pointer: Value) -> bool | None:
    """True if a minimum or maximum is in the computation of an address from ids and uniform values; None if it is
    computed from anything else."""
    if code.extent.rows > 1:
        return None
    clamped = False
    seen: set[Value] = set()
    work = [pointer]
    while work:
        value = work.pop()
        if value in seen or not isinstance(value, Instruction) or value in code.divergence.given:
            continue
        seen.add(value)
        if not code.divergence.at_definition(value).is_varying:
            continue
        if value.op in ("load", "phi", "atomicrmw", "cmpxchg", "extractvalue") or len(seen) > _LOOKED_AT:
            return None
        if value.op == "call":
            if value.callee not in _CLAMPS:
                return None
            clamped = True
        work += value.operands
    return clamped


def test_neighbours(
    code: LaneCode, expected: ExpectedNeighbours, pointer: Value, pointers: Value, mask: Mask, chunk: int
) -> tuple[Value, Value | None, Callable[[], Value]]:
    """The address of lane 0; true (i1) if all active lanes are neighbours of it, None if they are; and a function that
    returns all addresses, for where they are not. `pointer` is the program's address; `pointers` are a chunk's."""
    build = code.build
    if expected.counted:
        counted = counted_neighbours(code, pointer, expected.distance, mask, chunk)
        if counted is not None:
            code.perhaps_unused.append(pointers)
            return counted
    if expected.clamped:
        found = unclamped_neighbours(code, pointer, expected.distance, mask, chunk)
        if found is not None:
            code.perhaps_unused.append(pointers)
            return found
    lane = None if mask is None or not expected.clamped else first_active(code, mask, chunk)
    first: Value = element(pointers, 0 if lane is None else lane, build)
    if lane is not None:
        before = build.binary("mul", build.cast("zext", lane, ty.I64), i64(-expected.distance))
        first = build.emit(Instruction("getelementptr", first.type, (first, before), source_type=ty.I8))
    value, step = pointer, expected.distance
    if lane is None:
        value, step = deciding_value(code, pointer, expected.distance, mask is not None)
    if value is pointer:
        differ = _differ(code, pointers, first, step)
    else:
        lanes = code.vector(code.known[value], chunk)
        differ = _differ(code, lanes, element(lanes, 0, build), step)
    if lane is not None and mask is not None:  # lanes that are switched off may be poison
        differ = build.select(code.vector(mask, chunk), differ, zeros(differ.type))
    same: Value = build.binary("xor", code.reduced(differ, "or"), int_constant(ty.I1, 1))
    if mask is not None and lane is None:  # likewise: either answer is right
        same = build.emit(Instruction("freeze", ty.I1, (same,)))
    return first, same, lambda: pointers


def _differ(code: LaneCode, lanes: Value, first: Value, step: int) -> Value:
    """For each lane, true if its value is not `first` and the steps from there."""
    build, width = code.build, code.extent.width
    if first.type.is_pointer:
        first, lanes = build.cast("ptrtoint", first, ty.I64), build.cast("ptrtoint", lanes, ty.vector(width, ty.I64))
    base = code.lane_values.vector(LaneValue.uniform(first), 0, build)
    wanted = build.binary("add", base, vector_of(first.type, [step * place for place in range(width)]))
    return build.compare("ne", lanes, wanted)
