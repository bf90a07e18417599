# SPDX-License-Identifier: Apache-2.0
"""Reads the commonest instructions in their commonest spelling, each by one regular expression.

Most lines that LLVM prints are of a few shapes, with names and numbers for operands:

    %4 = add nuw nsw i32 %a, 16                     %6 = load <16 x float>, ptr %p, align 4, !tbaa !7
    %5 = icmp slt i32 %4, %n                        store float %x, ptr addrspace(1) %q, align 4
    %7 = tail call float @llvm.fma.f32(float %x, float %y, float %z)
    %8 = phi i32 [ %4, %for.body ], [ 0, %entry ]   #dbg_declare(ptr %a, !3, !DIExpression(), !4)

`PlainLines` reads these in half the time that the reader of tokens takes. It returns None for any other line, and for
one with a mistake: the reader of tokens reads that, or tells what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.cursor import FLOAT, INTEGER, Cursor
from lanewise.ir.instruction import CallSite, Instruction, Metadata
from lanewise.ir.lexer import IRSyntaxError, tokens
from lanewise.ir.ops import OPS
from lanewise.ir.types import Type
from lanewise.ir.values import HOLE, Constant, Global, Value

_TYPE: Final = r"(?:<\d+ x [a-z]\w*>|ptr(?: addrspace\(\d+\))?|[a-z]\w*)"
_OBJECT_TYPE: Final = rf"(?:{_TYPE}|\[[\w \[\]]*\]|%[-\w$.]+)"
_NAME: Final = r"[-\w$.]+"
_VALUE: Final = rf"(?:[%@]{_NAME}|-?\d[-+.\w]*|[a-z]+(?: \(ptr addrspace\(\d+\) @{_NAME} to ptr\))?)"
_ATTRIBUTE: Final = (
    r"(?:noundef|nonnull|noalias|zeroext|signext|align \d+|dereferenceable\(\d+\)|range\(i\d+ -?\d+, -?\d+\)) "
)
_FLAGS: Final = r"((?:[a-z]+ )*?)"
_ALIGN: Final = r"(?:, align (\d+))?"
_METADATA: Final = r"((?:, ![\w.]+ !\d+)*)"

_BINARY: Final = re.compile(rf"\w+ {_FLAGS}({_TYPE}) ({_VALUE}), ({_VALUE}){_METADATA}", re.ASCII).fullmatch
_COMPARE: Final = re.compile(rf"\w+ {_FLAGS}([a-z]+) ({_TYPE}) ({_VALUE}), ({_VALUE}){_METADATA}", re.ASCII).fullmatch
_CAST: Final = re.compile(rf"\w+ {_FLAGS}({_TYPE}) ({_VALUE}) to ({_TYPE}){_METADATA}", re.ASCII).fullmatch
_SELECT: Final = re.compile(
    rf"\w+ {_FLAGS}({_TYPE}) ({_VALUE}), ({_TYPE}) ({_VALUE}), ({_TYPE}) ({_VALUE}){_METADATA}",
    re.ASCII,
).fullmatch
_LOAD: Final = re.compile(rf"\w+ {_FLAGS}({_TYPE}), ({_TYPE}) ({_VALUE}){_ALIGN}{_METADATA}", re.ASCII).fullmatch
_STORE: Final = re.compile(
    rf"\w+ {_FLAGS}({_TYPE}) ({_VALUE}), ({_TYPE}) ({_VALUE}){_ALIGN}{_METADATA}", re.ASCII
).fullmatch
_ADDRESS: Final = re.compile(rf"\w+ {_FLAGS}({_OBJECT_TYPE})((?:, {_TYPE} {_VALUE})+){_METADATA}", re.ASCII).fullmatch
_CALL: Final = re.compile(
    rf"(tail )?call {_FLAGS}((?:{_ATTRIBUTE})*)({_TYPE}) (@{_NAME})\((.*?)\)((?: #\d+)?){_METADATA}", re.ASCII
).fullmatch
_UNARY: Final = re.compile(rf"\w+ {_FLAGS}({_TYPE}) ({_VALUE}){_METADATA}", re.ASCII).fullmatch
_ALLOCA: Final = re.compile(rf"alloca ({_OBJECT_TYPE}){_ALIGN}{_METADATA}", re.ASCII).fullmatch
_PHI: Final = re.compile(rf"phi {_FLAGS}({_TYPE}) (\[.*\]){_METADATA}", re.ASCII).fullmatch
_RETURN: Final = re.compile(rf"ret (?:void|({_TYPE}) ({_VALUE})){_METADATA}", re.ASCII).fullmatch
_DECLARE: Final = re.compile(
    rf" +(#dbg_declare)\(ptr (%{_NAME}), (!\d+, !DIExpression\(\), !\d+)\)", re.ASCII
).fullmatch
_JUMP: Final = re.compile(rf"br label %([-\w$.]+){_METADATA}", re.ASCII).fullmatch
_BRANCH: Final = re.compile(
    rf"br i1 ({_VALUE}), label %([-\w$.]+), label %([-\w$.]+){_METADATA}",
    re.ASCII,
).fullmatch
_TYPED_VALUES: Final = re.compile(rf"({_TYPE}) ({_VALUE})", re.ASCII).findall
_EACH_ARGUMENT: Final = re.compile(rf"({_TYPE}) ((?:{_ATTRIBUTE})*)({_VALUE})", re.ASCII).findall
_EACH_ATTRIBUTE: Final = re.compile(rf"({_ATTRIBUTE[:-1]}) ", re.ASCII).findall
_EACH_INCOMING: Final = re.compile(rf"\[ ({_VALUE}), %({_NAME}) \]", re.ASCII).findall
_EACH_ATTACHMENT: Final = re.compile(r", (![\w.]+) (!\d+)", re.ASCII).findall

Read = tuple[Instruction, Metadata]


@final
class PlainLines:
    """Reads lines with the symbols and constants of a `Cursor`. `block` finds a block of the function at hand by its
    name, `local` a value of that function that may come later, and `locals` has the values that came before."""

    __slots__ = ("_attributes", "_block", "_constants", "_flags", "_local", "_metadata", "_symbols", "_types", "locals")

    def __init__(self, cursor: Cursor, block: Callable[[str], Value], local: Callable[[str, Type], Value]) -> None:
        self._block: Final = block
        self._local: Final = local
        self.locals: dict[str, Value] = {}
        self._symbols: Final[dict[str, Global]] = cursor.symbols
        self._constants: Final[dict[tuple[Type, str], Constant]] = cursor.constants
        self._types: Final[dict[str, Type]] = {}
        self._flags: Final[dict[tuple[str, str], tuple[str, ...] | None]] = {}
        self._metadata: Final[dict[str, Metadata]] = {"": ()}
        self._attributes: Final[dict[str, tuple[str, ...]]] = {"": ()}

    def read(self, text: str) -> Read | None:
        """The instruction, without its name, that is written as `text`, and its metadata. None for one that isn't
        plain, or has an operand that isn't known yet."""
        read = _READERS.get(text[: text.find(" ")])
        try:
            return None if read is None else read(self, text)
        except IRSyntaxError:  # no type; the reader of tokens knows the line
            return None

    def read_record(self, line: str) -> Instruction | None:
        """The debug record on a whole line; None for one that isn't plain, or of a variable that isn't known yet."""
        match = _DECLARE(line)
        variable = None if match is None else self._value(ty.PTR, match[2])
        if match is None or variable is None:
            return None
        return Instruction(match[1], ty.VOID, (variable,), predicate=f"ptr {HOLE}, {match[3]}")

    # -- parts of a line ---------------------------------------------------------------------------------------

    def _type(self, text: str) -> Type:
        found = self._types.get(text)
        if found is None:
            cursor = Cursor(tokens(text), 0, self._symbols)
            found = cursor.type()
            cursor.expect_end()
            self._types[text] = found
        return found

    def _value(self, type_: Type, token: str) -> Value | None:
        first = token[0]
        if first == "%":
            found = self.locals.get(token[1:])
        elif first == "@":
            found = self._symbols.get(token[1:])
        else:
            return self._constants.get((type_, token)) or self._constant(type_, token)
        return found if found is not None and found.type is type_ else None

    def _constant(self, type_: Type, token: str) -> Constant | None:
        """A constant that occurs for the first time. A cast is a new object each time, as it is from tokens."""
        if type_.is_int and INTEGER(token):
            made = Constant(type_, "int", token)
        elif type_.is_float and FLOAT(token):
            made = Constant(type_, "float", token)
        elif token.startswith("addrspacecast"):
            return Cursor([*tokens(token), ""], 0, self._symbols).expression(type_)
        else:
            return None
        self._constants[type_, token] = made
        return made

    def _words(self, op: str, text: str) -> tuple[str, ...] | None:
        """Flags; None if the operation has not all of them."""
        if not text:
            return ()
        key = (op, text)
        if key not in self._flags:
            words = tuple(text.split())
            self._flags[key] = words if OPS[op].flags.issuperset(words) else None
        return self._flags[key]

    def _attachments(self, text: str) -> Metadata:
        found = self._metadata.get(text)
        if found is None:
            found = self._metadata[text] = tuple(_EACH_ATTACHMENT(text))
        return found

    def _words_of(self, text: str) -> tuple[str, ...]:
        """The attributes of a result or an argument."""
        found = self._attributes.get(text)
        if found is None:
            found = self._attributes[text] = tuple(_EACH_ATTRIBUTE(text))
        return found

    # -- shapes ------------------------------------------------------------------------------------------------

    def read_binary(self, text: str) -> Read | None:
        match = _BINARY(text)
        if match is None:
            return None
        flags_text, type_text, first, second, metadata = match.groups()
        op = text[: text.find(" ")]
        flags, type_ = self._words(op, flags_text), self._type(type_text)
        a, b = self._value(type_, first), self._value(type_, second)
        if flags is None or a is None or b is None:
            return None
        return Instruction(op, type_, (a, b), flags=flags), self._attachments(metadata)

    def read_compare(self, text: str) -> Read | None:
        match = _COMPARE(text)
        if match is None:
            return None
        flags_text, predicate, type_text, first, second, metadata = match.groups()
        op = text[: text.find(" ")]
        flags, type_ = self._words(op, flags_text), self._type(type_text)
        a, b = self._value(type_, first), self._value(type_, second)
        if flags is None or a is None or b is None:
            return None
        made = Instruction(op, ty.I1.with_shape_of(type_), (a, b), flags=flags, predicate=predicate)
        return made, self._attachments(metadata)

    def read_cast(self, text: str) -> Read | None:
        match = _CAST(text)
        if match is None:
            return None
        flags_text, type_text, operand, result, metadata = match.groups()
        op = text[: text.find(" ")]
        flags, a = self._words(op, flags_text), self._value(self._type(type_text), operand)
        if flags is None or a is None:
            return None
        return Instruction(op, self._type(result), (a,), flags=flags), self._attachments(metadata)

    def read_select(self, text: str) -> Read | None:
        match = _SELECT(text)
        if match is None:
            return None
        flags_text, *typed, metadata = match.groups()
        flags = self._words("select", flags_text)
        operands = self._typed(list(zip(typed[::2], typed[1::2], strict=True)))
        if flags is None or operands is None:
            return None
        return Instruction("select", operands[1].type, operands, flags=flags), self._attachments(metadata)

    def read_load(self, text: str) -> Read | None:
        match = _LOAD(text)
        if match is None:
            return None
        flags_text, type_text, pointer_type, pointer, align, metadata = match.groups()
        flags, address = self._words("load", flags_text), self._value(self._type(pointer_type), pointer)
        if flags is None or address is None:
            return None
        type_ = self._type(type_text)
        made = Instruction("load", type_, (address,), flags=flags, source_type=type_, align=int(align or 0))
        return made, self._attachments(metadata)

    def read_store(self, text: str) -> Read | None:
        match = _STORE(text)
        if match is None:
            return None
        flags_text, type_text, stored, pointer_type, pointer, align, metadata = match.groups()
        flags = self._words("store", flags_text)
        value, address = self._value(self._type(type_text), stored), self._value(self._type(pointer_type), pointer)
        if flags is None or value is None or address is None:
            return None
        made = Instruction("store", ty.VOID, (value, address), flags=flags, align=int(align or 0))
        return made, self._attachments(metadata)

    def read_address(self, text: str) -> Read | None:
        match = _ADDRESS(text)
        if match is None:
            return None
        flags_text, type_text, operands_text, metadata = match.groups()
        flags = self._words("getelementptr", flags_text)
        operands = self._typed(_TYPED_VALUES(operands_text))
        if flags is None or operands is None:
            return None
        type_ = operands[0].type
        for index in operands[1:]:
            if index.type.is_vector and not type_.is_vector:
                type_ = type_.with_shape_of(index.type)
        made = Instruction("getelementptr", type_, operands, flags=flags, source_type=self._type(type_text))
        return made, self._attachments(metadata)

    def read_call(self, text: str) -> Read | None:
        match = _CALL(text)
        if match is None:
            return None
        tail, flags_text, prefix, type_text, name, arguments_text, suffix, metadata = match.groups()
        callee, flags = self._symbols.get(name[1:]), self._words("call", flags_text)
        if callee is None or callee.type is not ty.PTR or flags is None:
            return None
        written = _EACH_ARGUMENT(arguments_text)
        arguments = self._typed([(each[0], each[2]) for each in written])
        if arguments is None or ", ".join([f"{of} {words}{value}" for of, words, value in written]) != arguments_text:
            return None
        result = self._type(type_text)
        of = ty.function(result, tuple([argument.type for argument in arguments]))
        attributes = tuple([self._words_of(each[1]) for each in written])
        site = CallSite(of, self._words_of(prefix), attributes, suffix[1:])
        flags = ("tail", *flags) if tail else flags
        return Instruction("call", result, (callee, *arguments), flags=flags, call=site), self._attachments(metadata)

    def read_unary(self, text: str) -> Read | None:
        match = _UNARY(text)
        if match is None:
            return None
        op = text[: text.find(" ")]
        type_ = self._type(match[2])
        flags, a = self._words(op, match[1]), self._value(type_, match[3])
        if flags is None or a is None:
            return None
        return Instruction(op, type_, (a,), flags=flags), self._attachments(match[4])

    def read_alloca(self, text: str) -> Read | None:
        match = _ALLOCA(text)
        if match is None:
            return None
        made = Instruction("alloca", ty.PTR, source_type=self._type(match[1]), align=int(match[2] or 0))
        return made, self._attachments(match[3])

    def read_phi(self, text: str) -> Read | None:
        match = _PHI(text)
        if match is None:
            return None
        flags, type_ = self._words("phi", match[1]), self._type(match[2])
        operands: list[Value] = []
        incoming = _EACH_INCOMING(match[3])
        if ", ".join([f"[ {value}, %{block} ]" for value, block in incoming]) != match[3]:
            return None
        for token, block in incoming:
            value = self._local(token[1:], type_) if token[0] == "%" else self._value(type_, token)
            if value is None:
                return None
            operands += (value, self._block(block))
        return (
            None if flags is None else (Instruction("phi", type_, operands, flags=flags), self._attachments(match[4]))
        )

    def read_return(self, text: str) -> Read | None:
        match = _RETURN(text)
        if match is None:
            return None
        operands = self._typed([] if match[1] is None else [(match[1], match[2])])
        if operands is None:
            return None
        return Instruction("ret", ty.VOID, operands), self._attachments(match[3])

    def read_branch(self, text: str) -> Read | None:
        match = _JUMP(text)
        if match is not None:
            return Instruction("br", ty.VOID, (self._block(match[1]),)), self._attachments(match[2])
        match = _BRANCH(text)
        condition = None if match is None else self._value(ty.I1, match[1])
        if match is None or condition is None:
            return None
        operands = (condition, self._block(match[2]), self._block(match[3]))
        return Instruction("br", ty.VOID, operands), self._attachments(match[4])

    def _typed(self, pairs: list[tuple[str, str]]) -> list[Value] | None:
        values: list[Value] = []
        for type_text, token in pairs:
            value = self._value(self._type(type_text), token)
            if value is None:
                return None
            values.append(value)
        return values


_FORMS: Final[dict[str, Callable[[PlainLines, str], Read | None]]] = {
    "unary": PlainLines.read_unary,
    "binary": PlainLines.read_binary,
    "compare": PlainLines.read_compare,
    "cast": PlainLines.read_cast,
    "select": PlainLines.read_select,
    "address": PlainLines.read_address,
}
_READERS: Final[dict[str, Callable[[PlainLines, str], Read | None]]] = {
    **{op: _FORMS[row.form] for op, row in OPS.items() if row.form in _FORMS},
    "load": PlainLines.read_load,
    "store": PlainLines.read_store,
    "alloca": PlainLines.read_alloca,
    "phi": PlainLines.read_phi,
    "br": PlainLines.read_branch,
    "ret": PlainLines.read_return,
    "call": PlainLines.read_call,
    "tail": PlainLines.read_call,
}
