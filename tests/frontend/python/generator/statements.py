# SPDX-License-Identifier: Apache-2.0
"""Random statements: declarations, stores, branches and serial loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from tests.fuzz.choices import Choices

from .expressions import Expressions
from .operations import Expression, binary, converted, fitted, literal
from .scope import Array, Loop, Scope
from .values import Number, is_float, is_integer

Lines = list[str]
Made = tuple[Lines, Scope]

MOST_DEPTH: Final = 3
VARIABLES: Final[tuple[Number, ...]] = (int, float, np.float64, np.float32, np.int32, np.int64, np.int8, np.uint16)
"""Types of the variables that are assigned again."""


class Kind(NamedTuple):
    """A kind of statement, where it may stand, and how often it does, against 1 for the rarest."""

    write: Callable[[Scope], Made]
    allowed: Callable[[Scope], bool]
    share: int


class Statements:
    """Writes the bodies of one function, of which all names differ."""

    def __init__(self, choices: Choices, fuel: int) -> None:
        """`fuel` is the greatest number of statements."""
        self.choices: Final = choices
        self.make: Final = Expressions(choices)
        self._fuel = fuel
        self._names: dict[str, int] = {}
        self._kinds: Final = (
            Kind(self._declare, lambda scope: True, 4),
            Kind(self._flag, lambda scope: scope.depth > 0, 1),
            Kind(self._assign, lambda scope: bool(scope.assignable), 3),
            Kind(self.store, lambda scope: bool(scope.stores or scope.writable), 6),
            Kind(self._branch, lambda scope: scope.depth < MOST_DEPTH, 3),
            Kind(self._for, lambda scope: scope.depth < MOST_DEPTH, 2),
            Kind(self._while, lambda scope: scope.depth < MOST_DEPTH, 1),
            Kind(self._accumulate, lambda scope: scope.depth < MOST_DEPTH, 2),
            Kind(self._swap, lambda scope: True, 1),
            Kind(self._row, lambda scope: any(len(array.shape) > 1 for array in scope.readable), 1),
            Kind(self._leave, lambda scope: bool(scope.loop), 2),
            Kind(self._return, lambda scope: scope.returns and scope.depth > 0, 1),
        )

    def name(self, prefix: str) -> str:
        """A name that nothing else in the function has."""
        self._names[prefix] = self._names.get(prefix, 0) + 1
        return f"{prefix}{self._names[prefix]}"

    def block(self, scope: Scope, most: int = 4) -> Lines:
        """At least one statement; what they declare ends with them."""
        lines: Lines = []
        for _ in range(1 + self.choices.upto(most - 1)):
            if self._fuel > 0:
                self._fuel -= 1
                made, scope = self._statement(scope)
                lines += made
        return lines or self._plain(scope)

    def _plain(self, scope: Scope) -> Lines:
        if scope.stores or scope.writable:
            return self.store(scope)[0]
        return self._assign(scope)[0] if scope.assignable else ["pass"]

    def _statement(self, scope: Scope) -> Made:
        allowed = [kind for kind in self._kinds if kind.allowed(scope)]
        turn = self.choices.upto(sum(kind.share for kind in allowed) - 1)
        for kind in allowed:
            turn -= kind.share
            if turn < 0:
                return kind.write(scope)
        raise AssertionError("the shares have a sum")

    def _declare(self, scope: Scope) -> Made:
        """A variable of whatever type comes, or one that later statements assign."""
        if self.choices.upto(1):
            made = self.make.number(scope, 3)
            name = self.name("x")
            lines = [f"{name} = {made.text}"]
            return lines, scope.with_variable(made._replace(text=name, whole=True), assignable=False)
        variable = self.variable(self.choices.pick(VARIABLES))
        return [f"{variable.text} = {self._value(variable, scope).text}"], scope.with_variable(variable)

    def variable(self, number: Number) -> Expression:
        ends = (-64.0, 64.0) if is_float(number) else (0 if number is np.uint16 else -100, 100)
        return Expression(self.name("v"), number, *ends, whole=True)

    def _flag(self, scope: Scope) -> Made:
        flag = Expression(self.name("flag"), bool, whole=True)
        return [f"{flag.text} = {self.make.condition(scope).text}"], scope.with_variable(flag, assignable=False)

    def _assign(self, scope: Scope) -> Made:
        variable = self.choices.pick(scope.assignable)
        return [f"{variable.text} = {self._value(variable, scope).text}"], scope

    def _value(self, target: Expression, scope: Scope) -> Expression:
        return fitted(self.make.number(scope, 3), target.type, target.low, target.high)

    def _element(self, scope: Scope) -> Expression:
        if scope.stores and (not scope.writable or self.choices.upto(1)):
            return self.choices.pick(scope.stores)
        return self.make.element(self.choices.pick(scope.writable), scope)

    def store(self, scope: Scope) -> Made:
        target = self._element(scope)
        if target.type is np.bool:
            return [f"{target.text} = {self.make.condition(scope).text}"], scope
        if self.choices.rarely(3):
            symbol = self.choices.pick(("+", "-", "*") if is_float(target.type) else ("+", "-", "*", "^", "|", "&"))
            by = self.make.number(scope, 1)
            made = binary(symbol, target, by)
            if made is not None and made.type is target.type and made.within(target.low, target.high):
                return [f"{target.text} {symbol}= {by.text}"], scope
        number = self.make.number(scope, 3)
        if number.within(target.low, target.high) and (is_float(target.type) or is_integer(number.type)):
            return [f"{target.text} = {number.text}"], scope  # the store converts
        return [f"{target.text} = {fitted(number, target.type, target.low, target.high).text}"], scope

    def _branch(self, scope: Scope) -> Made:
        inner = scope.deeper()
        lines = [f"if {self.make.condition(scope).text}:", *indented(self.block(inner, 3))]
        if self.choices.rarely(3):
            lines += [f"elif {self.make.condition(scope).text}:", *indented(self.block(inner, 2))]
        if self.choices.upto(1):
            lines += ["else:", *indented(self.block(inner, 3))]
        return lines, scope

    def _for(self, scope: Scope) -> Made:
        head, loop = self.loop_head("range", 4, scope)
        inner = scope.deeper(loops=(*scope.loops, loop), loop="for")
        lines = [head, *indented(self.block(inner, 3))]
        return lines, scope

    def loop_head(self, iterator: str, size: int, scope: Scope, arrays: tuple[Array, ...] = ()) -> tuple[str, Loop]:
        """A loop over some of 0 to size - 1; in a serial one within others, perhaps over a triangle. `arrays` are those
        whose shape may tell the size, beside what the scope reads."""
        name = self.name("k")
        kind = self.choices.upto(5)
        stop = self._size(size, (*arrays, *scope.readable))
        if kind == 1 and size > 2:
            return f"for {name} in {iterator}(1, {stop}):", Loop(name, 1, size - 1)
        if kind == 2:
            start = size - 1 if stop == str(size) else f"{stop} - 1"
            return f"for {name} in {iterator}({start}, -1, -1):", Loop(name, 0, size - 1)
        if kind == 3:
            step = 2 + self.choices.upto(1)
            return f"for {name} in {iterator}(0, {stop}, {step}):", Loop(name, 0, size - 1)
        bounds = [loop for loop in scope.loops if loop.low >= 0 and loop.high <= 6]
        if kind == 4 and bounds and iterator == "range":
            bound = self.choices.pick(bounds)
            text = self.choices.pick((f"{bound.name} + 1", f"{bound.name}, {bound.high + 1}"))
            return f"for {name} in {iterator}({text}):", Loop(name, 0, bound.high)
        return f"for {name} in {iterator}({stop}):", Loop(name, 0, size - 1)

    def _size(self, size: int, arrays: tuple[Array, ...]) -> str:
        """A number, or what is as large in the shape of an array."""
        alike = [
            f"len({array.name})" if axis == 0 and self.choices.upto(1) else f"{array.name}.shape[{axis}]"
            for array in arrays
            for axis, extent in enumerate(array.shape)
            if extent == size
        ]
        return self.choices.pick((str(size), *alike))

    def _while(self, scope: Scope) -> Made:
        name, count = self.name("w"), 1 + self.choices.upto(3)
        inner = scope.deeper(loops=(*scope.loops, Loop(name, 0, count)), loop="while")
        condition = f" and {self.make.condition(scope).operand}" if self.choices.upto(1) else ""
        body = [f"{name} += 1", *self.block(inner, 3)]
        return [f"{name} = 0", f"while {name} < {count}{condition}:", *indented(body)], scope

    def _accumulate(self, scope: Scope) -> Made:
        """A sum over a serial loop, which nothing else reads meanwhile."""
        head, loop = self.loop_head("range", 4, scope)
        inner = scope.deeper(loops=(*scope.loops, loop))
        term = self.make.number(inner, 2)
        zero = converted(literal(0), term.type) if term.type not in (int, float) else literal(term.type(0))
        assert zero is not None
        total = binary("*", term, literal(loop.high + 1))
        if total is None or total.type is not term.type:
            return self._declare(scope)
        name = self.name("sum")
        low, high = min(0, total.low), max(0, total.high)
        body = [f"{name} += {term.text}"]
        if self.choices.rarely(3):
            body = [f"if {self.make.condition(inner).text}:", *indented(body)]
        lines = [f"{name} = {zero.text}", head, *indented(body)]
        return lines, scope.with_variable(Expression(name, term.type, low, high, whole=True), assignable=False)

    def _swap(self, scope: Scope) -> Made:
        number = self.choices.pick(VARIABLES)
        alike = [variable for variable in scope.assignable if variable.type is number]
        if len(alike) < 2:
            a, b = self.variable(number), self.variable(number)
            values = f"{self._value(a, scope).text}, {self._value(b, scope).text}"
            return [f"{a.text}, {b.text} = {values}"], scope.with_variable(a).with_variable(b)
        a, b = alike[:2]
        return [f"{a.text}, {b.text} = {b.text}, {self._value(a, scope).text}"], scope

    def _row(self, scope: Scope) -> Made:
        """A slice, which stands for the elements that it is a part of."""
        array = self.choices.pick([array for array in scope.readable if len(array.shape) > 1])
        name, index = self.name("row"), self.make.index(array.shape[0], scope, array.name, 0)
        row = replace(array.row, name=name)
        text = f"{array.name}[{index}]"
        if len(array.shape) == 2 and array.shape[1] > 2 and self.choices.rarely(3):
            text, row = f"{array.name}[{index}, 1:]", replace(row, shape=(array.shape[1] - 1,))
        elif len(array.shape) == 2 and self.choices.rarely(3):
            text = f"{array.name}[{index}, ::-1]"
        writable = (*scope.writable, row) if array in scope.writable else scope.writable
        return [f"{name} = {text}"], replace(scope, readable=(*scope.readable, row), writable=writable)

    def _leave(self, scope: Scope) -> Made:
        words = ("continue",) if scope.loop == "prange" else ("break", "continue")
        return [f"if {self.make.condition(scope).text}:", *indented([self.choices.pick(words)])], scope

    def _return(self, scope: Scope) -> Made:
        value = self.make.integer(scope, 1)
        return [f"if {self.make.condition(scope).text}:", *indented([f"return {value.text}"])], scope


def indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]
