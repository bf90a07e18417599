# SPDX-License-Identifier: Apache-2.0
"""Accesses by addresses that are neighbours unless an index wraps round (`analysis/wrapping.py`).

A lane that is switched off may be far from the others. So the address is that of the first active lane, and the others
are its neighbours. It is computed by scalars, as that lane alone would compute it, from values that are known for all
lanes; what loops carry along is taken out of its vector.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.analysis.shapes import Shape, normal
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value, int_constant
from lanewise.workgroup.lanes.values.first_active import first_active
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue, element


def neighbours_unless_wrapped(code: LaneCode, pointer: Value, block: Block, mask: Mask) -> LaneValue | None:
    """The address as an affine one, for an access of the work-items in `mask`; None if it is not of this kind."""
    varying = code.divergence.at_use(pointer, block)
    if not varying.is_varying:
        return None
    shape, extent = code.divergence.unless_wrapped(pointer, block), code.extent
    if shape is None or not shape.lane:
        return None
    if mask is not None and (extent.rows > 1 or (extent.chunks > 1 and varying.chunk != 0 == shape.chunk)):
        return None
    chunks = 1 if shape.chunk == 0 or (mask is None and shape.chunk is not None) else extent.chunks
    rows = 1 if mask is None and shape.row is not None else extent.rows
    parts: list[Value] = []
    for chunk in range(chunks):
        first = None if mask is None else first_active(code, mask, chunk, shared=shape.chunk == 0)
        if first is None:
            parts += [_OneLane(code, block, chunk, row, None).of(pointer) for row in range(rows)]
            continue
        address = _OneLane(code, block, chunk, 0, first).of(pointer)
        behind = code.build.binary("mul", code.build.cast("zext", first, ty.I64), int_constant(ty.I64, -shape.lane))
        parts.append(code.build.emit(Instruction("getelementptr", address.type, (address, behind), source_type=ty.I8)))
    row_step = shape.row if rows == 1 else None
    chunk_step = shape.chunk if chunks == 1 else None
    return LaneValue(pointer.type, normal(Shape(shape.lane, row_step, chunk_step), extent), parts)


@final
class _OneLane:
    """Values of one lane, in `block`: the first one of a row or (i32) `lane` of a chunk."""

    def __init__(self, code: LaneCode, block: Block, chunk: int, row: int, lane: Value | None) -> None:
        self._code: Final = code
        self._block: Final = block
        self._chunk: Final = chunk
        self._row: Final = row
        self._lane: Final = lane
        self._known: Final[dict[Value, Value]] = {}

    def of(self, value: Value) -> Value:
        if isinstance(value, Constant):
            return value
        known = self._known.get(value)
        if known is None:
            known = self._known[value] = self._made(value)
        return known

    def _made(self, value: Value) -> Value:
        code = self._code
        lane_value = code.use(value, self._block)
        step = lane_value.shape.lane
        if step is not None:
            first = code.scalar(lane_value, self._chunk, self._row)
            return first if step == 0 or self._lane is None else self._further(first, step)
        if self._is_followed(value):
            assert isinstance(value, Instruction)
            copy = value.copied([self.of(operand) for operand in value.operands])
            copy.metadata, copy.flags = (), ()  # if no lane is active, what the flags promise may be wrong
            return code.build.emit(copy)
        lane = self._row * code.extent.lanes if self._lane is None else self._lane
        return element(code.vector(lane_value, self._chunk), lane, code.build)

    def _is_followed(self, value: Value) -> bool:
        """True for a value that is computed again, by scalars."""
        if not isinstance(value, Instruction) or value.op == "phi" or value in self._code.left:
            return False
        return self._code.divergence.unless_wrapped(value, self._block) is not None

    def _further(self, first: Value, step: int) -> Value:
        build, lane = self._code.build, self._lane
        assert lane is not None
        type_ = ty.I64 if first.type.is_pointer else first.type
        if type_.bits != lane.type.bits:
            lane = build.cast("zext" if type_.bits > lane.type.bits else "trunc", lane, type_)
        distance = build.binary("mul", lane, int_constant(type_, step))
        if not first.type.is_pointer:
            return build.binary("add", first, distance)
        return build.emit(Instruction("getelementptr", first.type, (first, distance), source_type=ty.I8))
