# SPDX-License-Identifier: Apache-2.0
"""Branches, ends and barriers (PTX ISA 9.0, 9.7.12, 9.7.13): the last step of a basic block, which sets `pc`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from .formats import FORMATS
from .machine import Active, Machine, Step
from .memory import Undefined
from .operands import Operands

_u32: Final = FORMATS["u32"]
Ending = Callable[[Machine, Active], None]


def going_on(following: int) -> Step:
    def step(m: Machine, active: Active) -> None:
        m.pc[active.mask] = following

    return step


def ending(m: Machine, active: Active) -> None:
    m.end(active)


def _branch(operands: Operands) -> Ending:
    operands.allow("uni")
    target = operands.label(operands.instruction.operands[0])

    def go(m: Machine, active: Active) -> None:
        m.pc[active.mask] = target

    return go


def _by_index(operands: Operands) -> Ending:
    operands.allow("idx uni")
    index, names = operands.instruction.operands
    source = operands.source(index, _u32)
    numbers = [operands.scope.label(name) for name in operands.scope.jumps(str(names))]
    targets = [number for number in numbers if number is not None]
    if not targets or len(targets) < len(numbers):
        raise operands.unsupported("targets")

    def go(m: Machine, active: Active) -> None:
        chosen = np.broadcast_to(source(m), (m.size,))
        if (chosen[active.lanes] >= len(targets)).any():
            raise Undefined(f"line {operands.line}: an index beyond {len(targets)} targets")
        for number, target in enumerate(targets):
            taken = active.only(chosen == number)
            if taken:
                m.pc[taken.mask] = target
                m.parted(taken, active)

    return go


def _trap(operands: Operands) -> Ending:
    def go(m: Machine, active: Active) -> None:
        raise Undefined(f"line {operands.line}: trap of {m.place(int(active.lanes[0]))}")

    return go


def _barrier(operands: Operands) -> Ending:
    operands.allow("sync warp aligned cta")
    words = operands.instruction.operands
    if not operands.has("sync") or len(words) > 1:
        raise operands.unsupported("barriers of some threads")
    following = operands.following
    number = operands.source(operands.instruction.operands[0], _u32)
    if operands.has("warp"):
        return lambda m, active: m.wait_for_warp(active, number(m), following)
    return lambda m, active: m.wait(active, number(m), following)


ENDINGS: Final[dict[str, Callable[[Operands], Ending]]] = {
    "bra": _branch, "brx": _by_index, "ret": lambda operands: ending, "exit": lambda operands: ending,
    "trap": _trap, "bar": _barrier, "barrier": _barrier,
}  # fmt: skip


def ended(operands: Operands) -> Step:
    """The ending of an instruction, for those lanes for which its guard holds; the others go on."""
    go = ENDINGS[operands.instruction.name](operands)
    guard, following = operands.instruction.guard, operands.following
    if guard is None:
        return go
    condition = operands.guard(guard)

    def step(m: Machine, active: Active) -> None:
        m.pc[active.mask] = following
        taken = active.only(condition(m))
        if taken is None:
            return
        go(m, taken)
        m.parted(taken, active)

    return step
