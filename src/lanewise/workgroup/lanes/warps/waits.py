# SPDX-License-Identifier: Apache-2.0
"""Operations at which a warp waits for other warps of its group: calls of the runtime core, one for the whole warp.

    %n = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.count(i32 1, i32 64, i1 %p)
    %n = call i32 %meet(ptr %launch, ptr %arena, i32 9, i32 1, i32 64, i32 %votes, i32 %active)

The number of a barrier and the count are those of the first active lane. Code whose lanes are all inactive may come
here, too; the core then does nothing.
"""

from __future__ import annotations

from lanewise.analysis.shapes import UNIFORM
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import AWAIT_WARPS
from lanewise.ir.values import Value, i32, int_constant
from lanewise.workgroup.items.refusal import cannot
from lanewise.workgroup.lanes.values.lane_code import LaneCode
from lanewise.workgroup.lanes.values.lane_values import LaneValue
from lanewise.workgroup.lanes.warps.warp import Warp


def emit_wait(code: LaneCode, call: Instruction, operands: list[Value], active: Value) -> LaneValue | None:
    """Emit a call of the core. `operands` are scalars, or vectors with an element per lane; `active` is <32 x i1>."""
    if code.meet is None:
        cannot("a wait for other warps outside of a work-group function")
    warp = Warp(code.build, active, code.external, active)
    bits = warp.bits(active)
    number, count, votes = i32(0), i32(0), i32(0)
    if call.callee != AWAIT_WARPS:
        number, count = (_first(warp, each, bits) for each in operands[:2])
    if len(operands) == 3:
        votes = warp.bits(warp.determined(operands[2]))
    answer = code.meet(code.build, call.callee, number, count, votes, bits)
    if call.type is ty.VOID:
        return None
    result = answer if call.type is ty.I32 else code.build.compare("ne", answer, i32(0))
    return LaneValue(call.type, UNIFORM, (result,))


def _first(warp: Warp, value: Value, active: Value) -> Value:
    """The value in the first active lane."""
    if not value.type.is_vector:
        return value
    function = ty.function(ty.I32, (ty.I32, ty.I1))
    zeros = warp.build.call_function(warp.external("llvm.cttz.i32", function), [active, int_constant(ty.I1, 0)])
    return warp.element(warp.determined(value), warp.build.binary("and", zeros, i32(31)))
