# SPDX-License-Identifier: Apache-2.0
"""Accesses by addresses that are neighbours unless an index wraps round (`analysis/wrapping.py`).

A lane that is switched off may be far from the others. So the address is that of the first active lane, and the others
are its neighbours. It is computed by scalars, as that lane alone would compute it, from values that are known for all
lanes; what loops carry along is taken out of its vector.
"""

from __future__ import annotations

from lanewise.analysis.shapes import Shape, normal
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value, int_constant
from lanewise.workgroup.lanes.memory.one_lane import OneLane
from lanewise.workgroup.lanes.values.first_active import first_active
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue


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

    def known(value: Value) -> bool:
        return code.divergence.unless_wrapped(value, block) is not None

    for chunk in range(chunks):
        first = None if mask is None else first_active(code, mask, chunk, shared=shape.chunk == 0)
        if first is None:
            parts += [OneLane(code, block, chunk, row, None, known).of(pointer) for row in range(rows)]
            continue
        address = OneLane(code, block, chunk, 0, first, known).of(pointer)
        behind = code.build.binary("mul", code.build.cast("zext", first, ty.I64), int_constant(ty.I64, -shape.lane))
        parts.append(code.build.emit(Instruction("getelementptr", address.type, (address, behind), source_type=ty.I8)))
    row_step = shape.row if rows == 1 else None
    chunk_step = shape.chunk if chunks == 1 else None
    return LaneValue(pointer.type, normal(Shape(shape.lane, row_step, chunk_step), extent), parts)
