# SPDX-License-Identifier: Apache-2.0
"""A position in a list of tokens: types, attribute words, and constants are read here."""

from __future__ import annotations

import re
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.lexer import IRSyntaxError, joined
from lanewise.ir.names import unquoted
from lanewise.ir.ops import OPS
from lanewise.ir.types import Type
from lanewise.ir.values import HOLE, Constant, Global, Value

_SIMPLE_TYPES: Final[dict[str, Type]] = {
    "void": ty.VOID, "label": ty.LABEL, "metadata": ty.METADATA, "token": ty.TOKEN, "ptr": ty.PTR,
    "x86_amx": ty.opaque("x86_amx"),
    **{f"i{bits}": ty.integer(bits) for bits in (1, 8, 16, 32, 64, 128)},
    **{kind: ty.floating(kind) for kind in ty.FLOAT_BITS},
}  # fmt: skip

_LEAF_CONSTANTS: Final = frozenset({"null", "undef", "poison", "zeroinitializer", "none"})
_TEXT_CONSTANTS: Final = frozenset({"blockaddress", "dso_local_equivalent", "no_cfi", "ptrauth"})
_CLOSING: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}

INTEGER: Final = re.compile(r"-?[0-9]+").fullmatch
_HEXADECIMAL_INTEGER: Final = re.compile(r"[us]0x[0-9A-Fa-f]+").fullmatch
FLOAT: Final = re.compile(r"[-+]?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|0x[KLMHR]?[0-9A-Fa-f]+").fullmatch
_ADDRESS_SPACE: Final = re.compile(r"\baddrspace\(([0-9]+)\)").search
_MAXIMAL_INTEGER_BITS: Final = 1 << 23
"""Language Reference, "Integer Type"."""

VALUE_WORDS: Final = frozenset({"true", "false", "splat", "asm"}) | _LEAF_CONSTANTS | _TEXT_CONSTANTS | frozenset(OPS)
"""Words that a value starts with. All others between a type and its value are attributes."""


