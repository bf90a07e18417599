# SPDX-License-Identifier: Apache-2.0
"""vote and activemask: combined predicates of the lanes that take part. Source: PTX ISA, "vote.sync", "activemask"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanewise.ir.values import Value, i32
from lanewise.workgroup.lanes.warps.warp import Warp

Decision = Callable[[Warp, Value, Value], Value]
"""The outcome of a vote, from the bits of the lanes that take part and of those among them whose predicate is true."""


def vote(decide: Decision) -> Callable[[Warp, Value, Value], Value]:
    """vote.sync: of the lanes that the mask names."""

    def expand(warp: Warp, mask: Value, predicate: Value) -> Value:
        members = warp.members(mask)
        return decide(warp, members, warp.binary("and", warp.bits(predicate), members))

    return expand


def vote_of_all_active(decide: Decision) -> Callable[[Warp, Value], Value]:
    """The votes without a mask."""
    return lambda warp, predicate: vote(decide)(warp, i32(-1), predicate)


def active_mask(warp: Warp) -> Value:
    return warp.bits(warp.active)


def _all(warp: Warp, members: Value, true: Value) -> Value:
    return warp.compare("eq", true, members)


def _any(warp: Warp, members: Value, true: Value) -> Value:
    return warp.compare("ne", true, i32(0))


def _uniform(warp: Warp, members: Value, true: Value) -> Value:
    return warp.binary("or", _all(warp, members, true), warp.compare("eq", true, i32(0)))


def _ballot(warp: Warp, members: Value, true: Value) -> Value:
    return true


VOTES: Final[dict[str, Decision]] = {"all": _all, "any": _any, "uni": _uniform, "ballot": _ballot}
