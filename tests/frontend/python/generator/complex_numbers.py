# SPDX-License-Identifier: Apache-2.0
"""Random expressions of complex numbers, which never become real ones but by their parts."""

from __future__ import annotations

import operator
from typing import Final

from tests.fuzz.choices import Choices

from .operations import Expression
from .scope import Scope
from .statements import Statements
from .values import is_float

_OPERATORS: Final = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
_LITERALS: Final = ("2j", "(1 - 0.5j)", "-1j", "(0.25 + 3j)")
_DIVISORS: Final = ("(2 - 1j)", "4j", "3.0", "(-0.5 + 0.25j)")


class ComplexExpressions:
    """Makes expressions of complex numbers, and of what a scope names. Their ranges aren't known."""

    def __init__(self, choices: Choices, statements: Statements, scope: Scope, values: list[Expression]) -> None:
        """`values`: complex ones. `scope` has the real ones."""
        self.choices: Final = choices
        self._statements: Final = statements
        self._scope: Final = scope
        self.values: Final = values

    def value(self, depth: int = 2) -> Expression:
        if depth == 0 or self.choices.rarely(3):
            return self._atom()
        kind = self.choices.upto(9)
        a = self.value(depth - 1)
        if kind == 0:
            return a._replace(text=f"-{a.operand}", whole=False)
        if kind == 1:
            return a._replace(text=f"{a.operand}.conjugate()", whole=True)
        if kind == 2:
            b = self.value(depth - 1)
            if b.type is a.type:
                return Expression(f"{a.operand} if {self.condition()} else {b.operand}", a.type)
        if kind == 3:
            divisor = Expression(self.choices.pick(_DIVISORS), complex, whole=True)
            return self._operated("/", a, divisor)
        symbol = self.choices.pick(("+", "-", "*"))
        if kind <= 5:  # with a real number
            real = self._real()
            return self._operated(symbol, *((a, real) if self.choices.upto(1) else (real, a)))
        return self._operated(symbol, a, self.value(depth - 1))

    def condition(self) -> str:
        a = self.value(1)
        if self.choices.rarely(3):
            return f"{a.operand} {self.choices.pick(('==', '!='))} {self.value(1).operand}"
        part, symbol = self.choices.pick(("real", "imag")), self.choices.pick(("<", ">="))
        return f"{a.operand}.{part} {symbol} {self._real().operand}"

    def part(self) -> Expression:
        """A real number that is a part of a complex one."""
        a = self.value(1)
        text = f"{a.operand}.{self.choices.pick(('real', 'imag'))}"
        return Expression(text, type(a.type(1).real), -1e30, 1e30, whole=True)

    def _atom(self) -> Expression:
        if self.values and not self.choices.rarely(4):
            return self.choices.pick(self.values)
        return Expression(self.choices.pick(_LITERALS), complex, whole=True)

    def _real(self) -> Expression:
        """A number of modest size."""
        for _ in range(5):
            a = self._statements.make.number(self._scope, 1)
            if a.within(-100, 100) and (a.type is int or is_float(a.type)):
                return a
        return Expression("1.5", float, 1.5, 1.5, whole=True)

    def _operated(self, symbol: str, a: Expression, b: Expression) -> Expression:
        number = type(_OPERATORS[symbol](a.type(1), b.type(1)))
        return Expression(f"{a.operand} {symbol} {b.operand}", number)
