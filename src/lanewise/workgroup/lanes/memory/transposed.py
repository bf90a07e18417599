# SPDX-License-Identifier: Apache-2.0
"""Accesses by columns: the chunks of a lane are neighbours in memory, the lanes of a chunk are not.

Before
    define ptx_kernel void @k(ptr %out, ptr %in, i32 %pitch) {
      %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
      %row = mul nsw i32 %x, %pitch
      %i = add nsw i32 %row, %y
      %p = getelementptr inbounds float, ptr %in, i32 %i
      %v = load float, ptr %p, align 4
      %r = mul nsw i32 %y, 4
      %j = add nsw i32 %r, %x
      %q = getelementptr inbounds float, ptr %out, i32 %j
      store float %v, ptr %q, align 4
      ret void
    }
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

After, with 4 lanes and 4 chunks
      %18 = extractelement <4 x ptr> %17, i32 0
      %19 = extractelement <4 x ptr> %17, i32 1
      %20 = extractelement <4 x ptr> %17, i32 2
      %21 = extractelement <4 x ptr> %17, i32 3
      %22 = load <4 x float>, ptr %18, align 4
      %23 = load <4 x float>, ptr %19, align 4
      %24 = load <4 x float>, ptr %20, align 4
      %25 = load <4 x float>, ptr %21, align 4
      %26 = shufflevector <4 x float> %22, <4 x float> %24, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
    ...
      store <4 x float> %30, ptr %37, align 16

A transposition does so, from a tile in shared memory or directly in global memory. The stride need not be known.
"""

from __future__ import annotations

from lanewise.analysis.shapes import Shape
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i64
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue, element, shuffle


def is_transposed(code: LaneCode, address: Shape, size: int, mask: Mask) -> bool:
    """Return whether an access is one by columns, of all work-items, of elements of `size` bytes."""
    extent = code.extent
    return (
        mask is None
        and extent.rows == 1
        and extent.chunks > 1
        and address.chunk == size
        and address.lane not in (0, size, -size)
    )


def load_transposed(code: LaneCode, load: Instruction, address: LaneValue, align: int) -> LaneValue:
    """Load by columns."""
    extent = code.extent
    run = ty.vector(extent.chunks, load.type)
    runs: list[Value] = [code.build.load(run, pointer, align=align) for pointer in _pointers(code, address)]
    parts: list[Value] = []
    size = min(extent.chunks, extent.width)
    for start in range(0, extent.chunks, size):
        pieces = runs if size == extent.chunks else [_part(code, each, start, size) for each in runs]
        parts += _transposed(code, [_concatenated(code, pieces[number::size]) for number in range(size)])
    return LaneValue(load.type, Shape(None, None, None), parts)


def store_transposed(code: LaneCode, value: LaneValue, address: LaneValue, align: int) -> None:
    """Store by columns."""
    extent = code.extent
    size = min(extent.chunks, extent.width)
    vectors = [code.vector(value, chunk) for chunk in range(extent.chunks)]
    squares = [_transposed(code, vectors[start : start + size]) for start in range(0, extent.chunks, size)]
    for lane, pointer in enumerate(_pointers(code, address)):
        block = lane // size * size
        pieces = [_part(code, rows[lane - block], block, size) for rows in squares]
        code.build.store(_concatenated(code, pieces), pointer, align)


def _transposed(code: LaneCode, rows: list[Value]) -> list[Value]:
    """Transpose blocks of as many elements as there are vectors: each block is exchanged with those at the same place
    in the others, row for column. In each of log2 steps, two rows interleave their lower and their upper halves. With
    blocks of 16 bytes that is one cheap instruction each.

    Source: H. S. Stone, Parallel Processing with the Perfect Shuffle (1971), "Matrix Transposition".
    """
    count, half = len(rows), len(rows) // 2
    width = rows[0].type.count
    masks = [
        [block + start + place // 2 + place % 2 * width for block in range(0, width, count) for place in range(count)]
        for start in (0, half)
    ]
    for _ in range(count.bit_length() - 1):
        rows = [shuffle(rows[i], rows[i + half], mask, code.build) for i in range(half) for mask in masks]
    return rows


def _part(code: LaneCode, vector: Value, start: int, count: int) -> Value:
    if count == vector.type.count:
        return vector
    return shuffle(vector, None, list(range(start, start + count)), code.build)


def _pointers(code: LaneCode, address: LaneValue) -> list[Value]:
    """Pointers to the start of each lane's run."""
    width = code.extent.width
    step = address.shape.lane
    if step is None:
        pointers = code.vector(address, 0)
        return [element(pointers, lane, code.build) for lane in range(width)]
    base = code.scalar(address)
    return [base if lane == 0 else _behind(code, base, lane * step, base.type) for lane in range(width)]


def _behind(code: LaneCode, base: Value, offset: int, type_: Type) -> Value:
    return code.build.emit(Instruction("getelementptr", type_, (base, i64(offset)), source_type=ty.I8))


def _concatenated(code: LaneCode, vectors: list[Value]) -> Value:
    while len(vectors) > 1:
        count = vectors[0].type.count
        vectors = [
            shuffle(a, b, list(range(2 * count)), code.build) for a, b in zip(vectors[::2], vectors[1::2], strict=True)
        ]
    return vectors[0]
