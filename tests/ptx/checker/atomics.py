# SPDX-License-Identifier: Apache-2.0
"""atom and red (PTX ISA 9.0, 9.7.13): one lane after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .formats import Format, Lanes
from .machine import Active, Machine, Step
from .moves import SPACES, located, note
from .operands import Operands

_HINTS: Final = "relaxed acquire release acq_rel cta cluster gpu sys shared::cta " + " ".join(SPACES)


def _increased(old: Any, bound: Any) -> Any:
    return old.dtype.type(0) if old >= bound else old + old.dtype.type(1)


def _decreased(old: Any, bound: Any) -> Any:
    return bound if old == 0 or old > bound else old - old.dtype.type(1)


_OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "add": lambda old, value: old + value, "min": min, "max": max, "exch": lambda old, value: value,
    "and": lambda old, value: old & value, "or": lambda old, value: old | value,
    "xor": lambda old, value: old ^ value, "inc": _increased, "dec": _decreased,
    "cas": lambda old, expected, value: value if old == expected else old,
}  # fmt: skip


def _values(m: Machine, active: Active, value: Lanes) -> Lanes:
    return value[active.lanes] if len(value) > 1 else np.repeat(value, len(active.lanes))


def _performed(operands: Operands, of: Format, address: int) -> Callable[[Machine, Active], Lanes]:
    """Does it, and gives what was there before, of the active lanes."""
    operands.allow(f"{' '.join(_OPERATIONS)} {_HINTS}")
    (name,) = [word for word in operands.instruction.modifiers if word in _OPERATIONS]
    operation = _OPERATIONS[name]
    words = operands.instruction.operands
    places = located(operands, of.bytes, words[address])
    sources = operands.sources(words[address + 1 :], of)

    def step(m: Machine, active: Active) -> Lanes:
        at = places(m, active)
        values = [_values(m, active, source(m)) for source in sources]
        memory = m.memory.views[of.bytes].view(of.dtype)
        found = np.empty(len(at), of.dtype)
        order = m.rng.permutation(len(at)) if m.random_order else range(len(at))
        for i in order:
            found[i] = memory[at[i]]
            memory[at[i]] = operation(found[i], *[value[i] for value in values])
        note(m, at, of.bytes, active.lanes)
        return found

    return step


def _atom(operands: Operands) -> Step:
    of = operands.formats[-1]
    perform = _performed(operands, of, 1)
    target = operands.target(operands.instruction.operands[0], of)

    def step(m: Machine, active: Active) -> None:
        found = perform(m, active)
        result = np.zeros(m.size, of.dtype)
        result[active.lanes] = found
        target(m, active, result)

    return step


def _red(operands: Operands) -> Step:
    perform = _performed(operands, operands.formats[-1], 0)

    def step(m: Machine, active: Active) -> None:
        perform(m, active)

    return step


ATOMICS: Final[dict[str, Callable[[Operands], Step]]] = {"atom": _atom, "red": _red}
