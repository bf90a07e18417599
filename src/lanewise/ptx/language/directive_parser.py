# SPDX-License-Identifier: Apache-2.0
"""Parser of directives other than declarations, inside and outside of functions.

Each is checked, so that a forgotten semicolon can't make it swallow the next line.

Source: PTX ISA 9.0, chapter 11 "Directives"; `@@DWARF` is described in manuals up to 2.0 and still accepted by ptxas.
"""

from __future__ import annotations

from typing import Final

from lanewise.ptx.language.declaration_parser import DeclarationParser
from lanewise.ptx.language.operand_parser import NAME_BEGINS
from lanewise.ptx.language.statements import Directive

_DATA: Final = frozenset({".b8", ".b16", ".b32", ".b64"})
FUNCTION_DIRECTIVES: Final = {
    ".maxnreg": 1, ".maxntid": 3, ".reqntid": 3, ".minnctapersm": 1, ".maxnctapersm": 1, ".noreturn": 0,
    ".explicitcluster": 0, ".reqnctapercluster": 3, ".maxclusterrank": 1, ".blocksareclusters": 0,
    ".abi_preserve": 1, ".abi_preserve_control": 1,
}  # fmt: skip
"""Directives between the parameters of a function and its body, with the largest count of numbers that each takes."""


class DirectiveParser(DeclarationParser):
    """`.loc`, `.file`, `.section`, `.pragma`, tables of labels, prototypes, and performance directives."""

    __slots__ = ()

    def directive(self) -> Directive:
        """A line that starts with a dot and declares nothing."""
        begin = self.i
        self.i += 1
        ended = True
        match self.t[begin]:
            case ".loc":
                ended = self._location()
            case ".section":
                ended = self._section()
            case ".file":
                ended = self._file()
            case ".pragma":
                self._pragma()
            case ".branchtargets" | ".calltargets":
                self._list_of_names()
            case ".alias":
                self.word("the name of a function")
                self.expect(",")
                self.word("the name of a function")
            case ".callprototype":
                self._prototype()
            case _:
                self.i = begin
                raise self.wrong("a directive of PTX")
        end = self.i
        if ended:
            self.expect(";")
        starts, last = self.source.starts, self.i - 1
        return Directive(tuple(self.t[begin:end]), ended, starts[begin], starts[last] + len(self.t[last]))

    def dwarf_line(self) -> Directive:
        """`@@DWARF ...`, debug information in old PTX, which ends with its line: one word of the model."""
        source = self.source
        begin = source.starts[self.i]
        end = source.text.find("\n", begin)
        while self.t[self.i] and (end < 0 or source.starts[self.i] < end):
            self.i += 1
        last = source.starts[self.i - 1] + len(self.t[self.i - 1])
        return Directive((source.text[begin:last],), False, begin, last)

    def function_directives(self) -> tuple[tuple[str, ...], ...]:
        """The directives between the parameters of a function and its body."""
        found: list[tuple[str, ...]] = []
        while (word := self.t[self.i])[:1] == ".":
            begin = self.i
            greatest = FUNCTION_DIRECTIVES.get(word)
            if greatest is not None:
                self.i += 1
                found.append((word, *self._numbers(greatest)))
            elif word == ".pragma":
                self.i += 1
                self._pragma()
                found.append(tuple(self.t[begin : self.i]))
                self.expect(";")
            else:
                raise self.wrong("'{', ';' or a directive such as '.maxntid'")
        return tuple(found)

    def _numbers(self, greatest: int) -> list[str]:
        """One to `greatest` numbers, and the commas between them; empty if `greatest` is 0."""
        found = [str(self.plain_number())] if greatest else []
        while len(found) + 1 < 2 * greatest and self.accept(","):
            found += (",", str(self.plain_number()))
        return found

    def _location(self) -> bool:
        """`.loc file line column [, function_name label [+ offset], inlined_at file line column]` (11.5.3)"""
        for _ in range(3):
            self.plain_number()
        if self.t[self.i] == "," and self.t[self.i + 1] == "function_name":
            self.i += 2
            if not self.accept(".debug_str"):
                self.word("a label")
            if self.accept("+"):
                self.plain_number()
            self.expect(",")
            self.expect("inlined_at")
            for _ in range(3):
                self.plain_number()
        return False

    def _file(self) -> bool:
        """`.file number "name" [, time, size]` (11.5.2)"""
        self.plain_number("the number of the file")
        self.string("the name of a file in quotes")
        while self.accept(","):
            self.plain_number()
        return False

    def _pragma(self) -> None:
        self.string("a string in quotes")
        while self.accept(","):
            self.string("a string in quotes")

    def _list_of_names(self) -> None:
        self.word("a name")
        while self.accept(","):
            self.word("a name")

    def _prototype(self) -> None:
        """`.callprototype [(result)] name (parameters) [.noreturn] [.abi_preserve n]` (11.1.4)"""
        if self.t[self.i] == "(":
            self.parameters()
        self.word("the name of the prototype, '_'")
        if self.t[self.i] == "(":
            self.parameters()
        self.function_directives()

    def _section(self) -> bool:
        """`.section name { data }` (11.5.1)"""
        t = self.t
        if t[self.i][:1] not in NAME_BEGINS | {"."}:
            raise self.wrong("the name of a section")
        self.i += 1
        self.expect("{")
        while (token := t[self.i]) != "}":
            if token in _DATA:
                self.i += 1
                self._datum()
                while t[self.i] == ",":
                    self.i += 1
                    self._datum()
            elif token[:1] in NAME_BEGINS and t[self.i + 1] == ":":
                self.i += 2
            else:
                raise self.wrong("data such as '.b8 1', a label or '}'")
        self.i += 1
        return False

    def _datum(self) -> None:
        """A number, a section or a label, the latter two with an offset; the difference of two labels."""
        first = self.t[self.i][:1]
        if first in NAME_BEGINS or first == ".":
            self.i += 1
            if self.t[self.i] in ("+", "-"):
                self.i += 1
                if self.t[self.i][:1] in NAME_BEGINS:
                    self.i += 1
                else:
                    self.plain_number()
            return
        self.accept("-")
        self.plain_number()
