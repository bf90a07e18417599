# SPDX-License-Identifier: Apache-2.0
"""What a place in a random function may name."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from .operations import Expression
from .values import Number


@dataclass(frozen=True)
class Array:
    """An argument, or a part of one, with the range that its elements stay in."""

    name: str
    type: Number
    shape: tuple[int, ...]
    low: Any
    high: Any
    field: str = ""
    """The field of its elements that this is, if they are records."""

    @property
    def row(self) -> Array:
        """What an index of the first dimension leaves."""
        return replace(self, shape=self.shape[1:])

    def element(self, indices: list[str]) -> Expression:
        text = f"{self.name}[{', '.join(indices)}]"
        if self.field:
            text += f'["{self.field}"]'
        return Expression(text, self.type, self.low, self.high, whole=True)


@dataclass(frozen=True)
class Loop:
    """A loop variable and its range."""

    name: str
    low: int
    high: int

    @property
    def value(self) -> Expression:
        return Expression(self.name, int, self.low, self.high, whole=True)


@dataclass(frozen=True)
class Scope:
    """Names by kind. Each statement that declares something makes a new scope."""

    readable: tuple[Array, ...]
    """Arrays of which any element may be read."""
    stores: tuple[Expression, ...] = ()
    """Elements that may be read and written: those that belong to this iteration."""
    writable: tuple[Array, ...] = ()
    """Arrays of which any element may be written: in serial loops."""
    loops: tuple[Loop, ...] = ()
    variables: tuple[Expression, ...] = ()
    """Variables that may be read."""
    assignable: tuple[Expression, ...] = ()
    """Those among them that may be written, within their ranges."""
    constants: tuple[Expression, ...] = ()
    """Of the module."""
    helpers: tuple[Helper, ...] = ()
    depth: int = 0
    loop: str = ""
    """The kind of the innermost loop, if `break` and `continue` may stand here: "for" or "while"."""
    returns: bool = False
    """Whether an early `return` may stand here: of an integer."""

    def deeper(self, **changes: Any) -> Scope:
        return replace(self, **{"depth": self.depth + 1, **changes})

    def with_variable(self, variable: Expression, assignable: bool = True) -> Scope:
        more = (*self.assignable, variable) if assignable else self.assignable
        return replace(self, variables=(*self.variables, variable), assignable=more)


@dataclass(frozen=True)
class Helper:
    """A function of numbers that others call, and the range of its result."""

    name: str
    parameters: tuple[Expression, ...]
    result: Expression
    text: tuple[str, ...] = field(default=())
