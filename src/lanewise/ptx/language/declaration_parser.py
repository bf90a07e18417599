# SPDX-License-Identifier: Apache-2.0
"""Parser of declarations: variables, registers and parameters.

Source: PTX ISA 9.0, chapter 5 "State Spaces, Types, and Variables".
"""

from __future__ import annotations

from typing import Final

from lanewise.ptx.language.operand_parser import NAME_BEGINS, NUMBER_BEGINS, OperandParser
from lanewise.ptx.language.operands import Immediate, Name, Offset
from lanewise.ptx.language.statements import Declaration, Declarator, Initializer

SPACES: Final = frozenset({".reg", ".sreg", ".const", ".global", ".local", ".param", ".shared", ".tex"})
LINKAGE: Final = frozenset({".extern", ".visible", ".weak", ".common"})
_TYPES: Final = frozenset(
    {
        *(f".{kind}{bits}" for kind in "bsu" for bits in (8, 16, 32, 64)), ".b128", ".pred",
        ".f16", ".f16x2", ".bf16", ".bf16x2", ".tf32", ".f32", ".f32x2", ".f64", ".u16x2", ".s16x2",
        ".texref", ".samplerref", ".surfref",
    }
)  # fmt: skip
_VALUE_BEGINS: Final = NAME_BEGINS | NUMBER_BEGINS
_VECTORS: Final = {".v2": 2, ".v4": 4, ".v8": 8}
_MAXIMAL_REGISTERS: Final = 1 << 24
_MAXIMAL_ELEMENTS: Final = 1 << 40
"""Limits on the count of one `.reg` and on a dimension of an array: more is a mistake, not a program."""


