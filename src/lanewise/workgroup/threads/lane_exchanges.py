# SPDX-License-Identifier: Apache-2.0
"""Operations of the warp among threads with stacks of their own: the lanes meet in the runtime core, and each computes
the operation from the operands of all.

    %v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %mask, i32 %a, i32 %b, i32 31)

    store i64 %a, at lane %lane of %values
    %met = call i32 %exchange(ptr %launch, ptr %arena, i32 OPERATION, i32 %mask, i32 1, ptr %values)
    %all = load <32 x i64>, ptr %values
    %v = element %b of %all

What an operation makes of the operands, `lanes/warps` says for both mappings. A shuffle's operands but the first are
the lane's own: other lanes may come with others.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import AWAIT_WARPS, WARP_WAITS
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i32, poison
from lanewise.workgroup.lanes.warps import OPERATIONS, expand, mask_position
from lanewise.workgroup.lanes.warps.warp import FLAGS, WARP_SIZE
from lanewise.workgroup.lanes.warps.warp_calls import is_volatile_shared
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.frame import Frame, ItemIds
from lanewise.workgroup.layout.warp_meetings import meet
from lanewise.workgroup.lowering.floats.builder import External

_SCRATCH: Final = ty.array(256, ty.I8)
_WORDS: Final = ty.vector(WARP_SIZE, ty.I64)
_ALIGN: Final = 64


@final
class LaneExchanges:
    """The operations of one function."""

    def __init__(self, frame: Frame, external: External) -> None:
        self._frame: Final = frame
        self._external: Final = external
        self._values: Final[dict[int, Value]] = {}
        self._scratch: Value | None = None
        self._places = 0

    def emit(self, call: Instruction, arguments: list[Value], build: Builder, ids: ItemIds) -> Value | None:
        """The result of an operation of the warp, or of a wait for other warps."""
        if call.callee in WARP_WAITS:
            return self._wait(call, arguments, build)
        position = mask_position(call.callee)
        mask = i32(-1) if position is None else arguments[position]
        brought = [number for number in range(len(arguments)) if number != position]
        if ".shfl." in call.callee:
            brought = brought[:1]
        lane = build.binary("and", build.cast("trunc", ids.linear, ty.I32), i32(WARP_SIZE - 1))
        values = self._memory(len(brought))
        for place, number in enumerate(brought):
            first = build.binary("add", lane, i32(place * WARP_SIZE))
            build.store(_word(build, arguments[number]), build.address(ty.I64, values, [first]))
        operation = self._new_place() if position is None else OPERATIONS.index(call.callee)
        met = self._exchange(build, operation, mask, len(brought), values)
        operands = list(arguments)
        for place, number in enumerate(brought):
            operands[number] = _loaded(build, values, place, arguments[number].type)
        result = expand(
            build, call, operands, build.cast("bitcast", met, FLAGS), self._external, self._scratch_memory()
        )
        if result is None:
            return None
        if not isinstance(result, tuple):
            return _own(build, result, lane)
        whole: Value = poison(call.type)
        for index, part in enumerate(result):
            own = _own(build, part, lane)
            whole = build.emit(Instruction("insertvalue", call.type, (whole, own), indices=(index,)))
        return whole

    def before_access(self, access: Instruction, build: Builder) -> None:
        """Make lanes come together before a volatile access of shared memory, as in lock-step."""
        if is_volatile_shared(access):
            self._exchange(build, self._new_place(), i32(-1), 0, self._memory(0))

    def _wait(self, call: Instruction, arguments: list[Value], build: Builder) -> Value | None:
        number, count, vote = i32(0), i32(0), i32(0)
        if call.callee != AWAIT_WARPS:
            number, count = arguments[:2]
        if len(arguments) == 3:
            vote = build.cast("zext", arguments[2], ty.I32)
        answer = meet(self._frame, build, call.callee, number, count, vote, i32(1))
        if call.type is ty.VOID:
            return None
        return answer if call.type is ty.I32 else build.compare("ne", answer, i32(0))

    def _exchange(self, build: Builder, operation: int, mask: Value, count: int, values: Value) -> Value:
        given = (self._frame.launch, self._frame.arena, i32(operation), mask, i32(count), values)
        return build.call(self._frame.service(abi.SERVICE_EXCHANGE), abi.EXCHANGE, given, "met")

    def _new_place(self) -> int:
        self._places += 1
        return self._places | abi.EXCHANGE_AT_PLACE

    def _memory(self, count: int) -> Value:
        """Memory for `count` operands of each lane."""
        known = self._values.get(count)
        if known is None:
            type_ = ty.array(max(count, 1) * WARP_SIZE, ty.I64)
            known = self._values[count] = self._frame.entry.alloca(type_, "exchanged", _ALIGN)
        return known

    def _scratch_memory(self) -> Value:
        if self._scratch is None:
            self._scratch = self._frame.entry.alloca(_SCRATCH, "scratch", _ALIGN)
        return self._scratch


def _word(build: Builder, value: Value) -> Value:
    """The bits of a value as i64."""
    bits = value.type.bits
    if value.type.is_float:
        value = build.cast("bitcast", value, ty.integer(bits))
    return value if bits == 64 else build.cast("zext", value, ty.I64)


def _loaded(build: Builder, values: Value, place: int, type_: Type) -> Value:
    """An operand of all lanes, as a vector."""
    words: Value = build.load(_WORDS, build.offset(values, place * WARP_SIZE * 8), align=_ALIGN)
    if type_.bits < 64:
        words = build.cast("trunc", words, ty.vector(WARP_SIZE, ty.integer(type_.bits)))
    return build.cast("bitcast", words, ty.vector(WARP_SIZE, type_)) if type_.is_float else words


def _own(build: Builder, value: Value, lane: Value) -> Value:
    """The lane's own part of a result."""
    if not value.type.is_vector:
        return value
    return build.emit(Instruction("extractelement", value.type.inner, (value, lane)))
