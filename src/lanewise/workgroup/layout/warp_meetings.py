# SPDX-License-Identifier: Apache-2.0
"""The call of the runtime core by which a warp waits for others of its group."""

from __future__ import annotations

from typing import Final

from lanewise.ir.builder import Builder
from lanewise.ir.intrinsics import AWAIT_WARPS
from lanewise.ir.values import Value, i32
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.frame import Frame

_REDUCTIONS: Final = {"popc": 1, "and": 2, "or": 3}


def meet(frame: Frame, build: Builder, name: str, number: Value, count: Value, votes: Value, active: Value) -> Value:
    """Call the core for an operation of `ir.intrinsics.WARP_WAITS`. All values are i32; so is the result, the reduction
    of the votes."""
    given = (frame.launch, frame.arena, i32(_flags(name)), number, count, votes, active)
    return build.call(frame.service(abi.SERVICE_MEET), abi.MEET, given)


def _flags(name: str) -> int:
    if name == AWAIT_WARPS:
        return abi.MEET_ONLY_WAITS
    words = name.split(".")
    flags = next((number for word, number in _REDUCTIONS.items() if word in words), 0)
    flags |= abi.MEET_ARRIVES if "arrive" in words else 0
    return flags | (abi.MEET_WHOLE_WARPS if "aligned" in words else 0)
