# SPDX-License-Identifier: Apache-2.0
"""Parser of operands at a position among the tokens."""

from __future__ import annotations

from typing import Final

from lanewise.ptx.language.constant_parser import ConstantParser
from lanewise.ptx.language.lexer import Source
from lanewise.ptx.language.operands import (
    Address,
    AddressList,
    Combined,
    Group,
    Immediate,
    Name,
    Negated,
    Offset,
    Operand,
    Pair,
    Vector,
)  # fmt: skip

NAME_BEGINS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%$_")
NUMBER_BEGINS: Final = frozenset("0123456789-+~(.!")


class OperandParser(ConstantParser):
    """Operands of all forms."""

    __slots__ = ("_names",)

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._names: dict[str, Name] = {}

    def name(self, text: str) -> Name:
        """The one object for all uses of a name, which was the last token."""
        found = self._names.get(text)
        if found is None:
            if text in ("%", "$"):
                self.i -= 1
                raise self.wrong("a name")
            found = self._names[text] = Name(text)
        return found

    def operands(self) -> tuple[Operand, ...]:
        """Operands separated by commas, up to a semicolon, which is not consumed."""
        t = self.t
        if t[self.i] == ";":
            return ()
        found = [self.operand()]
        while t[self.i] == ",":
            self.i += 1
            found.append(self.operand())
        return tuple(found)

    def operands_of_call(self) -> tuple[Operand, ...]:
        """The same for a call, which has results and arguments in round brackets."""
        found: list[Operand] = []
        while self.t[self.i] != ";":
            if found:
                if self.t[self.i] != ",":
                    break
                self.i += 1
            found.append(Group(self._items(")")) if self.t[self.i] == "(" else self.operand())
        return tuple(found)

    def operand(self) -> Operand:
        token = self.t[self.i]
        first = token[:1]
        if first in NAME_BEGINS:
            self.i += 1
            return self._after_name(self.name(token))
        if first == "[":
            return self.address()
        if first == "{":
            return self._paired(Vector(self._some("}", "a register")))
        if first in ("!", "-") and self.t[self.i + 1][:1] in NAME_BEGINS:
            self.i += 2
            return Negated(first, self.name(self.t[self.i - 1]))
        if first in NUMBER_BEGINS:
            return self.immediate()
        raise self.wrong("an operand")

    def _after_name(self, name: Name) -> Operand:
        following = self.t[self.i]
        if following in (",", ";"):
            return name
        if following == "|":
            return self._paired(name)
        if following in ("+", "-"):
            return Offset(name, self.whole_number())
        if following == "[":
            return Combined(name, self.address())
        return name

    def _paired(self, first: Name | Vector) -> Operand:
        """The operand, together with the predicate after a `|`, if there is one."""
        if self.t[self.i] != "|":
            return first
        self.i += 1
        return Pair(first, self.name(self.word("a predicate")))

    def _some(self, closing: str, what: str) -> tuple[Operand, ...]:
        """One item or more."""
        if self.t[self.i + 1] == closing:
            self.i += 1
            raise self.wrong(what)
        return self._items(closing)

    def _items(self, closing: str) -> tuple[Operand, ...]:
        self.deeper()
        self.i += 1
        found: list[Operand] = []
        while self.t[self.i] != closing:
            if found:
                if self.t[self.i] != ",":
                    raise self.missing(f"',' or {closing!r}")
                self.i += 1
            found.append(self.operand())
        self.i += 1
        self.back()
        return tuple(found)

    def address(self) -> Address | AddressList:
        """`[...]`"""
        t = self.t
        begin = self.i
        self.i += 1
        token = t[self.i]
        if token[:1] in NAME_BEGINS:
            self.i += 1
            base = self.name(token)
            following = t[self.i]
            if following == "]":
                self.i += 1
                return Address(base)
            if following in ("+", "-"):
                offset = self.whole_number()
                if not self.accept("]"):
                    raise self.missing("']' behind the offset")
                return Address(base, offset, not offset)
        elif token[:1] in NUMBER_BEGINS:
            number: Immediate = self.immediate()
            if self.accept("]"):
                return Address(number)
            raise self.missing("']'")
        self.i = begin
        return AddressList(self._some("]", "an address"))