class DeclarationParser(OperandParser):
    """Declarations."""

    __slots__ = ()

    def declaration(self) -> Declaration:
        """`.space .type names;`"""
        made = self.declared()
        if self.t[self.i] != ";":
            raise self.missing("',' or ';'")
        self.i += 1
        made.end = self.source.starts[self.i - 1] + 1
        return made

    def declared(self, single: bool = False) -> Declaration:
        """The same without the semicolon. `single`: a parameter, so a comma after it continues the list of
        parameters."""
        begin = self.i
        linkage: list[str] = []
        while self.t[self.i] in LINKAGE:
            linkage.append(self.t[self.i])
            self.i += 1
        space = self.t[self.i]
        if space not in SPACES:
            raise self.wrong("a state space such as '.param'" if single else "a state space such as '.global'")
        self.i += 1
        made = Declaration(space[1:], "", (), tuple(linkage))
        self._properties(made)
        declarators = [self._declarator(single)]
        while not single and self.accept(","):
            declarators.append(self._declarator(single))
        made.declarators = tuple(declarators)
        made.start = self.source.starts[begin]
        made.end = self.source.starts[self.i - 1] + len(self.t[self.i - 1])
        return made

    def parameters(self) -> tuple[Declaration, ...]:
        """`(.param .b32 a, ...)`"""
        self.expect("(")
        found: list[Declaration] = []
        while not self.accept(")"):
            if found:
                if self.t[self.i] != ",":
                    raise self.missing("',' or ')'")
                self.i += 1
            found.append(self.declared(single=True))
        return tuple(found)

    def attributes(self) -> tuple[str, ...]:
        """The tokens within the brackets of each `.attribute(...)`, joined by commas; empty if there is none."""
        found: list[str] = []
        while self.accept(".attribute"):
            found += ([","] if found else []) + self._bracketed()
        return tuple(found)

    def _properties(self, made: Declaration) -> None:
        """Type, alignment and other properties before the name."""
        while (token := self.t[self.i])[:1] == ".":
            if token == ".attribute":
                made.attributes = self.attributes()
                continue
            self.i += 1
            if token in _TYPES and not made.type:
                made.type = token[1:]
            elif token in _VECTORS and made.vector is None:
                made.vector = _VECTORS[token]
            elif token == ".align" and made.alignment is None:
                made.alignment = self._alignment()
            elif token == ".ptr" and not made.pointer:
                made.pointer = self._pointer()
            else:
                self.i -= 1
                raise self.wrong("a name" if made.type else "a type such as '.b32'")
        if not made.type:
            raise self.wrong("a type such as '.b32'")

    def _alignment(self) -> int:
        number = self.plain_number()
        if number & (number - 1) or not number:
            raise self.source.error(self.source.starts[self.i - 1], f"an alignment is a power of two, not {number}")
        return number

    def _pointer(self) -> tuple[str, ...]:
        """`.ptr [.space] [.align n]` (5.4.2 "Kernel Function Parameter Attribute: .ptr"; `.ptr` itself is read)"""
        words = [".ptr"]
        if self.t[self.i] in SPACES:
            words.append(self.t[self.i])
            self.i += 1
        if self.accept(".align"):
            words += (".align", str(self._alignment()))
        return tuple(words)

    def _bracketed(self) -> list[str]:
        """The tokens within round brackets."""
        self.expect("(")
        begin, depth = self.i, 1
        while depth:
            token = self.t[self.i]
            if token in ("", ";", "{", "}"):
                raise self.wrong("')'")
            depth += (token == "(") - (token == ")")
            self.i += 1
        return self.t[begin : self.i - 1]

    def _declarator(self, single: bool) -> Declarator:
        name = self.word("a name")
        count = None
        dimensions: list[int | None] = []
        initializer: Initializer | None = None
        if self.accept("<"):
            count = self._count(self.plain_number(), _MAXIMAL_REGISTERS)
            self.expect(">")
        while self.accept("["):
            dimensions.append(None if self.t[self.i] == "]" else self._count(self.whole_number(), _MAXIMAL_ELEMENTS))
            self.expect("]")
        if not single and self.accept("="):
            initializer = self._initializer()
        return Declarator(name, count, tuple(dimensions), initializer)

    def _count(self, number: int, limit: int) -> int:
        if not 0 <= number <= limit:
            raise self.source.error(self.source.starts[self.i - 1], f"a count goes from 0 to {limit}, not to {number}")
        return number

    def _initializer(self) -> Initializer:
        """A number, `{...}`, the address of a variable or a function, `generic(x)+4`, `0xFF(x)`, `filter_mode = x`."""
        following = self.t[self.i + 1] if self.t[self.i] else ""
        if self.t[self.i] == "{":
            return self._braced()
        if following == "(" and (self.t[self.i][0].isalnum() or self.t[self.i] in ("_", "$", "%")):
            return self._operator_on_address()
        if following == "=":  # a property of a sampler (5.3)
            word = self.word("a property")
            self.i += 1
            return f"{word} = {self._value()}"
        return self._value()

    def _value(self) -> Name | Offset | Immediate:
        begin = self.i
        found = self.operand() if self.t[begin][:1] in _VALUE_BEGINS else None
        if not isinstance(found, Name | Offset | Immediate):
            self.i = begin
            raise self.wrong("a number or the name of a variable")
        return found

    def _braced(self) -> tuple[Initializer, ...]:
        self.deeper()
        self.i += 1
        items: list[Initializer] = []
        while not self.accept("}"):
            if items:
                if self.t[self.i] != ",":
                    raise self.missing("',' or '}'")
                self.i += 1
            items.append(self._initializer())
        self.back()
        return tuple(items)

    def _operator_on_address(self) -> str:
        """`generic(x)`, or a byte of an address, `0xFF(x)` (5.4.4 "Initializers")"""
        operator = self.t[self.i]
        if operator[0].isalpha():
            self.word("a value")
        else:
            self.plain_number()
        text = f"{operator}({''.join(self._bracketed())})"
        return text + f"{self.whole_number():+}" if self.t[self.i] in ("+", "-") else text
