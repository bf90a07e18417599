# SPDX-License-Identifier: Apache-2.0
"""Values of the kernel IR, which are the operands of instructions.

    Value            base: a type, a name, and the instructions that use it
      Argument       a parameter of a function
      Constant       any literal or constant expression; interned by nobody, compared by content if needed
      Global         a variable, function or alias of the module (`module.py`, `function.py`)
      Block          a basic block, as the operand of a branch or phi (`function.py`)
      Instruction    the one instruction class (`instruction.py`)

Use lists: `value.users` maps each using instruction to the number of its operands that are the value. Constants keep
none: a zero is used everywhere, and nobody asks by whom. Nor does a global count its uses inside constants.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, final

from lanewise.ir import types as ty
from lanewise.ir.types import Type

if TYPE_CHECKING:
    from lanewise.ir.instruction import Instruction

HOLE: Final = "\0"
"""The place of an operand in text that is otherwise kept as written."""


class Value:
    """A typed thing that instructions use. `name` is None if the writer shall number it."""

    __slots__ = ("name", "type", "users")

    def __init__(self, type_: Type, name: str | None = None) -> None:
        self.type: Type = type_
        self.name = name
        self.users: dict[Instruction, int] = {}

    def replace_all_uses(self, new: Value) -> None:
        """Make every instruction that uses this value use `new` instead."""
        for user in list(self.users):
            operands = user.operands
            for i, operand in enumerate(operands):
                if operand is self:
                    user.set_operand(i, new)


@final
class Argument(Value):
    """A parameter. `attributes` are kept as written (`noundef`, `byval(%struct.P) align 4`)."""

    __slots__ = ("attributes",)

    def __init__(self, type_: Type, name: str | None = None, attributes: tuple[str, ...] = ()) -> None:
        super().__init__(type_, name)
        self.attributes = attributes

    @property
    def byval(self) -> str | None:
        """The type, as text, of a struct passed by value in memory, else None."""
        for attribute in self.attributes:
            if attribute.startswith("byval("):
                return attribute[len("byval(") : -1]
        return None


@final
class Constant(Value):
    """A constant. Equal ones may be different objects: compare `kind` and `integer` or `text`. The kinds:

    int         `text` a decimal (or `true`, `false`);  `integer` its value
    float       `text` a decimal or hexadecimal literal
    null, undef, poison, zeroinitializer, none
    string      `text` the literal between the quotes of c"...", escapes as written
    aggregate   `operands` the elements of an array, struct or vector; `opcode` "packed" for a packed struct
    splat       `operands` the one element of all lanes
    expr        `opcode` of `operands`, with `flags`; `source_type` for getelementptr
    metadata    `text` a metadata operand of a call, kept as written; `operands` the values in it, one for each HOLE
    other       kept as text: blockaddress, dso_local_equivalent, no_cfi, ptrauth
    asm         inline assembly: `text` all of it from `asm` on
    """

    __slots__ = ("flags", "kind", "opcode", "operands", "source_type", "text")

    def __init__(
        self,
        type_: Type,
        kind: str,
        text: str = "",
        operands: tuple[Value, ...] = (),
        *,
        opcode: str = "",
        flags: tuple[str, ...] = (),
        source_type: Type | None = None,
    ) -> None:
        super().__init__(type_)
        self.kind: Final = kind
        self.text: Final = text
        self.operands: Final = operands
        self.opcode: Final = opcode
        self.flags: Final = flags
        self.source_type: Final = source_type

    @property
    def integer(self) -> int:
        """The value of an `int` constant (or a null or zero), as LLVM prints it: signed, i1 as 0 or 1."""
        if self.kind == "int":
            return {"true": 1, "false": 0}[self.text] if self.text[0] in "tf" else int(self.text)
        if self.kind in ("null", "zeroinitializer"):
            return 0
        raise ValueError(f"{self.kind} constant has no integer value")

    @property
    def floating(self) -> float:
        """The value of a half, bfloat, float or double constant."""
        return parse_float(self.text, self.type)


class Global(Value):
    """A module-level symbol: its type is a pointer, `value_type` what it points to."""

    __slots__ = ("value_type",)

    def __init__(self, name: str, value_type: Type, addrspace: int = 0) -> None:
        super().__init__(ty.pointer(addrspace), name)
        self.value_type: Type = value_type


def parse_float(text: str, type_: Type) -> float:
    """The value of a floating-point literal. LLVM writes float and double as the 64 bits of a double, half as
    0xH and bfloat as 0xR with 16 bits (Language Reference, "Simple Constants")."""
    if text.startswith("0xH"):
        return struct.unpack("<e", int(text[3:], 16).to_bytes(2, "little"))[0]
    if text.startswith("0xR"):
        return struct.unpack("<f", (int(text[3:], 16) << 16).to_bytes(4, "little"))[0]
    if text.startswith("0x") and type_.kind in ("float", "double"):
        return struct.unpack("<d", int(text[2:], 16).to_bytes(8, "little"))[0]
    if text.startswith("0x"):
        raise ValueError(f"literal {text} of type {type_} has no Python value")
    return float(text)


def int_constant(type_: Type, value: int) -> Constant:
    """An integer constant, wrapped to the type's width and written as LLVM writes it."""
    if type_.bits == 1:
        return Constant(type_, "int", "true" if value & 1 else "false")
    value &= (1 << type_.bits) - 1
    if value >> (type_.bits - 1):
        value -= 1 << type_.bits
    return Constant(type_, "int", str(value))


def i32(value: int) -> Constant:
    return int_constant(ty.I32, value)


def i64(value: int) -> Constant:
    return int_constant(ty.I64, value)


def poison(type_: Type) -> Constant:
    return Constant(type_, "poison")
