# SPDX-License-Identifier: Apache-2.0
"""Operations of a warp of 64 lanes, as sub-groups of OpenCL may have: `ir.intrinsics.WIDE`.

A lane whose source is outside of the warp keeps its own value. From a lane that takes no part comes the value of its
register, as in `shuffles.py`, which has the same three forms: one shufflevector if the distance is constant, the
element of a lane that all read, else the warp's values in memory, gathered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanewise.ir.intrinsics import WIDE
from lanewise.ir.values import Value, i32
from lanewise.workgroup.lanes.warps.shuffles import constant_integer, of_lanes
from lanewise.workgroup.lanes.warps.votes import VOTES, active_mask, vote
from lanewise.workgroup.lanes.warps.warp import Result, Warp, words

WIDE_SIZE: Final = 64
_LANES: Final = range(WIDE_SIZE)


def _shuffle(mode: str) -> Callable[[Warp, Value, Value, Value], Value]:
    def expand(warp: Warp, mask: Value, value: Value, by: Value) -> Value:
        known = constant_integer(by)
        if not value.type.is_vector:
            return value
        if known is not None:
            return warp.permuted(value, [_constant_source(mode, lane, known) for lane in _LANES])
        if mode == "lane" and not by.type.is_vector:
            return warp.element(value, warp.binary("and", by, i32(WIDE_SIZE - 1)))
        return of_lanes(warp, value, _source(warp, mode, by))

    return expand


def _constant_source(mode: str, lane: int, by: int) -> int:
    """The lane that a lane reads."""
    by %= WIDE_SIZE
    match mode:
        case "up":
            return lane - by if lane >= by else lane
        case "down":
            return lane + by if lane + by < WIDE_SIZE else lane
        case "across":
            return lane ^ by
        case _:
            return by


def _source(warp: Warp, mode: str, by: Value) -> Value:
    """The same for a distance or number that is known at run time."""
    lane, by = words(_LANES), warp.binary("and", by, i32(WIDE_SIZE - 1))
    match mode:
        case "up":
            return warp.select(warp.compare("uge", lane, by), warp.binary("sub", lane, by), lane)
        case "down":
            there = warp.binary("add", lane, by)
            return warp.select(warp.compare("ult", there, i32(WIDE_SIZE)), there, lane)
        case "across":
            return warp.binary("xor", lane, by)
        case _:
            return by


def _barrier(warp: Warp, mask: Value) -> None:
    """Emit nothing: lanes in lock-step have met."""


EXPANSIONS: Final[dict[str, Callable[..., Result]]] = {
    WIDE + "active": active_mask,
    WIDE + "ballot.sync": vote(VOTES["ballot"]),
    WIDE + "barrier.sync": _barrier,
    **{f"{WIDE}{mode}.sync": _shuffle(mode) for mode in ("up", "down", "across", "lane")},
}
