# SPDX-License-Identifier: Apache-2.0
"""setp, set, selp and slct (PTX ISA 9.0, 9.7.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from lanewise.ptx.language.operands import Operand, Pair

from .formats import FORMATS, Format, Lanes
from .machine import Active, Machine, Step
from .operands import Operands, Source

_pred: Final = FORMATS["pred"]
Comparison = Callable[[Lanes, Lanes], Lanes]


def _unordered(compare: Comparison) -> Comparison:
    return lambda a, b: np.isnan(a) | np.isnan(b) | compare(a, b)


def _not_equal(a: Lanes, b: Lanes) -> Lanes:
    """Ordered: false for NaN, where NumPy's is true."""
    if a.dtype.kind == "f":
        return (a < b) | (a > b)
    return a != b


_COMPARISONS: Final[dict[str, Comparison]] = {
    "eq": np.equal, "ne": _not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "lo": np.less, "ls": np.less_equal, "hi": np.greater, "hs": np.greater_equal,
    "equ": _unordered(np.equal), "neu": np.not_equal, "ltu": _unordered(np.less),
    "leu": _unordered(np.less_equal), "gtu": _unordered(np.greater), "geu": _unordered(np.greater_equal),
    "num": lambda a, b: ~(np.isnan(a) | np.isnan(b)), "nan": lambda a, b: np.isnan(a) | np.isnan(b),
}  # fmt: skip
_COMBINED: Final[dict[str, Comparison]] = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}


def _condition(operands: Operands, words: tuple[Operand, ...], of: Format) -> tuple[Source, Source]:
    """What the comparison of the two first words says, and its opposite, each combined with the third word."""
    modifiers = operands.instruction.modifiers
    operands.allow(" ".join([*_COMPARISONS, *_COMBINED, "ftz"]))
    if modifiers[0] not in _COMPARISONS:
        raise operands.unsupported()
    compare = _COMPARISONS[modifiers[0]]
    first, second = operands.source(words[0], of), operands.source(words[1], of)
    if len(words) == 2:
        return (lambda m: compare(first(m), second(m))), (lambda m: ~compare(first(m), second(m)))
    combine = _COMBINED[modifiers[1]]
    third = operands.source(words[2], _pred)
    return (
        lambda m: combine(compare(first(m), second(m)), third(m)),
        lambda m: combine(~compare(first(m), second(m)), third(m)),
    )


def _setp(operands: Operands) -> Step:
    results = operands.instruction.operands[0]
    true, false = _condition(operands, operands.instruction.operands[1:], operands.formats[0])
    if not isinstance(results, Pair):
        target = operands.target(results, _pred)
        return lambda m, active: target(m, active, true(m))
    first, second = operands.target(results.first, _pred), operands.target(results.second, _pred)

    def step(m: Machine, active: Active) -> None:
        held, opposite = true(m), false(m)  # before either is written: it may be an operand
        first(m, active, held)
        second(m, active, opposite)

    return step


def _set(operands: Operands) -> Step:
    result, of = operands.formats
    true, _ = _condition(operands, operands.instruction.operands[1:], of)
    target = operands.target(operands.instruction.operands[0], result)
    held = np.array([1.0 if result.kind == "f" else -1]).astype(np.int64 if result.kind != "f" else np.float64)
    yes, no = held.astype(result.dtype), np.zeros(1, result.dtype)
    return lambda m, active: target(m, active, np.where(true(m), yes, no))


def _selp(operands: Operands) -> Step:
    (of,) = operands.formats
    result, a, b, condition = operands.instruction.operands
    target, first, second = operands.target(result, of), operands.source(a, of), operands.source(b, of)
    chosen = operands.source(condition, _pred)
    return lambda m, active: target(m, active, np.where(chosen(m), first(m), second(m)))


def _slct(operands: Operands) -> Step:
    of, sign = operands.formats
    result, a, b, condition = operands.instruction.operands
    target, first, second = operands.target(result, of), operands.source(a, of), operands.source(b, of)
    chosen = operands.source(condition, sign)
    return lambda m, active: target(m, active, np.where(chosen(m) >= 0, first(m), second(m)))


COMPARISONS: Final[dict[str, Callable[[Operands], Step]]] = {"setp": _setp, "set": _set, "selp": _selp, "slct": _slct}
