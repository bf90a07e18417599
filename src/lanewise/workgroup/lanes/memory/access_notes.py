# SPDX-License-Identifier: Apache-2.0
"""Notes of accesses for the search for races: one call of the runtime core for the active lanes of a vector.

    numbers, addresses, offsets, values of the lanes to memory
    call @check_accesses(launch, group, report, site, size, flags, epoch, step, active lanes, these four)

The lanes of such a call differ in these four alone. If they differ in their barriers, too, each makes a call of its
own (`lane_by_lane.py`).
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, int_constant
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue, splat
from lanewise.workgroup.layout import abi

_KNOWN: Final = 8
"""The flag of a note whose value is known, as `enum lw_shared_access` has it."""


def emit_access_note(code: LaneCode, call: Instruction, block: Block, mask: Mask) -> bool:
    """Emit a call as one for the lanes of a vector, if it is such a note. Returns whether it is."""
    if call.call is None or call.call.function_type is not abi.CHECK_SHARED or code.service is None:
        return False
    if call.operands[0] not in (code.service(abi.SERVICE_CHECK_SHARED), code.service(abi.SERVICE_CHECK_GLOBAL)):
        return False
    operands = [code.use(each, block) for each in call.arguments]
    launch, x, y, z, *thread, report, site, address, offset, size, flags, value, epoch, step = operands
    alike = (launch, x, y, z, report, site, size, flags, epoch, step)
    if not all(each.shape.lane == 0 and each.shape.row == 0 for each in alike):
        return False
    service = code.service(abi.SERVICE_CHECK_ACCESSES)
    knows = isinstance(call.arguments[12], Constant) and bool(call.arguments[12].integer & _KNOWN)
    for chunk in range(code.extent.chunks):
        active, done = _active(code, mask, chunk)
        lanes = [_stored(code, "thread", _numbers(code, launch, thread, chunk))]
        lanes += [
            _stored(code, name, code.vector(of, chunk)) for name, of in (("address", address), ("offset", offset))
        ]
        lanes.append(_stored(code, "value", code.vector(value, chunk)) if knows else Constant(ty.PTR, "null"))
        given = [code.scalar(each, chunk) for each in alike]
        code.build.call(service, abi.CHECK_ACCESSES, (*given, active, *lanes))
        if done is not None:
            code.build.branch(done)
            code.begin(done)
    return True


def _active(code: LaneCode, mask: Mask, chunk: int) -> tuple[Value, Block | None]:
    """The bits of the active lanes, an i64, in code that is executed if there are any, and the block after that code;
    None: it is executed anyway."""
    width = code.extent.width
    if mask is None:
        return int_constant(ty.I64, (1 << width) - 1), None
    narrow = code.build.cast("bitcast", code.vector(mask, chunk), ty.integer(width))
    active = code.build.cast("zext", narrow, ty.I64) if width < ty.I64.bits else narrow
    some, done = code.new_block("noted"), code.new_block("noted.done")
    code.build.branch_if(code.build.compare("ne", active, int_constant(ty.I64, 0)), some, done)
    code.begin(some)
    return active, done


def _numbers(code: LaneCode, launch: LaneValue, thread: list[LaneValue], chunk: int) -> Value:
    """The numbers of the work-items in linear order."""
    build = code.build
    x, y, z = (code.vector(each, chunk) for each in thread)
    start = code.scalar(launch, chunk)
    width, height = (
        splat(build.load(ty.I32, build.offset(start, place), align=4), code.extent.width, build)
        for place in abi.LAUNCH_BLOCK[:2]
    )
    return build.binary("add", x, build.binary("mul", width, build.binary("add", y, build.binary("mul", height, z))))


def _stored(code: LaneCode, name: str, vector: Value) -> Value:
    """The address of a vector's elements in memory."""
    type_: Type = vector.type
    place = code.scratch(f"noted.{name}", type_)
    code.build.store(vector, place)
    return place
