# SPDX-License-Identifier: Apache-2.0
"""Shuffles, votes, matches and masks of a warp (PTX ISA 9.0, 9.7.9.6 "shfl.sync", 9.7.13 "vote.sync" to "redux.sync").

Stricter than a GPU of today, which would wait: all lanes that a member mask names must be active right there. That is
what sm_60 wants, and what code that was put in must see to, as nobody promised it that lanes meet again. What comes
from a lane that doesn't take part is garbage, so that a forgotten corner case shows in the results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from lanewise.ptx.language.operands import Pair

from .formats import FORMATS, Lanes
from .machine import WARP, Active, Machine, Step
from .memory import Undefined
from .operands import Operands, Source

_u32: Final = FORMATS["u32"]
_pred: Final = FORMATS["pred"]
_EVERY: Final = np.uint32(0xFFFFFFFF)


def _members(operands: Operands, m: Machine, active: Active, named: Lanes) -> Lanes:
    """The member mask of each lane, after a look whether it may be."""
    named = np.broadcast_to(named, (m.size,))
    here = m.masks(active.mask)
    absent = active.mask & (named & ~here != 0)
    foreign = active.mask & (named >> m.lane & np.uint32(1) == 0)
    if absent.any() or foreign.any():
        lane = int(np.flatnonzero(absent | foreign)[0])
        what = "names lanes that are not active" if absent[lane] else "doesn't name the lane itself"
        raise Undefined(
            f"line {operands.line}: {operands.instruction.opcode} of {m.place(lane)}: the member mask "
            f"{int(named[lane]):#010x} {what}, of {int(here[lane]):#010x}"
        )
    return named


def _lane_of(kind: str, lane: Lanes, b: Lanes, c: Lanes) -> tuple[Lanes, Lanes]:
    """From which lane, and whether that is in range (the pseudocode of 9.7.9.6)."""
    own = lane.astype(np.int64)
    delta = (b & np.uint32(31)).astype(np.int64)
    clamp, segment = (c & np.uint32(31)).astype(np.int64), (c >> np.uint32(8) & np.uint32(31)).astype(np.int64)
    most, least = own & segment | clamp & ~segment, own & segment
    if kind == "up":
        chosen = own - delta
        return chosen, chosen >= most
    chosen = {"down": own + delta, "bfly": own ^ delta, "idx": least | delta & ~segment}[kind]
    return chosen, chosen <= most


def _shfl(operands: Operands) -> Step:
    operands.allow("sync up down bfly idx")
    (kind,) = [word for word in operands.instruction.modifiers if word in ("up", "down", "bfly", "idx")]
    result, *words = operands.instruction.operands
    value, b, c = operands.source(words[0], FORMATS["b32"]), *operands.sources(tuple(words[1:3]), _u32)
    named = operands.source(words[3], _u32) if operands.has("sync") else None
    results = (result.first, result.second) if isinstance(result, Pair) else (result,)
    target = operands.target(results[0], FORMATS["b32"])
    valid = operands.target(results[1], _pred) if len(results) > 1 else None

    def step(m: Machine, active: Active) -> None:
        members = _members(operands, m, active, named(m)) if named else m.masks(active.mask)
        chosen, inside = _lane_of(kind, m.lane, b(m), c(m))
        chosen = np.where(inside, chosen, m.lane)
        from_lane = np.arange(m.size) // WARP * WARP + chosen
        moved = np.broadcast_to(value(m), (m.size,))[from_lane]
        takes_part = (members >> chosen.astype(np.uint32) & np.uint32(1) != 0) & (members[from_lane] == members)
        moved = np.where(takes_part & active.mask[from_lane], moved, m.garbage())
        target(m, active, moved)
        if valid:
            valid(m, active, inside)

    return step


def _ballot(m: Machine, active: Active, members: Lanes, condition: Lanes) -> Lanes:
    return m.masks(active.mask & np.broadcast_to(condition, (m.size,))) & members


def _vote(operands: Operands) -> Step:
    operands.allow("sync all any uni ballot")
    result, value, *mask = operands.instruction.operands
    condition = operands.source(value, _pred)
    named: Source | None = operands.source(mask[0], _u32) if mask else None
    ballot = operands.has("ballot")
    target = operands.target(result, _u32 if ballot else _pred)

    def step(m: Machine, active: Active) -> None:
        members = _members(operands, m, active, named(m)) if named else m.masks(active.mask)
        found = _ballot(m, active, members, condition(m))
        if ballot:
            target(m, active, found)
        elif operands.has("all"):
            target(m, active, found == members)
        elif operands.has("any"):
            target(m, active, found != 0)
        else:
            target(m, active, (found == 0) | (found == members))

    return step


def _activemask(operands: Operands) -> Step:
    target = operands.target(operands.instruction.operands[0], _u32)
    return lambda m, active: target(m, active, m.masks(active.mask))


def _match(operands: Operands) -> Step:
    of = operands.formats[0]
    result, value, mask = operands.instruction.operands
    results = (result.first, result.second) if isinstance(result, Pair) else (result,)
    source, named = operands.source(value, of), operands.source(mask, _u32)
    target = operands.target(results[0], _u32)
    valid = operands.target(results[1], _pred) if len(results) > 1 else None
    everyone = operands.has("all")

    def step(m: Machine, active: Active) -> None:
        members = _members(operands, m, active, named(m))
        values = np.broadcast_to(source(m), (m.size,)).reshape(-1, WARP)
        equal = values[:, :, None] == values[:, None, :]
        alike = np.packbits(equal, axis=2, bitorder="little").view("<u4").reshape(-1) & members
        target(m, active, np.where(alike == members, members, np.uint32(0)) if everyone else alike)
        if valid:
            valid(m, active, alike == members)

    return step


_REDUCTIONS: Final = {
    "add": np.add, "min": np.minimum, "max": np.maximum,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip


def _redux(operands: Operands) -> Step:
    operands.allow(f"sync {' '.join(_REDUCTIONS)}")
    (of,) = operands.formats
    (name,) = [word for word in operands.instruction.modifiers if word in _REDUCTIONS]
    result, value, mask = operands.instruction.operands
    source, named, target = operands.source(value, of), operands.source(mask, _u32), operands.target(result, of)

    def step(m: Machine, active: Active) -> None:
        members = _members(operands, m, active, named(m))
        values = np.broadcast_to(source(m), (m.size,))
        found = np.zeros(m.size, of.dtype)
        groups = np.stack([np.arange(m.size) // WARP, members], axis=1)[active.lanes]
        for warp, mask in np.unique(groups, axis=0):
            lanes = active.lanes[(groups == (warp, mask)).all(axis=1)]
            found[lanes] = _REDUCTIONS[name].reduce(values[lanes])
        target(m, active, found)

    return step


WARPS: Final[dict[str, Callable[[Operands], Step]]] = {
    "shfl": _shfl, "vote": _vote, "activemask": _activemask, "match": _match, "redux": _redux,
}  # fmt: skip
