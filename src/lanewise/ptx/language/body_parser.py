# SPDX-License-Identifier: Apache-2.0
"""Parser of function bodies."""

from __future__ import annotations

from typing import Final

from lanewise.errors import CompileError
from lanewise.ptx.language.declaration_parser import LINKAGE, SPACES
from lanewise.ptx.language.directive_parser import DirectiveParser
from lanewise.ptx.language.lexer import Source
from lanewise.ptx.language.module import UnknownInstruction
from lanewise.ptx.language.opcodes import OPCODES
from lanewise.ptx.language.operand_parser import NAME_BEGINS
from lanewise.ptx.language.statements import Block, Declaration, Directive, Guard, Instruction, Label, Statement

_FUNCTIONS: Final = frozenset({".entry", ".func"})


def _is_call(opcode: str) -> bool:
    return opcode[:4] == "call" and opcode[4:5] in ("", ".")


class BodyParser(DirectiveParser):
    """A function's statements."""

    __slots__ = ("unknown",)

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.unknown: list[UnknownInstruction] = []

    def block(self) -> Block:
        """`{ ... }`"""
        starts, t = self.source.starts, self.t
        begin = self.i
        self.deeper()
        self.expect("{")
        statements: list[Statement] = []
        append = statements.append
        while (token := t[self.i]) != "}":
            first = token[:1]
            if first in NAME_BEGINS:
                append(self._label() if t[self.i + 1] == ":" else self._instruction(None, starts[self.i]))
            elif first == ".":
                append(self.declaration() if token in SPACES else self._directive(begin))
            elif first == "@":
                append(self._guarded())
            elif first == "{":
                append(self.block())
            elif first == ";":
                self.i += 1
            else:
                raise self.wrong("a statement or '}'") if token else self._no_closing(begin)
        self.i += 1
        self.back()
        return Block(statements, starts[begin], starts[self.i - 1] + 1)

    def _no_closing(self, begin: int) -> CompileError:
        """The error for a missing end of the block that starts at `begin`."""
        return self.wrong(f"'}}' for the '{{' of line {self.source.line(self.source.starts[begin])}")

    def _directive(self, begin: int) -> Directive | Declaration:
        at = self.i
        while self.t[at] in LINKAGE:
            at += 1
        if self.t[at] in _FUNCTIONS:
            raise self._no_closing(begin)
        return self.declaration() if at > self.i else self.directive()

    def _label(self) -> Label:
        begin = self.i
        name = self.word("a label")
        self.i += 1
        return Label(name, self.source.starts[begin], self.source.starts[begin + 1] + 1)

    # -- instructions ------------------------------------------------------------------------------------------

    def _guarded(self) -> Instruction | Directive:
        if self.t[self.i] == "@@":
            return self.dwarf_line()
        begin = self.source.starts[self.i]
        self.i += 1
        negated = self.accept("!")
        guard = Guard(self.name(self.word("a predicate")), negated)
        return self._instruction(guard, begin)

    def _instruction(self, guard: Guard | None, start: int) -> Instruction:
        t = self.t
        opcode = t[self.i]
        first = opcode[:1]
        if first not in NAME_BEGINS or first in "%$_":
            raise self.wrong("an instruction")
        self.i += 1
        while t[self.i][:1] == "." and t[self.i][1:2].isalpha():  # modifiers after a space
            opcode += t[self.i]
            self.i += 1
        operands = self.operands_of_call() if _is_call(opcode) else self.operands()
        if t[self.i] != ";":
            raise self.missing("',' or ';'")
        end = self.source.starts[self.i] + 1
        self.i += 1
        made = Instruction(opcode, operands, guard, start, end)
        if made.name not in OPCODES:
            self.unknown.append(UnknownInstruction(opcode, self.source.line(start)))
        return made
