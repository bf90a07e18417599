# SPDX-License-Identifier: Apache-2.0
"""Random expressions as text."""

import re
from typing import Final

from .arithmetic import Number
from .choices import Choices
from .dialect import Dialect
from .scope import Counters, Scope, Variable

INPUTS: Final = 64
"""Elements of the arrays `in` and `fin`, which all work-items read."""

COUNTERS: Final = 4
"""Elements of each array of counters."""

_UNIFORM_OPERATIONS: Final = (
    "(int)((unsigned){a} + (unsigned){b})", "(int)((unsigned){a} - (unsigned){b})", "({a} ^ {b})", "({a} & {b})",
    "({a} > {b} ? {b} : {a})", "(({a} & 63) * 5)", "divided({a}, {b})",
)  # fmt: skip
_OPERAND: Final = re.compile(r"\{(\w+)\}")


class Expressions:
    """Makes expressions for one kernel."""

    def __init__(self, choices: Choices, dialect: Dialect) -> None:
        self._choices: Final = choices
        self.dialect: Final = dialect
        self.converted: Final = dialect.converted
        self.upto: Final = choices.upto
        self.pick: Final = choices.pick

    def number(self) -> Number:
        return self.pick(self.dialect.numbers)

    # -- what may differ between work-items --------------------------------------------------------------------

    def value(self, scope: Scope, number: Number, depth: int = 2) -> str:
        """An expression of a type."""
        with self._choices.span():
            if depth == 0 or self.upto(2) == 0:
                return self._leaf(scope, number)
            if scope.functions and self.upto(7) == 7:
                return self._call(scope, number, depth)
            return self.filled(self.pick(number.operations), scope, number, depth - 1)

    def filled(self, template: str, scope: Scope, number: Number, depth: int) -> str:
        """A template with all its operands made up; {a}, {b} and {c} are of type `number`."""

        def operand(found: re.Match[str]) -> str:
            letter = found[1]
            if letter == "q":
                return self.condition(scope, depth)
            return self.value(scope, number if letter in "abc" else self.dialect.operands[letter], depth)

        return _OPERAND.sub(operand, template)

    def condition(self, scope: Scope, depth: int = 1) -> str:
        depth = max(depth, 0)
        kind = self.upto(5)
        if kind <= 2:
            return f"({self.value(scope, self.dialect.unsigned, depth)} & {self.pick(('1', '2', '4', '3'))})"
        if kind == 5:
            return f"({self.pick(self.dialect.sides)})"
        place, number = self.upto(3), self.number()
        return self.filled(number.conditions[place], scope, number, depth)

    def index(self, scope: Scope, count: int, depth: int = 1) -> str:
        """An index that is any of `count`, a power of two."""
        return f"{self.value(scope, self.dialect.unsigned, depth)} & {count - 1}"

    def place(self, scope: Scope, variable: Variable) -> str:
        """The variable, at some index where it has one."""
        return _OPERAND.sub(lambda _: self.value(scope, self.dialect.unsigned, 0), variable.name)

    def _leaf(self, scope: Scope, number: Number) -> str:
        kind = self.upto(12)
        if kind <= 5 and (known := [v for v in (*scope.variables, *scope.constants) if v.number is number]):
            return self._read(scope, self.pick(known))
        if kind <= 7 and (known := [*scope.variables, *scope.constants]):
            variable = self.pick(known)
            return self.converted(self._read(scope, variable), variable.number, number)
        if kind == 8:
            name, source = self._memory(scope)
            return self.converted(name, source, number)
        if kind == 9:
            return self.converted(self.uniform(scope, 0), self.dialect.int, number)
        if kind == 10:
            return self.converted(self.pick(self.dialect.places), self.dialect.unsigned, number)
        if kind >= 11 and scope.streams:
            template, source = self.pick(self.dialect.streams)
            return self.converted(template.format(p=self.pick(scope.streams)), source, number)
        return self.pick(number.literals)

    def _read(self, scope: Scope, variable: Variable) -> str:
        if "{i}" in variable.name:  # an index with an index would have no end
            plain = [v.name for v in scope.variables if v.number is self.dialect.unsigned and v.is_plain] or ["n"]
            return variable.name.replace("{i}", f"(unsigned){self.pick(plain)}")
        return variable.name

    def _call(self, scope: Scope, number: Number, depth: int) -> str:
        function = self.pick(scope.functions)
        values = ", ".join(self.value(scope, parameter, depth - 1) for parameter in function.parameters)
        return self.converted(f"{function.name}({values}{function.arguments})", function.result, number)

    def _memory(self, scope: Scope) -> tuple[str, Number]:
        """An element that may be read here."""
        places = (*scope.arrays, *(c for c in scope.counters if c.name in scope.reading))
        if not places or self.upto(2) == 0:
            name, number, count = self.pick(self.dialect.memory)
            return f"{name}[{self.index(scope, count, 0)}]", number
        place = self.pick(places)
        if isinstance(place, Counters):
            return f"{place.name}[{self.index(scope, COUNTERS, 0)}]", place.number
        slot = self.slot(scope) if place.name in scope.reading else "item"
        return place.read(slot), place.number

    def slot(self, scope: Scope) -> str:
        """Some work-item's slot."""
        match self.upto(3):
            case 0:
                return f"(item + {self.pick((1, 2, 7, 31, 32))}) % ITEMS"
            case 1:
                return "ITEMS - 1 - item"
            case 2:
                return f"{self.value(scope, self.dialect.unsigned, 1)} % ITEMS"
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
            array = self.pick(known)
            element = array.at(f"(unsigned){self.uniform(scope, 0)} % ITEMS")
            return f"({self.converted(element, array.number, self.dialect.int)} & 7)"
        return self.pick(("1", "2", "0", "3"))

    def uniform_condition(self, scope: Scope) -> str:
        template = self.pick(("({a} & 1)", "({a} & 2)", "({a} > {b})", "({a} == {b})", "({a} != {b})"))
        return template.format(a=self.uniform(scope), b=self.uniform(scope, 0) if "{b}" in template else "")

    def trips(self, scope: Scope) -> str:
        """How many rounds a loop makes: 0 to 3."""
        return self.pick(("2", f"({self.uniform(scope)} & 3)", f"({self.uniform(scope, 0)} & 3)"))
