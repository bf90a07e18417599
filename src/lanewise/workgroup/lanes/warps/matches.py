# SPDX-License-Identifier: Apache-2.0
"""match.sync: the lanes that have the same value. Source: PTX ISA, "match.sync"."""

from __future__ import annotations

from lanewise.ir import types as ty
from lanewise.ir.values import Value, i32, int_constant
from lanewise.workgroup.lanes.warps.warp import WARP_SIZE, Warp


def match_any(warp: Warp, mask: Value, value: Value) -> Value:
    """The members that have this lane's value."""
    return warp.binary("and", _same(warp, value), warp.members(mask))


def match_all(warp: Warp, mask: Value, value: Value) -> tuple[Value, Value]:
    """All members and true if they all have the same value, else none and false."""
    members = warp.members(mask)
    if not value.type.is_vector:
        return members, int_constant(ty.I1, 1)
    same = _same(warp, value) if mask.type.is_vector else _same_as_first(warp, value, members)
    all_same = warp.compare("eq", warp.binary("and", same, members), members)
    return warp.select(all_same, members, i32(0)), all_same


def _same_as_first(warp: Warp, value: Value, members: Value) -> Value:
    """The lanes that have the value of the first member."""
    first = warp.intrinsic("cttz", members, more=[int_constant(ty.I1, 0)])
    leader = warp.element(value, warp.binary("and", first, i32(WARP_SIZE - 1)))
    return warp.bits(warp.compare("eq", value, leader))


def _same(warp: Warp, value: Value) -> Value:
    """For each lane, the lanes that have its value: lane by lane, as vectors of the bit of that lane."""
    if not value.type.is_vector:
        return i32(-1)
    same: Value = warp.splat(i32(0))
    for lane in range(WARP_SIZE):
        equal = warp.compare("eq", value, warp.element(value, i32(lane)))
        same = warp.binary("or", same, warp.select(equal, i32(1 << lane), i32(0)))
    return same