class Cursor:
    """Reads from `t`, the tokens of line `line`; `i` is the next one. A last empty token marks the end."""

    __slots__ = ("_vectors", "constants", "i", "line", "symbols", "t")

    def __init__(self, tokens: list[str], line: int, symbols: dict[str, Global]) -> None:
        self.symbols = symbols
        self.constants: dict[tuple[Type, str], Constant] = {}
        self._vectors: dict[tuple[Type, tuple[str, ...]], Constant] = {}
        self.start(tokens, line)

    def start(self, tokens: list[str], line: int) -> None:
        tokens.append("")
        self.t = tokens
        self.i = 0
        self.line = line

    def wrong(self, expected: str) -> IRSyntaxError:
        """The error that the next token is not what was expected."""
        return IRSyntaxError(self.line, self.t[min(self.i, len(self.t) - 1)] or "end of line", expected)

    # -- tokens ------------------------------------------------------------------------------------------------

    def next(self) -> str:
        token = self.t[self.i]
        if not token:
            raise self.wrong("more")
        self.i += 1
        return token

    def expect(self, token: str) -> None:
        if self.t[self.i] != token:
            raise self.wrong(f"{token!r}")
        self.i += 1

    def expect_end(self) -> None:
        if self.t[self.i]:
            raise self.wrong("the end of the line")

    def accept(self, token: str) -> bool:
        if self.t[self.i] == token:
            self.i += 1
            return True
        return False

    def number(self) -> int:
        try:
            value = int(self.t[self.i])
        except ValueError:
            raise self.wrong("a whole number") from None
        self.i += 1
        return value

    def rest(self) -> str:
        """All tokens that are left, as text."""
        text = joined(self.t[self.i : -1])
        self.i = len(self.t) - 1
        return text

    def group(self) -> list[str]:
        """The tokens of a bracketed group, brackets included."""
        opening = self.t[self.i]
        if opening not in _CLOSING:
            raise self.wrong("a bracket")
        closing = _CLOSING[opening]
        depth, start = 0, self.i
        while True:
            token = self.next()
            depth += (token == opening) - (token == closing)
            if not depth:
                return self.t[start : self.i]

    def word_with_group(self) -> str:
        """One attribute: a word or string, with the number, value or group that belongs to it."""
        parts = [self.next()]
        if not parts[0][0].isalpha() and parts[0][0] not in '"#':
            self.i -= 1
            raise self.wrong("an attribute")
        following = self.t[self.i]
        if following == "(":
            parts += self.group()
        elif following == "=":
            parts += [self.next(), self.next()]
        elif parts[0] in ("align", "alignstack", "cc") and following.isdigit():
            parts.append(self.next())
        return joined(parts)

    # -- types -------------------------------------------------------------------------------------------------

    def at_type(self) -> bool:
        token = self.t[self.i]
        return token in _SIMPLE_TYPES or token[:1] in ("%", "[", "{", "<") or token == "target" or _is_int(token)

    def type(self) -> Type:
        token = self.t[self.i]
        known = _SIMPLE_TYPES.get(token)
        if known is not None:
            self.i += 1
            if known is ty.PTR and self.accept("addrspace"):
                self.expect("(")
                space = self.number()
                self.expect(")")
                return ty.pointer(space)
            return known
        if _is_int(token):
            bits = int(token[1:])
            if not 0 < bits <= _MAXIMAL_INTEGER_BITS:
                raise self.wrong("an integer type of 1 to 8388608 bits")
            self.i += 1
            return ty.integer(bits)
        if token[:1] == "%":
            self.i += 1
            return ty.named(unquoted(token[1:]))
        if token == "[":
            self.i += 1
            count = self.number()
            self.expect("x")
            element = self.type()
            self.expect("]")
            return ty.array(count, element)
        if token == "{":
            return ty.struct(self._fields())
        if token == "<":
            self.i += 1
            if self.t[self.i] == "{":
                fields = self._fields()
                self.expect(">")
                return ty.struct(fields, packed=True)
            scalable = self.accept("vscale")
            if scalable:
                self.expect("x")
            count = self.number()
            self.expect("x")
            element = self.type()
            self.expect(">")
            return ty.vector(count, element, scalable)
        if token == "target":
            self.i += 1
            return ty.opaque("target" + joined(self.group()))
        raise self.wrong("a type")

    def _fields(self) -> tuple[Type, ...]:
        self.expect("{")
        fields: list[Type] = []
        while not self.accept("}"):
            if fields:
                self.expect(",")
            fields.append(self.type())
        return tuple(fields)

    def value_type(self) -> Type:
        """The type that a pointer points to, which may be that of a function, `void (ptr)`."""
        type_ = self.type()
        return self.function_type_after(type_) if self.t[self.i] == "(" else type_

    def function_type_after(self, result: Type) -> Type:
        """The function type whose result type was read before `(ptr, ...)`."""
        self.expect("(")
        parameters: list[Type] = []
        vararg = False
        while not self.accept(")"):
            if parameters or vararg:
                self.expect(",")
            if self.accept("..."):
                vararg = True
            else:
                parameters.append(self.type())
        return ty.function(result, tuple(parameters), vararg)

    # -- values ------------------------------------------------------------------------------------------------

    def local(self, name: str, type_: Type) -> Value:
        """The local value %name. Outside a function there are none; `FunctionReader` knows them."""
        raise self.wrong("a constant")

    def typed_value(self) -> Value:
        return self.value(self.type())

    def value(self, type_: Type) -> Value:
        """A value of a type that was just read."""
        token = self.t[self.i]
        first = token[:1]
        if first == "%":
            self.i += 1
            return self.local(token[1:], type_)
        if first == "@":
            self.i += 1
            symbol = self.symbols.get(unquoted(token[1:]))
            if symbol is None:
                raise IRSyntaxError(self.line, token, "a symbol that the module declares")
            if symbol.type is not type_:
                raise IRSyntaxError(self.line, f"{symbol.type} {token}", f"a value of type {type_}")
            return symbol
        if type_ is ty.METADATA:
            return self._metadata_operand()
        known = self.constants.get((type_, token))
        if known is not None:
            self.i += 1
            return known
        return self._constant(type_, token, first)

    def _constant(self, type_: Type, token: str, first: str) -> Value:
        if first in ("-", "+") or first.isdigit():
            if not (INTEGER(token) if type_.is_int else FLOAT(token) if type_.is_float else None):
                raise self.wrong(f"a constant of type {type_}")
            return self._leaf(type_, "int" if type_.is_int else "float", token)
        if token in ("true", "false") and type_ is ty.I1:
            return self._leaf(type_, "int", token)
        if token in _LEAF_CONSTANTS:
            return self._leaf(type_, token, "")
        if first == "c" and token[1:2] == '"':
            self.i += 1
            return Constant(type_, "string", token[2:-1])
        if first == "<" and type_.is_vector and (type_.inner.is_int or type_.inner.is_float):
            return self._vector(type_)
        if first in ("[", "{", "<"):
            return self._aggregate(type_)
        if token == "splat":
            self.i += 1
            self.expect("(")
            element = self.typed_value()
            self.expect(")")
            return Constant(type_, "splat", operands=(element,))
        if token == "asm":
            return self._inline_assembly(type_)
        if token in _TEXT_CONSTANTS:
            start = self.i
            self.i += 1
            if self.t[self.i] == "(":
                self.group()
            else:
                self.next()
            return Constant(type_, "other", joined(self.t[start : self.i]))
        if token in OPS:
            return self.expression(type_)
        if type_.is_int and _HEXADECIMAL_INTEGER(token):
            return self._leaf(type_, "int", _decimal(token, type_.bits))
        raise self.wrong("a value")

    def _leaf(self, type_: Type, kind: str, text: str) -> Constant:
        constant = Constant(type_, kind, text)
        self.constants[type_, text or kind] = constant
        self.i += 1
        return constant

    def _vector(self, type_: Type) -> Constant:
        """A vector of numbers. Masks of shuffles have many, and come again and again: vectors without symbols are
        kept."""
        try:
            key = tuple(self.t[self.i : self.t.index(">", self.i)])
        except ValueError:
            return self._aggregate(type_)  # which says what is wrong
        known = self._vectors.get((type_, key))
        if known is not None:
            self.i += len(key) + 1
            return known
        made = self._aggregate(type_)
        if not any(isinstance(each, Constant) and each.operands for each in made.operands):
            self._vectors[type_, key] = made
        return made

    def _aggregate(self, type_: Type) -> Constant:
        opening = self.next()
        packed = opening == "<" and self.accept("{")
        closing = "}" if packed else _CLOSING[opening]
        elements: list[Value] = []
        while not self.accept(closing):
            if elements:
                self.expect(",")
            elements.append(self.typed_value())
        if packed:
            self.expect(">")
        return Constant(type_, "aggregate", operands=tuple(elements), opcode="packed" if packed else "")

    def _inline_assembly(self, type_: Type) -> Constant:
        start = self.i
        while self.next()[0] != '"':
            pass
        self.expect(",")
        self.next()
        return Constant(type_, "asm", joined(self.t[start : self.i]))

    def _metadata_operand(self) -> Constant:
        """`metadata !5`, `metadata !"text"`, `metadata i32 0`, `metadata !DIExpression()`."""
        if self.at_type():
            inner = self.typed_value()
            return Constant(ty.METADATA, "metadata", f"{inner.type} {HOLE}", (inner,))
        return Constant(ty.METADATA, "metadata", self.metadata_node())

    def metadata_node(self) -> str:
        """`!5`, `!"text"`, `!{...}` or `!DIExpression(...)`, as text."""
        parts = [self.next()]
        if parts[0][0] != "!":
            self.i -= 1
            raise self.wrong("metadata")
        if self.t[self.i] in ("(", "{"):
            parts += self.group()
        return parts[0] + joined(parts[1:])

    def expression(self, type_: Type | None) -> Constant:
        """A constant expression of this type; None if the operands say the type, and not the text before."""
        opcode = self.next()
        if opcode not in OPS or OPS[opcode].form not in ("binary", "cast", "address", "element", "compare"):
            self.i -= 1
            raise self.wrong("a constant expression")
        flags: list[str] = []
        while self.t[self.i] != "(":
            flags.append(self.word_with_group() if self.t[self.i] == "inrange" else self.next())
        self.expect("(")
        source_type = None
        if opcode == "getelementptr":
            source_type = self.type()
            self.expect(",")
        operands = [self.typed_value()]
        while self.accept(","):
            operands.append(self.typed_value())
        result = self.type() if self.accept("to") else operands[0].type
        self.expect(")")
        return Constant(
            type_ or result,
            "expr",
            operands=tuple(operands),
            opcode=opcode,
            flags=tuple(flags),
            source_type=source_type,
        )


def address_space(words: str) -> int:
    """The number in `addrspace(1)` among the words of a symbol or call; 0 without one."""
    found = _ADDRESS_SPACE(words)
    return int(found.group(1)) if found else 0


def _decimal(token: str, bits: int) -> str:
    """`u0xFF`, `s0xFF` -> the decimal that LLVM prints: signed, in `bits` bits."""
    digits = token[3:]
    value = int(digits, 16)
    if token[0] == "s" and value >> (len(digits) * 4 - 1):
        value -= 1 << len(digits) * 4
    value &= (1 << bits) - 1
    if bits == 1:
        return "true" if value else "false"
    return str(value - (1 << bits) if value >> (bits - 1) else value)


def _is_int(token: str) -> bool:
    return token[:1] == "i" and token[1:].isascii() and token[1:].isdigit()
