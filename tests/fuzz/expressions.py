# SPDX-License-Identifier: Apache-2.0
"""Random expressions as text."""

from typing import Final, TypeVar

from hypothesis import strategies as st

from .arithmetic import CONDITIONS, FLOAT, INT, NUMBERS, UNSIGNED, Number, converted
from .scope import Counters, Scope

INPUTS: Final = 64
"""Elements of the arrays `in` and `fin`, which all work-items read."""

COUNTERS: Final = 4
"""Elements of each array of counters."""

_UNIFORM_OPERATIONS: Final = (
    "(int)((unsigned){a} + (unsigned){b})", "(int)((unsigned){a} - (unsigned){b})", "({a} ^ {b})", "({a} & {b})",
    "({a} > {b} ? {b} : {a})", "(({a} & 63) * 5)",
)  # fmt: skip


T = TypeVar("T")


class Expressions:
    """Draws expressions for one kernel."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw: Final = draw

    def pick(self, choices: tuple[T, ...]) -> T:
        return self._draw(st.sampled_from(choices))

    def upto(self, highest: int) -> int:
        return self._draw(st.integers(0, highest))

    def number(self) -> Number:
        return self.pick(NUMBERS)

    # -- what may differ between work-items --------------------------------------------------------------------

    def value(self, scope: Scope, number: Number, depth: int = 2) -> str:
        """An expression of a type."""
        if depth == 0 or self.upto(2) == 0:
            return self._leaf(scope, number)
        template = self.pick(number.operations)
        a, b, c = (self.value(scope, number, depth - 1) if f"{{{o}}}" in template else "" for o in "abc")
        condition = self.condition(scope, depth - 1) if "{q}" in template else ""
        return template.format(a=a, b=b, c=c, q=condition)

    def condition(self, scope: Scope, depth: int = 1) -> str:
        if self.upto(1) == 0:
            return f"({self.value(scope, UNSIGNED, depth)} & {self.pick(('1', '2', '4', '3'))})"
        number = self.number()
        template = self.pick(CONDITIONS)
        return template.format(a=self.value(scope, number, depth), b=self.value(scope, number, depth))

    def index(self, scope: Scope, count: int, depth: int = 1) -> str:
        """An index that is any of `count`, a power of two."""
        return f"{self.value(scope, UNSIGNED, depth)} & {count - 1}"

    def _leaf(self, scope: Scope, number: Number) -> str:
        kind = self.upto(9)
        if kind <= 5 and (known := [v for v in (*scope.variables, *scope.constants) if v.number is number]):
            return self.pick(tuple(v.name for v in known))
        if kind <= 7 and (known := [*scope.variables, *scope.constants]):
            variable = self.pick(tuple(known))
            return converted(variable.name, variable.number, number)
        if kind == 8:
            name, source = self._memory(scope)
            return converted(name, source, number)
        if kind == 9:
            return converted(self.uniform(scope, 0), INT, number)
        return self.pick(number.literals)

    def _memory(self, scope: Scope) -> tuple[str, Number]:
        """An element that may be read here."""
        places = (*scope.arrays, *(c for c in scope.counters if c.name in scope.reading))
        if not places or self.upto(2) == 0:
            name, number = self.pick((("in", UNSIGNED), ("fin", FLOAT)))
            return f"{name}[{self.index(scope, INPUTS, 0)}]", number
        place = self.pick(places)
        if isinstance(place, Counters):
            return f"{place.name}[{self.index(scope, COUNTERS, 0)}]", place.number
        slot = self.slot(scope) if place.name in scope.reading else "item"
        return f"{place.name}[{slot}]", place.number

    def slot(self, scope: Scope) -> str:
        """Some work-item's slot."""
        match self.upto(3):
            case 0:
                return f"(item + {self.pick((1, 2, 7, 31, 32))}) % ITEMS"
            case 1:
                return "ITEMS - 1 - item"
            case 2:
                return f"{self.value(scope, UNSIGNED, 1)} % ITEMS"
            case _:
                return f"(unsigned){self.uniform(scope, 0)} % ITEMS"

    # -- what is the same for all live work-items ----------------------------------------------------------------

    def uniform(self, scope: Scope, depth: int = 1) -> str:
        """An int."""
        if depth and self.upto(2):
            template = self.pick(_UNIFORM_OPERATIONS)
            return template.format(a=self.uniform(scope, depth - 1), b=self.uniform(scope, depth - 1))
        kind = self.upto(6)
        if kind <= 3 and scope.uniforms:
            return self.pick(scope.uniforms)
        if kind == 4:
            return f"(int)(in[{self.uniform(scope, 0)} & {INPUTS - 1}] & 7)"
        if kind == 5 and (known := [a for a in scope.arrays if a.name in scope.reading]):
            array = self.pick(tuple(known))
            element = f"{array.name}[(unsigned){self.uniform(scope, 0)} % ITEMS]"
            return f"({converted(element, array.number, INT)} & 7)"
        return self.pick(("1", "2", "0", "3"))

    def uniform_condition(self, scope: Scope) -> str:
        template = self.pick(("({a} & 1)", "({a} & 2)", "({a} > {b})", "({a} == {b})", "({a} != {b})"))
        return template.format(a=self.uniform(scope), b=self.uniform(scope, 0) if "{b}" in template else "")

    def trips(self, scope: Scope) -> str:
        """How many rounds a loop makes: 0 to 3."""
        return self.pick(("2", f"({self.uniform(scope)} & 3)", f"({self.uniform(scope, 0)} & 3)"))
