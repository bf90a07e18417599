# SPDX-License-Identifier: Apache-2.0
"""Random expressions of whole arrays within a loop over i: rows of arguments, and arrays that the loop makes.

Types and ranges of elements are those that the same operators of numbers have.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from tests.fuzz.choices import Choices

from .operations import Expression, binary, comparison, inverted, magnitude, negative
from .scope import Array, Scope
from .statements import Statements
from .values import is_float, is_integer

Shape = tuple[int, ...]


class Row(NamedTuple):
    """An expression of an array: one of its elements, by type and range, and its shape."""

    value: Expression
    shape: Shape


class RowExpressions:
    """Makes statements of arrays that broadcast to `shape`."""

    def __init__(
        self, choices: Choices, statements: Statements, scope: Scope, shape: Shape, given: list[Array]
    ) -> None:
        """`given`: a row of arrays of `shape`, one of the last dimension, and an array of that."""
        self._choices: Final = choices
        self._statements: Final = statements
        self._scope: Final = scope
        self._shape: Final = shape
        self._rows: Final = [self._given(array, f"{array.name}[i]", array.shape[1:]) for array in given[:2]]
        self._rows.append(self._given(given[2], given[2].name, given[2].shape))
        self._names = 0
        self._scalars: Final[list[Expression]] = []

    def statement(self) -> list[str]:
        """An array, or a number made of one, that later expressions may name."""
        self._names += 1
        row = self._row(2)
        kind = self._choices.upto(6)
        if kind <= 1:
            return [self._number_of(row)]
        name = f"t{self._names}"
        lines = [f"{name} = {row.value.text}"]
        own = row.value.whole is False  # an expression is an array of its own
        if kind == 2 and own and row.value.type is not bool:
            bound = self._limit(row.value)
            lines.append(f"{name}[{name} {self._choices.pick(('>', '<='))} {bound.text}] = {bound.text}")
        elif kind == 3:
            lines = [f"{name} = {row.value.operand}[::-1].copy()"]
        self._rows.append(Row(row.value._replace(text=name, whole=True), row.shape))
        return lines

    def stored(self) -> tuple[Shape, Expression]:
        row = self._row(3)
        return row.shape, row.value

    def store(self, out: Array, value: Expression) -> str:
        place = f"{out.name}[i]"
        if len(out.shape) == 2:
            place = self._choices.pick((place, f"{out.name}[i, :]", f"{out.name}[i, ::-1]", f"{out.name}[i][:]"))
        symbol = self._choices.pick(("=", "=", "+=", "-=")) if is_float(value.type) or is_integer(value.type) else "="
        return f"{place} {symbol} {value.text}"

    def _given(self, array: Array, text: str, shape: Shape) -> Row:
        number = bool if array.type is np.bool else array.type
        return Row(Expression(text, number, array.low, array.high, whole=True), shape)

    def _row(self, depth: int) -> Row:
        if depth == 0 or self._choices.rarely(4):
            return self._choices.pick(self._rows)
        kind = self._choices.upto(9)
        if kind == 0:
            return self._comparison(depth - 1)
        if kind == 1:
            return self._where(depth - 1)
        row = self._row(depth - 1)
        if row.value.type is bool:
            return Row(Expression(f"~{row.value.operand}", bool), row.shape) if kind < 5 else row
        if kind == 2:
            kinds = (negative, magnitude, inverted) if is_integer(row.value.type) else (negative, magnitude)
            return row._replace(value=self._choices.pick(kinds)(row.value)._replace(whole=False))
        if kind == 3 and is_float(row.value.type):
            text = f"np.sqrt(abs({row.value.text}))"
            if row.value.type is not np.float16:
                most = max(1.0, abs(row.value.low), abs(row.value.high))
                return row._replace(value=Expression(text, row.value.type, 0.0, most))
        if kind == 4:
            return self._extreme(row, depth - 1)
        other = self._scalar(row.value) if kind <= 6 else self._row(depth - 1)
        return self._combined(row, other)

    def _combined(self, a: Row, b: Row) -> Row:
        if bool in (a.value.type, b.value.type):
            return a
        whole = is_integer(a.value.type) and is_integer(b.value.type)
        symbol = self._choices.pick(("+", "-", "*", "&", "^", "|") if whole else ("+", "-", "*"))
        if self._choices.rarely(4) and b.value.low > 0:
            symbol = self._choices.pick(("//", "%", "/"))
        if self._choices.upto(1) and not (b.value.is_weak and b.shape == ()):
            a, b = (a, b) if symbol in "/%//" else (b, a)
        made = binary(symbol, a.value, b.value)
        return a if made is None or made.is_weak else Row(made, np.broadcast_shapes(a.shape, b.shape))

    def _scalar(self, beside: Expression) -> Row:
        """A number, for an operation with an array."""
        if self._scalars and self._choices.upto(1):
            return Row(self._choices.pick(self._scalars), ())
        if self._choices.upto(1):
            constant = self._choices.pick((2, 3, 7, 1)) if is_integer(beside.type) else self._choices.pick((0.5, 2, 3))
            return Row(Expression(repr(constant), type(constant), constant, constant, whole=True), ())
        number = self._statements.make.number(self._scope, 1)
        return Row(number if number.type not in (bool, np.bool) else Expression("i", int, 0, 9, whole=True), ())

    def _comparison(self, depth: int) -> Row:
        a, b = self._row(depth), self._row(depth)
        if bool in (a.value.type, b.value.type):
            return a
        symbol = self._choices.pick(("<", "<=", ">", "==", "!="))
        return Row(comparison(symbol, a.value, b.value), np.broadcast_shapes(a.shape, b.shape))

    def _where(self, depth: int) -> Row:
        test, a, b = self._comparison(depth), self._row(depth), self._row(depth)
        if test.value.type is not bool or a.value.type is not b.value.type:
            return a
        low, high = min(a.value.low, b.value.low), max(a.value.high, b.value.high)
        text = f"np.where({test.value.text}, {a.value.text}, {b.value.text})"
        return Row(Expression(text, a.value.type, low, high), np.broadcast_shapes(test.shape, a.shape, b.shape))

    def _extreme(self, a: Row, depth: int) -> Row:
        b = self._row(depth)
        if a.value.type is not b.value.type:
            return a
        text = f"np.{self._choices.pick(('minimum', 'maximum'))}({a.value.text}, {b.value.text})"
        low, high = min(a.value.low, b.value.low), max(a.value.high, b.value.high)
        return Row(Expression(text, a.value.type, low, high), np.broadcast_shapes(a.shape, b.shape))

    def _limit(self, value: Expression) -> Expression:
        """A number within the range of an array's elements."""
        constant = min(max(self._choices.upto(20) - 10, value.low), value.high)
        constant = float(constant) if is_float(value.type) else int(constant)
        return Expression(repr(constant), type(constant), constant, constant, whole=True)

    def _number_of(self, row: Row) -> str:
        """A reduction; sums of floats have an order of their own."""
        value, count = row.value, int(np.prod(row.shape))
        name = f"s{self._names}"
        if value.type is bool:
            kind = self._choices.pick(("any", "all"))
            self._scalars.append(Expression(f"int({name})", int, 0, 1, whole=True))
            return f"{name} = {value.operand}.{kind}()"
        if value.type is np.float16:  # whose reductions aren't compiled
            return f"{name} = 0"
        kind = self._choices.pick(("sum", "min", "max") if is_integer(value.type) else ("min", "max"))
        made = value._replace(text=name, whole=True)
        if kind == "sum":
            number = type(np.ones(1, value.type).sum())
            low, high = int(value.low) * count, int(value.high) * count
            if low < np.iinfo(number).min or high > np.iinfo(number).max:
                low, high = np.iinfo(number).min, np.iinfo(number).max
            made = Expression(name, number, int(min(low, value.low)), int(max(high, value.high)), whole=True)
        self._scalars.append(made)
        return f"{name} = {self._choices.pick((f'np.{kind}({value.text})', f'{value.operand}.{kind}()'))}"
