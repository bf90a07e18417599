# SPDX-License-Identifier: Apache-2.0
"""Writes the body of one function: blocks of random statements, drawn from a table of kinds."""

from collections.abc import Callable
from typing import Final, NamedTuple

from .choices import Choices
from .dialect import Dialect
from .expressions import Expressions
from .scope import Array, Scope

Lines = list[str]

MAX_DEPTH: Final = 4
MAX_WEIGHT: Final = 27
"""Three nested loops of three rounds: the reference device takes about a microsecond an instruction."""


class Kind(NamedTuple):
    """A kind of statement: how it is written, where it may stand, and how often it does, against 1 for the rarest.
    What declares something also gives the scope of the statements that follow it."""

    write: Callable[["Writer", Scope], "Lines | tuple[Lines, Scope]"]
    allowed: Callable[[Scope], bool]
    share: int


class Writer:
    """One function's text in the making.

    `exchange` is a pair of shared arrays of which each use takes the other, so that one barrier a use suffices. `fuel`
    is the greatest number of statements.
    """

    def __init__(self, choices: Choices, dialect: Dialect, exchange: Array, fuel: int) -> None:
        self._choices: Final = choices
        self.dialect: Final = dialect
        self._fuel = fuel
        self._names = 0
        self.make: Final = Expressions(choices, dialect)
        self.exchange: Final = exchange

    def block(self, scope: Scope) -> Lines:
        """Some statements, in braces."""
        lines: Lines = []
        length = 6 if scope.depth == 0 else 3
        more = True
        while more:
            with self._choices.span():
                more = self._fuel > 0 and self.make.upto(length) > 0
                if more:
                    self._fuel -= 1
                    made = self._statement(scope)
                    made, scope = made if isinstance(made, tuple) else (made, scope)
                    lines += made
        return braced(lines)

    def _statement(self, scope: Scope) -> Lines | tuple[Lines, Scope]:
        allowed = [k for k in self.dialect.kinds if k.allowed(scope)]
        turn = self.make.upto(sum(k.share for k in allowed) - 1)
        for kind in allowed:
            turn -= kind.share
            if turn < 0:
                return kind.write(self, scope)
        raise AssertionError("the shares have a sum")

    def name(self, prefix: str) -> str:
        """A name that nothing else in the function has."""
        self._names += 1
        return f"{prefix}{self._names}"


def braced(lines: Lines) -> Lines:
    return ["{", *indented(lines), "}"]


def indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]
