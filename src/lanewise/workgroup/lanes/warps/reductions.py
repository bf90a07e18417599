# SPDX-License-Identifier: Apache-2.0
"""redux.sync: the values of the lanes that take part, in one. Source: PTX ISA, "redux.sync"."""

from collections.abc import Callable
from typing import Final, NamedTuple

from lanewise.ir.values import Value, i32
from lanewise.workgroup.lanes.warps.warp import WARP_SIZE, Warp


class Reduction(NamedTuple):
    operation: str
    """The instruction or intrinsic that combines two values; LLVM's reduction has the same name."""
    neutral: int
    """The value that changes no other one."""


_LEAST, _GREATEST = -(1 << 31), (1 << 31) - 1

REDUCTIONS: Final = {
    "add": Reduction("add", 0),
    "and": Reduction("and", -1),
    "or": Reduction("or", 0),
    "xor": Reduction("xor", 0),
    "min": Reduction("smin", _GREATEST),
    "max": Reduction("smax", _LEAST),
    "umin": Reduction("umin", -1),
    "umax": Reduction("umax", 0),
}


def reduction(row: Reduction) -> Callable[[Warp, Value, Value], Value]:
    def expand(warp: Warp, value: Value, mask: Value) -> Value:
        if not value.type.is_vector:
            return _of_one_value(warp, row, value, warp.members(mask))
        if mask.type.is_vector:
            return _lane_by_lane(warp, row, value, warp.members(mask))
        members = warp.binary("and", warp.active, warp.flags(mask))
        return warp.reduced(row.operation, warp.select(members, value, i32(row.neutral)))

    return expand


def _of_one_value(warp: Warp, row: Reduction, value: Value, members: Value) -> Value:
    """Reduce if all lanes have the same value: only a sum, and a sum without carries, depend on the number of lanes."""
    if row.operation not in ("add", "xor"):
        return value
    count = warp.intrinsic("ctpop", members)
    return warp.binary("mul", value, count if row.operation == "add" else warp.binary("and", count, i32(1)))


def _lane_by_lane(warp: Warp, row: Reduction, value: Value, members: Value) -> Value:
    """Reduce if each lane has members of its own: the members' values are added one by one."""
    result: Value = warp.splat(i32(row.neutral))
    for lane in range(WARP_SIZE):
        is_member = warp.compare("ne", warp.binary("and", members, i32(1 << lane)), i32(0))
        result = _step(warp, row, result, warp.select(is_member, warp.element(value, i32(lane)), i32(row.neutral)))
    return result


def _step(warp: Warp, row: Reduction, a: Value, b: Value) -> Value:
    if row.operation in ("smin", "smax", "umin", "umax"):
        return warp.intrinsic(row.operation, a, b)
    return warp.binary(row.operation, a, b)
