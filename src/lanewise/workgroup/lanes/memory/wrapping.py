# SPDX-License-Identifier: Apache-2.0
"""Addresses whose index is not known not to wrap round in 32 bits.

    %i = add i32 %base, %x                          neighbours, unless the sum wraps between two lanes
    %wide = zext i32 %i to i64
    %p = getelementptr inbounds float, ptr %a, i64 %wide

`for (int i = tid; i < n; i += gridDim.x * blockDim.x)` has such an index, and so has unsigned arithmetic. If it did
wrap between two lanes that access memory, they would be at opposite ends of 2^32 elements. No array that the
address may not leave (inbounds) is taken to be as long. A lane that is switched off may well be on the far side:
`unsigned i = x - 1` if x is 0. So the address is that of the first active lane, and the others are its neighbours.

That holds for small steps only: `x * 0x80000001u` jumps by 2^31 from lane to lane, and may come back.
"""

from __future__ import annotations

from typing import Final

from lanewise.analysis.shapes import Shape, normal, strides
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value, int_constant
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue

MAX_STEP: Final = 1 << 12
"""Most elements from lane to lane, or chunk to chunk. All addresses of a unit are then within 2^22 of each other,
unless an index wraps."""


def neighbours_unless_wrapped(code: LaneCode, pointer: Value, block: Block, mask: Mask) -> LaneValue | None:
    """The address as an affine one, for an access of the work-items in `mask`; None if it is not of this kind."""
    divergence, extent = code.divergence, code.extent
    if not isinstance(pointer, Instruction) or pointer.op != "getelementptr" or "inbounds" not in pointer.flags:
        return None
    extension = pointer.operands[-1]
    if not isinstance(extension, Instruction) or extension.op not in ("sext", "zext") or extent.rows > 1:
        return None
    if not divergence.at_use(extension, block).is_varying or extension in code.left or pointer in code.left:
        return None
    index = extension.operands[0]
    shape = divergence.at_use(index, block)
    (*others, (_, size)) = strides(pointer, divergence.types)
    base = divergence.at_use(pointer.operands[0], block)
    if index.type.bits != 32 or not shape.lane or not base.is_uniform:
        return None
    if abs(shape.lane) > MAX_STEP or abs(shape.chunk or 0) > MAX_STEP * extent.width:
        return None
    if not all(isinstance(other, Constant) for other, _ in others):
        return None
    chunks = 1 if shape.chunk == 0 else extent.chunks
    known = code.use(index, block)
    start = code.scalar(code.use(pointer.operands[0], block))
    together = mask is None and shape.chunk is not None
    parts: list[Value] = []
    for chunk in range(1 if together else chunks):
        value = code.scalar(known, chunk)
        first = None if mask is None else _first_active(code, mask, chunk, shared=chunks == 1)
        if first is None:
            wide = code.build.cast(extension.op, value, ty.I64)
        else:
            step = code.build.binary("mul", first, int_constant(ty.I32, shape.lane))
            at_first = code.build.cast(extension.op, code.build.binary("add", value, step), ty.I64)
            wide = code.build.binary("sub", at_first, code.build.cast("sext", step, ty.I64))
        operands = (start, *pointer.operands[1:-1], wide)
        parts.append(
            code.build.emit(Instruction("getelementptr", pointer.type, operands, source_type=pointer.source_type))
        )
    chunk_step = (shape.chunk or 0) * size if together else None if chunks > 1 else 0
    return LaneValue(pointer.type, normal(Shape(shape.lane * size, 0, chunk_step), extent), parts)


def _first_active(code: LaneCode, mask: LaneValue, chunk: int, shared: bool) -> Value:
    """The first active lane of a chunk (`shared`: of any chunk), i32; some lane if none is active."""
    if mask.shape.lane == 0:
        return int_constant(ty.I32, 0)
    merged = code.mask_of(mask, Shape(None, None, 0)) if shared else mask
    assert merged is not None
    width = code.extent.width
    bits = code.build.cast("bitcast", code.vector(merged, chunk), ty.integer(width))
    wide = code.build.cast("zext", bits, ty.I32) if width < 32 else bits
    function = ty.function(ty.I32, (ty.I32, ty.I1))
    zeros = code.build.call_function(code.external("llvm.cttz.i32", function), [wide, Constant(ty.I1, "int", "false")])
    return code.build.binary("and", zeros, int_constant(ty.I32, width - 1))
