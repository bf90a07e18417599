# SPDX-License-Identifier: Apache-2.0
"""Expressions with their types and ranges, and what operators make of them.

A result's type is found by trying the operator on a number of each operand's type, so that NumPy itself says it. Ranges
keep programs away from what Python or NumPy refuse: weak integers that don't fit into the other operand's type,
division by zero, integers beyond 64 bits.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from .values import Number, is_float, is_integer, limits


class Expression(NamedTuple):
    """Text, with the type of its value and the range that the value is in."""

    text: str
    type: Number
    low: Any = 0
    high: Any = 1
    whole: bool = False
    """True if the text needs no parentheses as an operand."""

    @property
    def operand(self) -> str:
        return self.text if self.whole else f"({self.text})"

    @property
    def is_weak(self) -> bool:
        return self.type in (int, float, bool)

    def within(self, low: Any, high: Any) -> bool:
        return low <= self.low and self.high <= high


def literal(value: int | float) -> Expression:
    return Expression(repr(value), type(value), value, value, whole=value >= 0)


def binary(symbol: str, a: Expression, b: Expression) -> Expression | None:
    """`a symbol b` for numbers; None if that may fail, or leave what the programs keep to."""
    number = _type_of(symbol, a.type, b.type)
    if number is None or not _fits(a, number) or not _fits(b, number):
        return None
    if symbol in "//%" and b.low <= 0 <= b.high:
        return None
    if symbol in ("//", "%") and b.low <= -1 <= b.high and not a.is_weak and not is_float(number):
        return None  # the least integer by -1
    if symbol in ("<<", ">>") and not b.within(0, 7):
        return None
    ends = _range(symbol, a, b)
    if is_float(number):
        ends = float(ends[0]), float(ends[1])
    low, high = limits(number)
    if ends[0] < low or high < ends[1]:
        if number not in (int, float) and is_integer(number):
            ends = low, high  # it wraps
        else:
            return None
    return Expression(f"{a.operand} {symbol} {b.operand}", number, *ends)


def comparison(symbol: str, a: Expression, b: Expression) -> Expression:
    return Expression(f"{a.operand} {symbol} {b.operand}", bool)


def negative(a: Expression) -> Expression:
    return _or_wrapped(Expression(f"-{a.operand}", a.type, -a.high, -a.low))


def inverted(a: Expression) -> Expression:
    return _or_wrapped(Expression(f"~{a.operand}", a.type, ~a.high, ~a.low))


def magnitude(a: Expression) -> Expression:
    low = 0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
    return _or_wrapped(Expression(f"abs({a.text})", a.type, low, max(abs(a.low), abs(a.high)), whole=True))


def converted(a: Expression, number: Number) -> Expression | None:
    """The value as another type, by a call of that; None if it doesn't fit."""
    low, high = a.low, a.high
    if is_float(a.type) and not is_float(number):  # its range is rounded, too
        low, high = math.floor(low - abs(low) * _SLACK), math.ceil(high + abs(high) * _SLACK)
    least, most = limits(number)
    if low < least or most < high:
        return None
    ends = (float(number(low)), float(number(high))) if is_float(number) else (low, high)
    return Expression(f"{spelled(number)}({a.text})", number, *ends, whole=True)


def spelled(number: Number) -> str:
    return number.__name__ if number in (int, float, bool) else f"np.{number.__name__}"


def fitted(a: Expression, number: Number, low: Any, high: Any) -> Expression:
    """The value, or one made of it, as that type and within that range."""
    if is_float(number):
        made = a
        if not is_float(a.type):
            made = converted(a, float)
            assert made is not None
        most = max(abs(made.low), abs(made.high))
        if most > high:
            shift = math.ceil(math.log2(most / high))
            if not made.is_weak and shift > 10:
                made = converted(made, float) or made
            scale = 2.0**-shift
            made = binary("*", made, literal(scale)) or made
        return made if made.type is number else converted(made, number) or made
    made = a
    if is_float(a.type):
        made = converted(a, int) or literal(1)
    if not made.within(low, high):
        low, high = max(low, -(2**40)), min(high, 2**40)
        text = f"{made.operand} % {high - low + 1}"
        if made.type is np.uint64:
            text = f"int({text})"  # since int(made) may not fit into a signed integer
        elif not made.is_weak:
            text = f"int({made.text}) % {high - low + 1}"
        made = Expression(text if low == 0 else f"{text} {'+' if low > 0 else '-'} {abs(low)}", int, low, high)
    return made if made.type is number else converted(made, number) or made


_SLACK: Final = 2e-3
"""How far rounding takes floats out of their range, relative to its ends: half precision has 11 bits."""

_OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift,
    ">>": operator.rshift,
}  # fmt: skip


def _type_of(symbol: str, a: Number, b: Number) -> Number | None:
    try:
        return type(_OPERATORS[symbol](a(1), b(1)))
    except TypeError:
        return None


def _fits(operand: Expression, number: Number) -> bool:
    """Test if a weak integer is one of the type that the operation is done in."""
    return not (operand.type is int and number is not int and is_integer(number)) or operand.within(*limits(number))


def _or_wrapped(a: Expression) -> Expression:
    """With the whole range of its type if it may leave that."""
    low, high = limits(a.type)
    return a if low <= a.low and a.high <= high else a._replace(low=low, high=high)


def _range(symbol: str, a: Expression, b: Expression) -> tuple[Any, Any]:
    if symbol == "%":
        return (0, b.high) if b.low > 0 else (b.low, 0)
    if symbol in "&|^":
        if symbol == "&" and min(a.low, b.low) >= 0:
            return 0, min(a.high, b.high)
        power = 1 << max(abs(end).bit_length() for end in (a.low, a.high, b.low, b.high))
        return (0 if min(a.low, b.low) >= 0 else -power), power - 1
    apply = _OPERATORS[symbol]
    ends = [apply(p, q) for p in (_plain(a.low), _plain(a.high)) for q in (_plain(b.low), _plain(b.high))]
    slack = 1 if symbol == "//" and (is_float(a.type) or is_float(b.type)) else 0
    return min(ends) - slack, max(ends) + slack


def _plain(end: Any) -> Any:
    return end.item() if isinstance(end, np.generic) else end
