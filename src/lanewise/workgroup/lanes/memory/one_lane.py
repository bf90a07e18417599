# SPDX-License-Identifier: Apache-2.0
"""Values of one lane, computed by scalars as that lane alone would, from what is known for all lanes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value, int_constant
from lanewise.workgroup.lanes.values.lane_code import LaneCode
from lanewise.workgroup.lanes.values.lane_values import LaneValue, element


@final
class OneLane:
    """Values of one lane, in `block`: the first one of a row or (i32) `lane` of a chunk. `again`: true for a varying
    value that is computed again, unless a loop carries it or it is from a loop left before."""

    def __init__(
        self, code: LaneCode, block: Block, chunk: int, row: int, lane: Value | None, again: Callable[[Value], bool]
    ) -> None:
        self._code: Final = code
        self.block: Final = block
        self.chunk: Final = chunk
        self._row: Final = row
        self._lane: Final = lane
        self._again: Final = again
        self._known: Final[dict[Value, Value]] = {}
        self.taken: Final[dict[Value, LaneValue]] = {}
        """The values that are taken out of their vectors."""

    def of(self, value: Value) -> Value:
        if isinstance(value, Constant):
            return value
        known = self._known.get(value)
        if known is None:
            known = self._known[value] = self._made(value)
        return known

    def _made(self, value: Value) -> Value:
        code = self._code
        lane_value = code.use(value, self.block)
        step = lane_value.shape.lane
        if step is not None:
            first = code.scalar(lane_value, self.chunk, self._row)
            return first if step == 0 or self._lane is None else self._further(first, step)
        if self.computes(value):
            assert isinstance(value, Instruction)
            copy = value.copied([self.of(operand) for operand in value.operands])
            copy.metadata, copy.flags = (), ()  # if no lane is active, what the flags promise may be wrong
            return code.build.emit(copy)
        self.taken[value] = lane_value
        lane = self._row * code.extent.lanes if self._lane is None else self._lane
        return element(code.vector(lane_value, self.chunk), lane, code.build)

    def computes(self, value: Value) -> bool:
        """True for a varying value that is computed again, rather than taken out of its vector."""
        if not isinstance(value, Instruction) or value.op == "phi" or value in self._code.left:
            return False
        return self._again(value)

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
