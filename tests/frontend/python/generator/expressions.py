# SPDX-License-Identifier: Apache-2.0
"""Random expressions: numbers, conditions, indices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from tests.fuzz.choices import Choices

from .operations import (
    Expression,
    binary,
    comparison,
    converted,
    fitted,
    inverted,
    literal,
    magnitude,
    negative,
)
from .scope import Array, Helper, Scope
from .values import Number, is_float, is_integer

INTEGER_OPERATORS: Final = ("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "/")
FLOAT_OPERATORS: Final = ("+", "-", "*", "/", "//", "%")
COMPARISONS: Final = ("<", "<=", ">", ">=", "==", "!=")
CASTS: Final = (np.float64, np.float32, np.int64, np.int32, np.int16, np.uint8)

MOST_OPEN: Final = 2
"""Operations that an operation is part of."""


class Expressions:
    """Makes expressions of what a scope names."""

    def __init__(self, choices: Choices) -> None:
        self.choices: Final = choices
        self._open = 0

    def number(self, scope: Scope, depth: int = 2) -> Expression:
        """An integer or a float. Indices and conditions within it are numbers again, but not without end."""
        if depth == 0 or self._open >= MOST_OPEN or self.choices.upto(3) == 0:
            return self.atom(scope)
        kinds: tuple[Callable[[Scope, int], Expression], ...] = (
            self._binary, self._binary, self._binary, self._binary, self._unary, self._cast, self._selected,
            self._extreme, self._root, self._called,
        )  # fmt: skip
        self._open += 1
        made = self.choices.pick(kinds)(scope, depth - 1)
        self._open -= 1
        return made

    def integer(self, scope: Scope, depth: int = 2) -> Expression:
        """A weak integer of modest size."""
        made = self.number(scope, depth)
        return made if made.type is int and made.within(-1000, 1000) else fitted(made, int, -50, 50)

    def atom(self, scope: Scope) -> Expression:
        kind = self.choices.upto(6)
        if kind <= 1 and scope.variables:
            return self._number_of(self.choices.pick(scope.variables))
        if kind == 2 and scope.loops:
            return self.choices.pick(scope.loops).value
        if kind == 3:
            constant = self.choices.pick((2, 1, 3, -1, 5, 7, -4, 11, 0.5, 1.5, -0.25, 2.0))
            return self.choices.pick((*scope.constants, literal(constant), literal(constant)))
        if kind == 4 and scope.stores:
            return self._number_of(self.choices.pick(scope.stores))
        arrays = [array for array in scope.readable if array.type is not np.bool]
        if not arrays:
            return literal(self.choices.pick((1, 2.5)))
        return self.element(self.choices.pick(arrays), scope)

    def condition(self, scope: Scope, depth: int = 1) -> Expression:
        kind = self.choices.upto(7)
        flags = [array for array in scope.readable if array.type is np.bool]
        if kind == 0 and depth:
            a, b = self.condition(scope, depth - 1), self.condition(scope, depth - 1)
            return Expression(f"{a.operand} {self.choices.pick(('and', 'or'))} {b.operand}", bool)
        if kind == 1 and depth:
            return Expression(f"not {self.condition(scope, depth - 1).operand}", bool)
        if kind == 2 and flags:
            return self.element(self.choices.pick(flags), scope)
        a = self.number(scope, 1)
        if kind == 3:
            low, high = sorted((self.choices.upto(20) - 10, self.choices.upto(20) - 5))
            symbols = self.choices.pick(("<", "<=")), self.choices.pick(("<", "<="))
            return Expression(f"{low} {symbols[0]} {a.operand} {symbols[1]} {high}", bool)
        return comparison(self.choices.pick(COMPARISONS), a, self.number(scope, 1))

    def element(self, array: Array, scope: Scope) -> Expression:
        return array.element([self.index(size, scope, array.name, axis) for axis, size in enumerate(array.shape)])

    def index(self, size: int, scope: Scope, name: str, axis: int) -> str:
        """An index below `size`, which is the dimension `axis` of what is called `name`."""
        kind = self.choices.upto(9)
        loops = [loop for loop in scope.loops if loop.low >= 0 and loop.high < size]
        if kind <= 5 and loops:
            loop = self.choices.pick(loops)
            if kind == 4 and size - 1 - loop.high >= 1:
                return f"{loop.name} + {1 + self.choices.upto(size - 2 - loop.high)}"
            if kind == 4 and loop.low >= 1:
                return f"{loop.name} - {1 + self.choices.upto(loop.low - 1)}"
            if kind == 5:
                return self.choices.pick((f"{size - 1} - {loop.name}", f"{name}.shape[{axis}] - 1 - {loop.name}"))
            return loop.name
        if kind <= 7 and self._open < 2 and self.choices.upto(1):
            self._open += 1
            made = fitted(self.number(scope, 1), int, 0, size - 1)
            self._open -= 1
            return made.text
        if kind == 8:
            return str(-1 - self.choices.upto(size - 1))
        return str(self.choices.upto(size - 1))

    def _binary(self, scope: Scope, depth: int) -> Expression:
        a, b = self.number(scope, depth), self.number(scope, depth)
        whole = is_integer(a.type) and is_integer(b.type)
        symbol = self.choices.pick(INTEGER_OPERATORS if whole else FLOAT_OPERATORS)
        if symbol in ("//", "%", "/"):
            divisors = (3, 7, 2, -3, 5, -2) if whole else (0.5, 3, -1.5, 2.0)
            b = self._divisor(b, self.choices.pick(divisors))
        elif symbol in ("<<", ">>"):
            b = literal(1 + self.choices.upto(3))
        return binary(symbol, a, b) or binary("+", a, literal(1)) or a

    def _divisor(self, b: Expression, constant: float) -> Expression:
        """A number that isn't zero: sometimes more than a constant."""
        if b.within(-1000, 1000) and self.choices.rarely(3):
            shifted = binary("+", magnitude(b), literal(1))
            if shifted is not None and shifted.low > 0:
                return shifted
        return literal(constant)

    def _unary(self, scope: Scope, depth: int) -> Expression:
        a = self.number(scope, depth)
        kinds = (negative, magnitude, inverted) if is_integer(a.type) else (negative, magnitude)
        return self.choices.pick(kinds)(a)

    def _cast(self, scope: Scope, depth: int) -> Expression:
        a = self.number(scope, depth)
        number: Number = self.choices.pick((float, int, *CASTS))
        return converted(a, number) or a

    def _selected(self, scope: Scope, depth: int) -> Expression:
        a, b = self._pair(scope, depth)
        text = f"{a.operand} if {self.condition(scope, 0).operand} else {b.operand}"
        return Expression(text, a.type, min(a.low, b.low), max(a.high, b.high))

    def _extreme(self, scope: Scope, depth: int) -> Expression:
        a, b = self._pair(scope, depth)
        name = self.choices.pick(("min", "max"))
        if not a.is_weak and self.choices.rarely(3):
            name = f"np.{name}imum"
        ends = (min(a.low, b.low), max(a.high, b.high))
        return Expression(f"{name}({a.text}, {b.text})", a.type, *ends, whole=True)

    def _root(self, scope: Scope, depth: int) -> Expression:
        """Functions whose results are exact."""
        a = self.number(scope, depth)
        if not is_float(a.type):
            return a
        kind = self.choices.upto(3)
        if kind == 0:
            return Expression(f"math.sqrt(abs({a.text}))", float, 0.0, max(1.0, abs(a.low), abs(a.high)), whole=True)
        if kind == 1 and not a.is_weak and a.type is not np.float16:
            return Expression(f"np.sqrt(abs({a.text}))", a.type, 0.0, max(1.0, abs(a.low), abs(a.high)), whole=True)
        if kind == 2 and a.within(-1e9, 1e9):
            name = self.choices.pick(("math.floor", "math.ceil"))
            return Expression(f"{name}({a.text})", int, int(a.low) - 1, int(a.high) + 1, whole=True)
        return Expression(f"math.fabs({a.text})", float, 0.0, max(abs(a.low), abs(a.high)), whole=True)

    def _called(self, scope: Scope, depth: int) -> Expression:
        if not scope.helpers:
            return self.atom(scope)
        return self.call(self.choices.pick(scope.helpers), scope, depth)

    def call(self, helper: Helper, scope: Scope, depth: int) -> Expression:
        given = [fitted(self.number(scope, depth), p.type, p.low, p.high).text for p in helper.parameters]
        return helper.result._replace(text=f"{helper.name}({', '.join(given)})", whole=True)

    def _pair(self, scope: Scope, depth: int) -> tuple[Expression, Expression]:
        """Two numbers of one type."""
        a, b = self.number(scope, depth), self.number(scope, depth)
        if a.type is b.type:
            return a, b
        return a, converted(b, a.type) or a

    def _number_of(self, a: Expression) -> Expression:
        """A flag as an integer."""
        return Expression(f"int({a.text})", int, 0, 1, whole=True) if a.type in (bool, np.bool) else a
