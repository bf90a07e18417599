# SPDX-License-Identifier: Apache-2.0
"""Reads one instruction: a method for each form of the op table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.cursor import VALUE_WORDS, Cursor, address_space
from lanewise.ir.function import Block
from lanewise.ir.instruction import CallSite, Instruction, Ordering
from lanewise.ir.lexer import IRSyntaxError
from lanewise.ir.names import unquoted
from lanewise.ir.ops import OPS, ORDERINGS
from lanewise.ir.types import Type
from lanewise.ir.values import Global, Value

_TAIL_WORDS: Final = frozenset({"tail", "musttail", "notail"})
_ELEMENT_OPERANDS: Final = {"extractelement": 2, "insertelement": 3, "shufflevector": 3}


class InstructionReader(Cursor):
    """Reads the operation after `%name =`. `FunctionReader` knows what local names mean."""

    __slots__ = ("named_types",)

    def __init__(self, symbols: dict[str, Global], named_types: dict[str, Type | None]) -> None:
        super().__init__([], 0, symbols)
        self.named_types = named_types

    def block(self, name: str) -> Block:
        """The block %name. Outside a function there are none."""
        raise self.wrong("no label")

    def instruction(self) -> Instruction:
        """The instruction that starts with the next token, without name and metadata."""
        op = self.t[self.i]
        if op in _TAIL_WORDS:
            return self.read_call(op)
        row = OPS.get(op)
        if row is None:
            raise self.wrong("an instruction of the kernel IR")
        self.i += 1
        return _FORMS[row.form](self, op)

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
        return self.block(unquoted(token[1:]))

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
        """`[syncscope("...")] [ordering [ordering]] [, align N]` after a memory access."""
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
        """`noundef align 4 %x` after the type: attributes and value."""
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


_FORMS: Final[dict[str, Callable[[InstructionReader, str], Instruction]]] = {
    "binary": InstructionReader.read_binary,
    "unary": InstructionReader.read_unary,
    "cast": InstructionReader.read_cast,
    "compare": InstructionReader.read_compare,
    "phi": InstructionReader.read_phi,
    "select": InstructionReader.read_select,
    "element": InstructionReader.read_element,
    "aggregate": InstructionReader.read_aggregate,
    "address": InstructionReader.read_address,
    "memory": InstructionReader.read_memory,
    "call": InstructionReader.read_call,
    "terminator": InstructionReader.read_terminator,
}
