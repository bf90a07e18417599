# SPDX-License-Identifier: Apache-2.0
"""Reads the body of one function: labels, instructions, debug records."""

from __future__ import annotations

import re
from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import DEBUG_RECORD_PREFIX, Instruction, Metadata
from lanewise.ir.instruction_reader import InstructionReader
from lanewise.ir.lexer import IRSyntaxError, split_attachments, tokens, without_comment
from lanewise.ir.names import is_number, unquoted
from lanewise.ir.plain_lines import PlainLines
from lanewise.ir.types import Type
from lanewise.ir.values import HOLE, Global, Value

_LABEL: Final = re.compile(r'^("[^"]*"|[-a-zA-Z$._0-9]+):\s*(?:;.*)?$')
_NAMED: Final = re.compile(r"  %([-\w$.]+) = ", re.ASCII).match


@final
class _Forward(Value):
    """A placeholder for a local value that is used before its definition is read."""

    __slots__ = ("line",)


@final
class FunctionReader(InstructionReader):
    """Reads one body after another with the module's symbols and constants."""

    __slots__ = ("blocks", "first_uses", "function", "locals", "plain")

    def __init__(self, symbols: dict[str, Global], named_types: dict[str, Type | None]) -> None:
        super().__init__(symbols, named_types)
        self.plain = PlainLines(self, self.block, self.local)

    def read_body(self, function: Function, parameters: list[str], lines: list[str], first_line: int) -> None:
        """Fill `function` from the lines between its braces; `first_line` is the number of the first. `parameters`
        are their names in the text, "" for one that has the next number."""
        self.function = function
        self.locals: dict[str, Value] = {}
        self.plain.locals = self.locals
        self.blocks: dict[str, Block] = {}
        self.first_uses: dict[str, int] = {}
        numbers = _Numbers()
        self.line = first_line - 1
        for argument, name in zip(function.arguments, parameters, strict=True):
            if is_number(name):
                numbers.skip_past(name)
            name = name or numbers.take()
            if name in self.locals:
                raise IRSyntaxError(self.line, f"%{name}", "parameters of different names")
            self.locals[name] = argument
        block: Block | None = None
        at = 0
        while at < len(lines):
            line = lines[at]
            number = first_line + at
            at += 1
            if not line:
                continue
            if line[0] != " ":
                label = _LABEL.match(line)
                if label is not None:
                    block = self._begin_block(unquoted(label.group(1)), numbers, number)
                    continue
            elif block is not None and line[:2] == "  " and self._read_plainly(line, block, numbers, number):
                continue
            line = without_comment(line)
            if not line or line.isspace():
                continue
            if block is None:
                block = self._begin_block(str(numbers.following), numbers, number)
            if line.lstrip().startswith(DEBUG_RECORD_PREFIX):
                self.start(tokens(line), number)
                block.append(self._debug_record())
                continue
            text, metadata = split_attachments(line)
            if text.rstrip().endswith("["):  # the cases of a switch are on lines of their own
                while at < len(lines) and not text.endswith("]"):
                    more, metadata = split_attachments(without_comment(lines[at]))
                    text = f"{text} {more}".rstrip()
                    at += 1
            self.start(tokens(text), number)
            instruction = self._instruction(metadata, numbers)
            self.expect_end()
            block.append(instruction)
        self._check_all_defined()

    def _read_plainly(self, line: str, block: Block, numbers: _Numbers, number: int) -> bool:
        """Read an instruction in its commonest spelling; False if it has another."""
        named = _NAMED(line)
        self.line = number
        if line[2:3] == " ":
            record = self.plain.read_record(line)
            if record is not None:
                block.append(record)
            return record is not None
        read = self.plain.read(line[2:] if named is None else line[named.end() :])
        if read is None:
            return False
        instruction = self._finished(read[0], None if named is None else named[1], read[1], numbers)
        block.append(instruction)
        return True

    # -- names -------------------------------------------------------------------------------------------------

    def local(self, name: str, type_: Type) -> Value:
        name = unquoted(name)
        found = self.locals.get(name)
        if found is None:
            if type_ is ty.LABEL:
                return self.block(name)
            found = self.locals[name] = _Forward(type_, name)
            found.line = self.line
        if found.type is not type_:
            raise IRSyntaxError(self.line, f"{found.type} %{name}", f"a value of type {type_}")
        return found

    def _define(self, name: str, instruction: Instruction) -> None:
        before = self.locals.get(name)
        if before is not None:
            if before.__class__ is not _Forward:
                raise IRSyntaxError(self.line, f"%{name}", "a name that is not defined already")
            if before.type is not instruction.type:
                expected = f"a value of type {before.type}, as an earlier use says"
                raise IRSyntaxError(self.line, f"{instruction.type} %{name}", expected)
            before.replace_all_uses(instruction)
        self.locals[name] = instruction

    def block(self, name: str) -> Block:
        found = self.blocks.get(name)
        if found is None:
            found = self.blocks[name] = Block(None if is_number(name) else name)
            self.first_uses[name] = self.line
        return found

    def _begin_block(self, name: str, numbers: _Numbers, line: int) -> Block:
        block = self.block(name)
        if block.function is not None:
            raise IRSyntaxError(line, name, "a label used once")
        if block.name is None:
            numbers.skip_past(name)
        block.function = self.function
        self.function.blocks.append(block)
        return block

    def _check_all_defined(self) -> None:
        for name, value in self.locals.items():
            if isinstance(value, _Forward):
                raise IRSyntaxError(value.line, f"%{name}", "a value that the function defines")
        for name, block in self.blocks.items():
            if block.function is None:
                raise IRSyntaxError(self.first_uses[name], f"%{name}", "a block of the function")

    # -- instructions ------------------------------------------------------------------------------------------

    def _instruction(self, metadata: Metadata, numbers: _Numbers) -> Instruction:
        token = self.t[0]
        name: str | None = None
        if token[:1] == "%" and self.t[1] == "=":
            name = unquoted(token[1:])
            self.i = 2
        return self._finished(self.instruction(), name, metadata, numbers)

    def _finished(
        self, instruction: Instruction, name: str | None, metadata: Metadata, numbers: _Numbers
    ) -> Instruction:
        """The instruction with its name and metadata."""
        instruction.metadata = metadata
        if instruction.type is not ty.VOID:
            if name is None:
                name = numbers.take()
            elif is_number(name):
                numbers.skip_past(name)
            else:
                instruction.name = name
            self._define(name, instruction)
        elif name is not None:
            raise IRSyntaxError(self.line, f"%{name}", "no name for an instruction without result")
        return instruction

    # -- debug records -------------------------------------------------------------------------------------

    def _debug_record(self) -> Instruction:
        """`#dbg_value(i32 %x, !12, !DIExpression(), !13)`: text, with a hole for each value in it."""
        name = self.next()
        operands: list[Value] = []
        parts: list[str] = []
        self.expect("(")
        while not self.accept(")"):
            if parts:
                self.expect(",")
            if self.t[self.i] == "!DIArgList":
                parts.append(f"{self.next()}({self._record_values(operands)})")
            elif self.t[self.i][:1] == "!":
                parts.append(self.metadata_node())
            else:
                parts.append(self._record_value(operands))
        self.expect_end()
        return Instruction(name, ty.VOID, operands, predicate=", ".join(parts))

    def _record_values(self, operands: list[Value]) -> str:
        self.expect("(")
        parts: list[str] = []
        while not self.accept(")"):
            if parts:
                self.expect(",")
            parts.append(self._record_value(operands))
        return ", ".join(parts)

    def _record_value(self, operands: list[Value]) -> str:
        operands.append(self.typed_value())
        return f"{operands[-1].type} {HOLE}"


@final
class _Numbers:
    """The running number of unnamed arguments, blocks and results."""

    __slots__ = ("following",)

    def __init__(self) -> None:
        self.following = 0

    def take(self) -> str:
        self.following += 1
        return str(self.following - 1)

    def skip_past(self, name: str) -> None:
        self.following = int(name) + 1
