# SPDX-License-Identifier: Apache-2.0
"""Operations of a warp in lane code: the chunks of a unit, put together, are the warp's 32 or 64 lanes."""

from __future__ import annotations

from typing import Final

from lanewise.analysis.shapes import UNIFORM, VARYING, normal
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.counters import TALLY
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import WARP_WAITS, is_wide
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, poison
from lanewise.workgroup.items.refusal import cannot
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue, lanes_type, ones, shuffle
from lanewise.workgroup.lanes.warps import expand, is_warp_operation
from lanewise.workgroup.lanes.warps.tallies import emit_tally
from lanewise.workgroup.lanes.warps.waits import emit_wait
from lanewise.workgroup.lanes.warps.warp import WARP_SIZE
from lanewise.workgroup.lanes.warps.warp_values import joined
from lanewise.workgroup.lanes.warps.wide import WIDE_SIZE
from lanewise.workgroup.regions.barriers import WARP_BARRIER

_SCRATCH: Final = ty.array(256, ty.I8)


def has_warp_operations(kernel: Function) -> bool:
    return any(is_warp_operation(i) for i in kernel.instructions())


def warp_size_of(kernel: Function) -> int:
    """The number of lanes of a kernel's warps."""
    return WIDE_SIZE if any(is_wide(i.callee) for i in kernel.instructions()) else WARP_SIZE


def only_synchronises(kernel: Function) -> bool:
    """Return whether a kernel's operations of the warp are all `__syncwarp()`. Barriers of the group do for these."""
    operations = [i.callee for i in kernel.instructions() if is_warp_operation(i)]
    return bool(operations) and all(callee == WARP_BARRIER for callee in operations)


def is_warp_synchronous(kernel: Function) -> bool:
    """The kernel accesses shared memory as if its warps were in lock-step: by volatile loads and stores."""
    return any(is_volatile_shared(i) for i in kernel.instructions())


def is_volatile_shared(instruction: Instruction) -> bool:
    """Return whether an instruction is a volatile load or store of shared memory."""
    is_volatile = instruction.is_volatile and instruction.op in ("load", "store")
    return is_volatile and _is_shared(effects.pointer_operand(instruction))


def _is_shared(pointer: Value) -> bool:
    """Return whether a pointer is to shared memory, as far as its origin shows."""
    if pointer.type.is_pointer and pointer.type.addrspace == SHARED:
        return True
    if isinstance(pointer, Instruction):
        return pointer.op in ("getelementptr", "addrspacecast") and _is_shared(pointer.operands[0])
    return isinstance(pointer, Constant) and pointer.kind == "expr" and any(map(_is_shared, pointer.operands[:1]))


def emit_warp_operation(code: LaneCode, call: Instruction, block: Block, mask: Mask) -> LaneValue | None:
    if not code.warps:
        cannot(f"{call.callee.removeprefix('llvm.nvvm.')} without warps of {WARP_SIZE} lanes")
    if call.callee.startswith(TALLY):
        emit_tally(code, call, block, mask)
        return None
    operands = [_whole(code, code.use(o, block)) for o in call.arguments]
    all_lanes = ones(ty.vector(code.extent.width * code.extent.chunks, ty.I1))
    active = all_lanes if mask is None else joined(code, mask)
    if call.callee in WARP_WAITS:
        return emit_wait(code, call, operands, active)
    result = expand(code.build, call, operands, active, code.external, code.scratch("warp", _SCRATCH))
    if result is None:
        return None
    if not isinstance(result, tuple):
        return _register(code, call.type, result)
    fields = [_register(code, part_type, part) for part_type, part in zip(call.type.fields, result, strict=True)]
    shape = normal(VARYING, code.extent)
    return code.mapped(call.type, shape, fields, lambda parts: _struct(code, call.type, parts))


def _whole(code: LaneCode, lane_value: LaneValue) -> Value:
    return code.scalar(lane_value) if lane_value.shape.is_uniform else joined(code, lane_value)


def _register(code: LaneCode, type_: Type, value: Value) -> LaneValue:
    if not value.type.is_vector:
        return LaneValue(type_, UNIFORM, (value,))
    width = code.extent.width
    parts = [
        value if width == value.type.count else shuffle(value, None, list(range(first, first + width)), code.build)
        for first in range(0, value.type.count, width)
    ]
    return LaneValue(type_, normal(VARYING, code.extent), parts)


def _struct(code: LaneCode, type_: Type, parts: list[Value]) -> Value:
    whole: Value = poison(lanes_type(type_, code.extent.width))
    for index, part in enumerate(parts):
        whole = code.build.emit(Instruction("insertvalue", whole.type, (whole, part), indices=(index,)))
    return whole
