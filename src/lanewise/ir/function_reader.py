# SPDX-License-Identifier: Apache-2.0
"""Reads the body of one function: labels, instructions, debug records."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.cursor import VALUE_WORDS, Cursor, address_space
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import DEBUG_RECORD_PREFIX, CallSite, Instruction, Metadata, Ordering
from lanewise.ir.lexer import IRSyntaxError, split_attachments, tokens, without_comment
from lanewise.ir.names import is_number, unquoted
from lanewise.ir.ops import OPS, ORDERINGS
from lanewise.ir.types import Type
from lanewise.ir.values import HOLE, Global, Value

_LABEL: Final = re.compile(r'^("[^"]*"|[-a-zA-Z$._0-9]+):\s*(?:;.*)?$')
_TAIL_WORDS: Final = frozenset({"tail", "musttail", "notail"})
_ELEMENT_OPERANDS: Final = {"extractelement": 2, "insertelement": 3, "shufflevector": 3}


@final
class _Forward(Value):
    """Stands for a local value that is used before its definition is read."""

    __slots__ = ("line",)


@final
class FunctionReader(Cursor):
    """Reads one body after another with the module's symbols and constants."""

    __slots__ = ("blocks", "first_uses", "function", "locals", "named_types")

    def __init__(self, symbols: dict[str, Global], named_types: dict[str, Type | None]) -> None:
        super().__init__([], 0, symbols)
        self.named_types = named_types

    def read_body(self, function: Function, parameters: list[str], lines: list[str], first_line: int) -> None:
        """Fill `function` from the lines between its braces; `first_line` is the number of the first. `parameters`
        are their names in the text, "" where one has the next number."""
        self.function = function
        self.locals: dict[str, Value] = {}
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
            line = without_comment(lines[at])
            number = first_line + at
            at += 1
            if not line or line.isspace():
                continue
            label = _LABEL.match(line)
            if label is not None:
                block = self._begin_block(unquoted(label.group(1)), numbers, number)
                continue
            if block is None:
                block = self._begin_block(str(numbers.following), numbers, number)
            if line.lstrip().startswith(DEBUG_RECORD_PREFIX):
                self.start(tokens(line), number)
                block.append(self._debug_record())
                continue
            text, metadata = split_attachments(line)
            if text.rstrip().endswith("["):  # the cases of a switch stand on lines of their own
                while at < len(lines) and not text.endswith("]"):
                    more, metadata = split_attachments(without_comment(lines[at]))
                    text = f"{text} {more}".rstrip()
                    at += 1
            self.start(tokens(text), number)
            instruction = self._instruction(metadata, numbers)
            self.expect_end()
            block.append(instruction)
        self._check_all_defined()

    # -- names -------------------------------------------------------------------------------------------------

    def local(self, name: str, type_: Type) -> Value:
        name = unquoted(name)
        found = self.locals.get(name)
        if found is None:
            if type_ is ty.LABEL:
                return self._block(name)
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

    def _block(self, name: str) -> Block:
        found = self.blocks.get(name)
        if found is None:
            found = self.blocks[name] = Block(None if is_number(name) else name)
            self.first_uses[name] = self.line
        return found

    def _begin_block(self, name: str, numbers: _Numbers, line: int) -> Block:
        block = self._block(name)
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
            token = self.t[2]
        if token in _TAIL_WORDS:
            form = "call"
        else:
            row = OPS.get(token)
            if row is None:
                raise self.wrong("an instruction of the kernel IR")
            form = row.form
            self.i += 1
        instruction = _FORMS[form](self, token)
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

    def flags(self, allowed: frozenset[str]) -> tuple[str, ...]:
        first = self.i
        t = self.t
        i = first
        while t[i] in allowed:
            i += 1
        self.i = i
        return tuple(t[first:i]) if i > first else ()

    def second_of(self, first: Value) -> Value:
        """`, value` of the same type."""
        self.expect(",")
        return self.value(first.type)

    def read_binary(self, op: str) -> Instruction:
        flags = self.flags(OPS[op].flags)
        a = self.value(self.type())
        return Instruction(op, a.type, (a, self.second_of(a)), flags=flags)

    def read_unary(self, op: str) -> Instruction:
        flags = self.flags(OPS[op].flags)
        a = self.typed_value()
        return Instruction(op, a.type, (a,), flags=flags)

    def read_cast(self, op: str) -> Instruction:
        flags = self.flags(OPS[op].flags)
        a = self.typed_value()
        self.expect("to")
        return Instruction(op, self.type(), (a,), flags=flags)

    def read_compare(self, op: str) -> Instruction:
        flags = self.flags(OPS[op].flags)
        predicate = self.next()
        a = self.typed_value()
        b = self.second_of(a)
        return Instruction(op, ty.I1.with_shape_of(a.type), (a, b), flags=flags, predicate=predicate)

    def read_phi(self, op: str) -> Instruction:
        flags = self.flags(OPS[op].flags)
        type_ = self.type()
        operands: list[Value] = []
        if not self.t[self.i]:  # in a block that nothing branches to
            return Instruction(op, type_, operands, flags=flags)
        while True:
            self.expect("[")
            operands.append(self.value(type_))
            self.expect(",")
            operands.append(self._label())
            self.expect("]")
            if not self.accept(","):
                return Instruction(op, type_, operands, flags=flags)

    def _label(self) -> Block:
        token = self.next()
        if token[0] != "%":
            self.i -= 1
            raise self.wrong("a label")
        return self._block(unquoted(token[1:]))

    def read_select(self, op: str) -> Instruction:
        flags = self.flags(OPS[op].flags)
        condition = self.typed_value()
        self.expect(",")
        a = self.typed_value()
        self.expect(",")
        return Instruction(op, a.type, (condition, a, self.typed_value()), flags=flags)

    def read_element(self, op: str) -> Instruction:
        operands = [self.typed_value()]
        while self.accept(","):
            operands.append(self.typed_value())
        type_ = operands[0].type
        if not type_.is_vector or len(operands) != _ELEMENT_OPERANDS[op]:
            raise self.wrong(f"{_ELEMENT_OPERANDS[op]} operands, the first a vector")
        if op == "extractelement":
            type_ = type_.inner
        elif op == "shufflevector":
            type_ = ty.vector(operands[2].type.count, type_.inner, operands[2].type.scalable)
        return Instruction(op, type_, operands)

    def read_aggregate(self, op: str) -> Instruction:
        operands = [self.typed_value()]
        self.expect(",")
        if op == "insertvalue":
            operands.append(self.typed_value())
            self.expect(",")
        indices = [self.number()]
        while self.accept(","):
            indices.append(self.number())
        type_ = operands[0].type
        if op == "extractvalue":
            for index in indices:
                type_ = self._member(type_, index)
        return Instruction(op, type_, operands, indices=tuple(indices))

    def _member(self, type_: Type, index: int) -> Type:
        body = self.named_types.get(type_.name) if type_.kind == "named" else type_
        if body is not None and body.kind == "array" and index < body.count:
            return body.inner
        if body is None or body.kind != "struct" or index >= len(body.fields):
            raise IRSyntaxError(self.line, str(index), f"the index of a member of {type_}")
        return body.fields[index]

    def read_address(self, op: str) -> Instruction:
        flags: list[str] = []
        while self.t[self.i] in ("inbounds", "nuw", "nusw", "inrange"):
            flags.append(self.word_with_group())
        source_type = self.type()
        operands: list[Value] = []
        while self.accept(","):
            operands.append(self.typed_value())
        if not operands:
            raise self.wrong("an address")
        type_ = operands[0].type
        for index in operands[1:]:
            if index.type.is_vector and not type_.is_vector:
                type_ = type_.with_shape_of(index.type)
        return Instruction(op, type_, operands, flags=tuple(flags), source_type=source_type)

    def read_memory(self, op: str) -> Instruction:
        flags = self.flags(OPS[op].flags)
        if op == "load":
            source_type = self.type()
            self.expect(",")
            return self._access(
                Instruction(op, source_type, (self.typed_value(),), flags=flags, source_type=source_type)
            )
        if op == "store":
            stored = self.typed_value()
            self.expect(",")
            return self._access(Instruction(op, ty.VOID, (stored, self.typed_value()), flags=flags))
        if op == "alloca":
            return self._alloca(flags)
        if op == "fence":
            return self._access(Instruction(op, ty.VOID))
        if op == "va_arg":
            source = self.typed_value()
            self.expect(",")
            return Instruction(op, self.type(), (source,))
        predicate = self.next() if op == "atomicrmw" else ""
        pointer = self.typed_value()
        self.expect(",")
        value = self.typed_value()
        if op == "atomicrmw":
            return self._access(Instruction(op, value.type, (pointer, value), flags=flags, predicate=predicate))
        self.expect(",")
        result = ty.struct((value.type, ty.I1))
        return self._access(Instruction(op, result, (pointer, value, self.typed_value()), flags=flags))

    def _alloca(self, flags: tuple[str, ...]) -> Instruction:
        source_type = self.type()
        operands: list[Value] = []
        align = space = 0
        while self.accept(","):
            if self.accept("align"):
                align = self.number()
            elif self.accept("addrspace"):
                self.expect("(")
                space = self.number()
                self.expect(")")
            else:
                operands.append(self.typed_value())
        return Instruction("alloca", ty.pointer(space), operands, flags=flags, source_type=source_type, align=align)

    def _access(self, instruction: Instruction) -> Instruction:
        """`[syncscope("...")] [ordering [ordering]] [, align N]` behind a memory access."""
        t = self.t
        if t[self.i] == "syncscope" or t[self.i] in ORDERINGS:
            scope = self.word_with_group() if t[self.i] == "syncscope" else ""
            success = self.next()
            failure = self.next() if t[self.i] in ORDERINGS else ""
            instruction.ordering = Ordering(success, failure, scope)
        if t[self.i] == "," and t[self.i + 1] == "align":
            self.i += 2
            instruction.align = self.number()
        return instruction

    def read_call(self, op: str) -> Instruction:
        flags: list[str] = []
        if op in _TAIL_WORDS:
            flags.append(self.next())
            self.expect("call")
        flags += self.flags(OPS["call"].flags)
        prefix: list[str] = []
        while not self.at_type():
            prefix.append(self.word_with_group())
        result = self.type()
        function_type = self.function_type_after(result) if self.t[self.i] == "(" else None
        operands = [self.value(ty.pointer(address_space(" ".join(prefix))))]
        types: list[Type] = []
        attributes: list[tuple[str, ...]] = []
        self.expect("(")
        while not self.accept(")"):
            if types:
                self.expect(",")
            if self.t[self.i] == "...":
                raise self.wrong("an argument (a musttail call that passes on `...` is not read)")
            types.append(self.type())
            words, value = self._argument(types[-1])
            attributes.append(words)
            operands.append(value)
        if function_type is None:
            function_type = ty.function(result, tuple(types))
        if self.t[self.i] == ",":
            raise self.wrong("metadata, or the end of the instruction")
        site = CallSite(function_type, tuple(prefix), tuple(attributes), self.rest())
        return Instruction("call", result, operands, flags=tuple(flags), call=site)

    def _argument(self, type_: Type) -> tuple[tuple[str, ...], Value]:
        """`noundef align 4 %x` behind the type: attributes and value."""
        if type_ is ty.METADATA:
            if self.at_type() and self._next_is_local():
                return ("metadata",), self.typed_value()
            return (), self.value(type_)
        words: list[str] = []
        while self.t[self.i][:1].isalpha() and self.t[self.i] not in VALUE_WORDS and self.t[self.i][:2] != 'c"':
            words.append(self.word_with_group())
        return tuple(words), self.value(type_)

    def _next_is_local(self) -> bool:
        """A typed value comes next, and it is a local one."""
        start = self.i
        self.type()
        found = self.t[self.i][:1] == "%"
        self.i = start
        return found

    def read_terminator(self, op: str) -> Instruction:
        if op == "unreachable":
            return Instruction(op, ty.VOID)
        type_ = self.type()
        if op == "ret":
            return Instruction(op, ty.VOID, () if type_ is ty.VOID else (self.value(type_),))
        operands = [self.value(type_)]
        if op == "br":
            while self.accept(","):
                operands.append(self.typed_value())
            return Instruction(op, ty.VOID, operands)
        self.expect(",")
        if op == "switch":
            operands.append(self.typed_value())
            self.expect("[")
            while not self.accept("]"):
                operands.append(self.typed_value())
                self.expect(",")
                operands.append(self.typed_value())
        else:
            self.expect("[")
            while not self.accept("]"):
                operands.append(self.typed_value())
                self.accept(",")
        return Instruction(op, ty.VOID, operands)

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


_FORMS: Final[dict[str, Callable[[FunctionReader, str], Instruction]]] = {
    "binary": FunctionReader.read_binary,
    "unary": FunctionReader.read_unary,
    "cast": FunctionReader.read_cast,
    "compare": FunctionReader.read_compare,
    "phi": FunctionReader.read_phi,
    "select": FunctionReader.read_select,
    "element": FunctionReader.read_element,
    "aggregate": FunctionReader.read_aggregate,
    "address": FunctionReader.read_address,
    "memory": FunctionReader.read_memory,
    "call": FunctionReader.read_call,
    "terminator": FunctionReader.read_terminator,
}
