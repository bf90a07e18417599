# SPDX-License-Identifier: Apache-2.0
"""Copies of structs, and structs set to a byte: the program's small memcpy, memmove and memset, as loads and stores."""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import intrinsic_of
from lanewise.ir.values import Constant, Value, int_constant
from lanewise.workgroup.lanes.analysis.elements import Elements
from lanewise.workgroup.lanes.memory.accesses import load_columns
from lanewise.workgroup.lanes.memory.fields import store_fields
from lanewise.workgroup.lanes.memory.pending import PendingAccesses
from lanewise.workgroup.lanes.memory.runs import byte, load_run, store_run
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue, splat

MAX_BYTES: Final = 64
_COPIES: Final = ("llvm.memcpy", "llvm.memcpy.inline", "llvm.memmove")
_FILLS: Final = ("llvm.memset", "llvm.memset.inline")


def emit_copy(code: LaneCode, pending: PendingAccesses, call: Instruction, block: Block, mask: Mask) -> bool:
    """Emit a call as vector code, if it is a small copy or fill to an address that differs between lanes. Returns
    whether it is."""
    row = intrinsic_of(call.callee)
    if row is None or row.name not in (*_COPIES, *_FILLS):
        return False
    target, source, length, volatile = call.arguments
    target_register = code.use(target, block)
    size = _constant(length)
    if not size or size > MAX_BYTES or _constant(volatile) or target_register.shape.lane == 0:
        return False
    unit = next(u for u in (8, 4, 2, 1) if size % u == 0)
    elements = Elements(ty.integer(8 * unit), 1, (), None)
    places = tuple(range(size // unit))
    if row.name in _FILLS:
        byte_value = _constant(source)
        if byte_value is None:
            return False
        filled = int_constant(elements.type, int.from_bytes(bytes([byte_value % 256]) * unit))
        values: list[Value] = [splat(filled, code.extent.width, code.build)] * len(places)
        for chunk in range(code.extent.chunks):
            store_fields(code, pending, elements, places, values, target_register, target, chunk, mask)
        return True
    source_register = code.use(source, block)
    for chunk in range(code.extent.chunks):
        if mask is None and _is_run(code, target_register, size) and _is_run(code, source_register, size):
            _copy_run(
                code, pending, elements, size, code.scalar(target_register, chunk), code.scalar(source_register, chunk)
            )
        else:
            values = load_columns(code, pending, elements, places, source_register, source, chunk, mask)
            store_fields(code, pending, elements, places, values, target_register, target, chunk, mask)
    return True


def _is_run(code: LaneCode, address: LaneValue, size: int) -> bool:
    """Return whether the lanes of a chunk copy bytes that are side by side."""
    shape = address.shape
    return shape.lane == size and (code.extent.rows == 1 or shape.row == size * code.extent.lanes)


def _copy_run(
    code: LaneCode, pending: PendingAccesses, elements: Elements, size: int, target: Value, source: Value
) -> None:
    width = code.extent.width
    starts = range(0, width * size, width * elements.size)
    runs = [load_run(code, pending, elements, byte(code, source, start), None, width) for start in starts]
    for start, run in zip(starts, runs, strict=True):
        store_run(code, pending, elements, run, byte(code, target, start), None)


def _constant(value: Value) -> int | None:
    return value.integer if isinstance(value, Constant) and value.kind == "int" else None
