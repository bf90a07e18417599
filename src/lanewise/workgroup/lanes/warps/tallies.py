# SPDX-License-Identifier: Apache-2.0
"""Code that counts what a warp does, see `ir/counters.py`.

    call void @__lw_tally_sectors(ptr %counters, i32 3, i32 16, i64 %address, i32 4)

    where the shape of the addresses tells the number (`known_costs.py`):       a few scalar instructions
    elsewhere:                                                                  a call (`cost_functions.py`)

The numbers are added to variables of the work-group function (`layout/own_counters.py`). Under a mask, code may come
here whose lanes are all inactive; it adds 0.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.counters import TALLY
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value, i32
from lanewise.workgroup.items.refusal import cannot
from lanewise.workgroup.lanes.memory.wrapping import neighbours_unless_wrapped
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue
from lanewise.workgroup.lanes.warps.cost_functions import repeats_of, sectors_of, wavefronts_of
from lanewise.workgroup.lanes.warps.known_costs import (
    BANK,
    SECTOR,
    WAVEFRONT,
    are_distinct,
    known_sectors,
    known_wavefronts,
)
from lanewise.workgroup.lanes.warps.warp import FLAGS, WARP_SIZE
from lanewise.workgroup.lanes.warps.warp_values import joined


def emit_tally(code: LaneCode, call: Instruction, block: Block, mask: Mask) -> None:
    """Emit the code that adds to a counter."""
    if code.count is None:
        cannot("a counter outside of a work-group function")
    counters, number, distance, *operands = call.arguments
    assert isinstance(number, Constant)
    assert isinstance(distance, Constant)
    counted = _Tally(code, block, mask).of(call.callee.removeprefix(TALLY), operands)
    if counted is not None:
        memory = code.scalar(code.use(counters, block)), distance.integer
        code.count(code.build, memory, number.integer, counted)


@final
class _Tally:
    """The numbers of one call."""

    def __init__(self, code: LaneCode, block: Block, mask: Mask) -> None:
        assert code.extent.width * code.extent.chunks == WARP_SIZE
        self._code: Final = code
        self._block: Final = block
        self._mask: Final = mask
        self._active: Final = i32(-1) if mask is None else self._bits(mask)

    def of(self, kind: str, operands: list[Value]) -> Value | None:
        """The number to add, i32; None for 0."""
        size = operands[-1].integer if operands and isinstance(operands[-1], Constant) else 0
        match kind:
            case "warps":
                return self._once()
            case "lanes":
                return self._lanes()
            case "divergent":
                return self._divergent(self._code.use(operands[0], self._block))
            case "ideal_sectors":
                return self._ideal_sectors(size)
            case "ideal_wavefronts":
                return self._groups(size)
            case "sectors":
                return self._sectors(operands[0], size)
            case "wavefronts":
                return self._wavefronts(operands[0], size)
            case _:
                return self._repeats(operands[0], size)

    # -- lanes -------------------------------------------------------------------------------------------------

    def _bits(self, flags: LaneValue) -> Value:
        return self._code.build.cast("bitcast", joined(self._code, flags), ty.I32)

    def _if_any(self, bits: Value) -> Value:
        build = self._code.build
        return build.cast("zext", build.compare("ne", bits, i32(0)), ty.I32)

    def _once(self) -> Value:
        """1 if any lane is active."""
        return i32(1) if self._mask is None else self._if_any(self._active)

    def _lanes(self) -> Value:
        """The number of active lanes."""
        if self._mask is None:
            return i32(WARP_SIZE)
        return self._code.intrinsic("llvm.ctpop.i32", ty.I32, [self._active])

    def _divergent(self, taken: LaneValue) -> Value | None:
        if taken.shape.is_uniform:
            return None
        build = self._code.build
        flags = build.emit(Instruction("freeze", FLAGS, (joined(self._code, taken),)))
        those = build.binary("and", build.cast("bitcast", flags, ty.I32), self._active)
        parts = build.binary("and", build.compare("ne", those, i32(0)), build.compare("ne", those, self._active))
        return build.cast("zext", parts, ty.I32)

    # -- the least cost ----------------------------------------------------------------------------------------

    def _ideal_sectors(self, size: int) -> Value:
        if self._mask is None:
            return i32(-(-WARP_SIZE * size // SECTOR))
        build = self._code.build
        all_bytes = build.binary("mul", self._lanes(), i32(size))
        return build.binary("lshr", build.binary("add", all_bytes, i32(SECTOR - 1)), i32(5))

    def _groups(self, size: int) -> Value:
        """The groups of lanes, which move at most 128 bytes, that have active lanes."""
        lanes = WAVEFRONT // max(size, BANK)
        if self._mask is None:
            return i32(WARP_SIZE // lanes)
        build = self._code.build
        total: Value | None = None
        for first in range(0, WARP_SIZE, lanes):
            members = ((1 << lanes) - 1) << first
            some = self._if_any(build.binary("and", self._active, i32(members - (members >> 31 << 32))))
            total = some if total is None else build.binary("add", total, some)
        assert total is not None
        return total

    # -- addresses ---------------------------------------------------------------------------------------------

    def _sectors(self, address: Value, size: int) -> Value:
        values = self._shaped(address)
        if values.shape.is_uniform:
            return self._once()
        if self._mask is None and values.shape.lane is not None:
            found, condition = known_sectors(self._code, values, size)
            return found if condition is None else self._found_if(condition, found, values)
        return self._called(sectors_of(self._code.external), values)

    def _wavefronts(self, address: Value, size: int) -> Value:
        values = self._shaped(address)
        known = None if values.shape.lane is None else known_wavefronts(self._code, values, size)
        if known is not None and (self._mask is None or known == WARP_SIZE * max(size, BANK) // WAVEFRONT):
            return self._groups(size) if self._mask is not None else i32(known)
        return self._called(wavefronts_of(self._code.external, max(size, BANK)), values)

    def _repeats(self, address: Value, size: int) -> Value | None:
        values = self._shaped(address)
        if values.shape.is_uniform:
            build, lanes = self._code.build, self._lanes()
            return build.binary("sub", lanes, self._once())
        if values.shape.lane is not None and are_distinct(self._code, values, size):
            return None
        return self._called(repeats_of(self._code.external, size), values)

    def _shaped(self, address: Value) -> LaneValue:
        values = None if self._mask is not None else neighbours_unless_wrapped(self._code, address, self._block, None)
        return values or self._code.use(address, self._block)

    def _found_if(self, condition: Value, found: Value, values: LaneValue) -> Value:
        """A number that is right if a condition holds, else that of the addresses."""
        code = self._code
        near, after = code.new_block("counted.apart"), code.new_block("counted")
        before = code.build.block
        code.build.branch_if(condition, after, near)
        code.begin(near)
        other = self._called(sectors_of(code.external), values)
        end = code.build.block
        code.build.branch(after)
        code.begin(after)
        return code.build.phi(ty.I32, [(found, before), (other, end)])

    def _called(self, function: Function, values: LaneValue) -> Value:
        return self._code.build.call_function(function, [joined(self._code, values), self._active])
