# SPDX-License-Identifier: Apache-2.0
"""expand-matrix-rows: makes loads and stores of each lane's own elements out of those of a warp as a whole.

Why
    The reference device checks each access of each work-item. It shares no code with the lanes that load whole rows.

Before
    define i32 @f(ptr %p, i64 %stride) {
      %r = call i32 @__lw_matrix_rows.load.i32(i32 -1, ptr %p, i64 %stride)
      ret i32 %r
    }
    declare i32 @__lw_matrix_rows.load.i32(i32, ptr, i64)

After
    define i32 @f(ptr %p, i64 %stride) {
      %1 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
      %2 = zext i32 %1 to i64
      %3 = lshr i64 %2, 2
      %4 = and i64 %2, 3
      %5 = mul i64 %3, %stride
      %6 = mul i64 %4, 4
      %7 = add i64 %5, %6
      %8 = getelementptr i8, ptr %p, i64 %7
      %r = load i32, ptr %8, align 4
      ret i32 %r
    }
    declare i32 @__lw_matrix_rows.load.i32(i32, ptr, i64)
    declare i32 @llvm.nvvm.read.ptx.sreg.laneid()

Needs
    1. A call of an intrinsic of `ir/matrix_rows.py`.

Method
    Lane l has row l / 4 and place l % 4 there, or the other way round.

When not
    On the CPU, whose lanes load rows as vectors.

Neighbours
    Runs for the reference device only.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.instruction import CallSite, Instruction
from lanewise.ir.matrix_products import QUAD
from lanewise.ir.matrix_rows import BY_SYMBOL, MatrixRows
from lanewise.ir.module import Module
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i64, poison

_LANE: Final = "llvm.nvvm.read.ptx.sreg.laneid"


def run(function: Function, module: Module) -> bool:
    """Rewrite the accesses of a function; see above. Returns whether anything changed."""
    found = [i for i in function.instructions() if i.op == "call" and i.callee in BY_SYMBOL]  # 1
    for call in found:
        _expand(call, BY_SYMBOL[call.callee], module)
    return bool(found)


def _expand(call: Instruction, kind: MatrixRows, module: Module) -> None:
    _, pointer, stride, *values = call.arguments
    lane_id = module.declare(_LANE, ty.function(ty.I32, ()))
    lane = _emit(call, "call", ty.I32, lane_id, site=CallSite(lane_id.value_type))
    wide = _emit(call, "zext", ty.I64, lane)
    quad = _emit(call, "lshr", ty.I64, wide, i64(QUAD.bit_length() - 1))
    member = _emit(call, "and", ty.I64, wide, i64(QUAD - 1))
    row, place = (member, quad) if kind.across else (quad, member)
    size = kind.bits // 8
    start = _emit(call, "mul", ty.I64, row, stride)
    along = _emit(call, "mul", ty.I64, place, i64(size * kind.together))
    offset = _emit(call, "add", ty.I64, start, along)
    first = _emit(call, "getelementptr", pointer.type, pointer, offset, source_type=ty.I8)
    addresses = [first]
    if kind.together > 1:
        addresses.append(_emit(call, "getelementptr", pointer.type, first, i64(size), source_type=ty.I8))
    if values:
        for value, address in zip(values, addresses, strict=True):
            _emit(call, "store", ty.VOID, value, address, align=size)
    else:
        type_ = ty.integer(kind.bits)
        loaded = [_emit(call, "load", type_, address, source_type=type_, align=size) for address in addresses]
        whole: Value = loaded[0]
        if kind.together > 1:
            whole = poison(call.type)
            for number, each in enumerate(loaded):
                whole = _emit(call, "insertvalue", call.type, whole, each, indices=(number,))
        if isinstance(whole, Instruction):
            whole.name = call.name
        call.replace_all_uses(whole)
    call.erase()


def _emit(
    before: Instruction,
    op: str,
    type_: Type,
    *operands: Value,
    source_type: Type | None = None,
    align: int = 0,
    indices: tuple[int, ...] = (),
    site: CallSite | None = None,
) -> Instruction:
    line = tuple(each for each in before.metadata if each[0] == "!dbg")
    made = Instruction(
        op, type_, operands, metadata=line, source_type=source_type, align=align, indices=indices, call=site
    )
    block = before.parent
    return block.insert(block.instructions.index(before), made)
