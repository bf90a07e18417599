# SPDX-License-Identifier: Apache-2.0
"""Parser of modules: PTX text to the model.

The output of compilers is accepted unchanged. An unknown instruction is kept and listed in `Module.unknown`; anything
else that breaks the grammar is a CompileError with file, line and column.

Source: PTX ISA 9.0, chapters 4 to 11.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.ptx.language.body_parser import BodyParser
from lanewise.ptx.language.declaration_parser import LINKAGE, SPACES
from lanewise.ptx.language.lexer import Source
from lanewise.ptx.language.module import Function, Module
from lanewise.ptx.language.statements import Declaration, Directive

_VERSION: Final = re.compile(r"([0-9]{1,3})\.([0-9]{1,3})").fullmatch
_TARGET: Final = re.compile(
    r"(?:sm|compute)_[0-9]+[af]?|texmode_unified|texmode_independent|map_f64_to_f32|debug"
).fullmatch
OLDEST: Final = (1, 0)
NEWEST: Final = (9, 9)
"""Versions of the ISA that are accepted. The table of opcodes was written from 9.0. A later 9.x adds instructions,
which are then unknown, and changes no others (PTX ISA, 12 "Release Notes")."""


def parse(text: str, file: str = "<ptx>") -> Module:
    """The module that `text` holds. `file` names it in errors.

    A NUL at its end, as in a string of C, is dropped. Raises CompileError for anything that is not PTX of ISA 3.1 to
    9.x.
    """
    return _ModuleParser(Source(text.removesuffix("\0"), file)).module()


class _ModuleParser(BodyParser):
    __slots__ = ()

    def module(self) -> Module:
        made = Module(self.source, (0, 0), (), 64, [], self.unknown, states_address_size=False)
        self._header(made)
        while token := self.t[self.i]:
            if token in (".address_size", ".target"):
                self._header_line(made)
            elif token == "@@":
                made.items.append(self.dwarf_line())
            elif token == ";":
                self.i += 1
            elif token[0] != ".":
                raise self.wrong("a directive")
            else:
                made.items.append(self._item())
        for item in made.items:
            if isinstance(item, Function):
                item.module = made
        return made

    def _header(self, made: Module) -> None:
        if self.t[self.i] != ".version":
            raise self.wrong("'.version', with which PTX begins")
        self.i += 1
        at = self.i
        match = _VERSION(self.t[at])
        if match is None:
            raise self.wrong("a version such as 8.0")
        self.i += 1
        made.version = (int(match[1]), int(match[2]))
        if not OLDEST <= made.version <= NEWEST:
            raise self.source.error(
                self.source.starts[at], f"PTX of ISA {match[0]}: versions 1.0 to 9.x can be read"
            )  # fmt: skip
        if self.t[self.i] != ".target":
            raise self.wrong("'.target', which follows '.version'")
        self._header_line(made)

    def _header_line(self, made: Module) -> None:
        name = self.t[self.i]
        self.i += 1
        if name == ".address_size":
            made.address_size = self.plain_number()
            made.states_address_size = True
            if made.address_size not in (32, 64):
                self.i -= 1
                raise self.wrong("32 or 64")
            return
        targets = [self._target()]
        while self.accept(","):
            targets.append(self._target())
        made.targets += tuple(targets)

    def _target(self) -> str:
        """A target, or an option such as `debug` (11.1.2)."""
        word = self.t[self.i]
        if not _TARGET(word):
            raise self.wrong("a target such as sm_80")
        self.i += 1
        return word

    def _item(self) -> Function | Declaration | Directive:
        at = self.i
        while self.t[at] in LINKAGE:
            at += 1
        if self.t[at] in (".entry", ".func"):
            return self._function()
        if self.t[at] in SPACES or at > self.i:
            return self.declaration()
        return self.directive()

    def _function(self) -> Function:
        begin = self.i
        linkage: list[str] = []
        while self.t[self.i] in LINKAGE:
            linkage.append(self.t[self.i])
            self.i += 1
        is_kernel = self.t[self.i] == ".entry"
        self.i += 1
        attributes = self.attributes()
        results = self.parameters() if self.t[self.i] == "(" and not is_kernel else ()
        made = Function(self.word("the name of a function"), is_kernel, (), results, tuple(linkage), attributes)
        if self.t[self.i] == "(":
            made.parameters = self.parameters()
        made.directives = self.function_directives()
        if self.t[self.i] == "{":
            made.body = self.block()
        elif not self.accept(";"):
            raise self.wrong("'{', ';' or a directive such as '.maxntid'")
        made.start = self.source.starts[begin]
        made.end = self.source.starts[self.i - 1] + 1
        return made
