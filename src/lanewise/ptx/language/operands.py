# SPDX-License-Identifier: Apache-2.0
"""The operands of instructions.

Source: PTX ISA 9.0, chapter 6 "Instruction Operands", 4.5 "Constants", and the forms of single instructions in
chapter 9.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Name:
    """A register, special register, variable, function or label, as written: `%r1`, `%tid.x`, `table`."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Immediate:
    """A number. `value` is the bits of a whole number (two's complement) or of one written by its bits (`0f3F800000`),
    or the result of a constant expression. A decimal such as `1.5` has the double of that value."""

    text: str
    value: int | float

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Offset:
    """The address of a variable plus a number: `table+4` as the source of a mov."""

    base: Name
    offset: int

    def __str__(self) -> str:
        return f"{self.base}+{self.offset}"


@dataclass(frozen=True, slots=True)
class Address:
    """`[base]` or `[base+offset]`; `base` is a Name or an absolute Immediate. Offsets are in bytes.

    `spelled`: True if an offset of 0 is written, `[base+0]`. It is the same address, but ptxas -g orders its code
    differently.
    """

    base: Name | Immediate
    offset: int = 0
    spelled: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"[{self.base}+{self.offset}]" if self.offset or self.spelled else f"[{self.base}]"


@dataclass(frozen=True, slots=True)
class AddressList:
    """An address of several parts, of textures and tensors: `[texture, {%f1, %f2}]`."""

    items: tuple[Operand, ...]

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.items))}]"


@dataclass(frozen=True, slots=True)
class Vector:
    """`{%f1, %f2}`"""

    items: tuple[Operand, ...]

    def __str__(self) -> str:
        return f"{{{', '.join(map(str, self.items))}}}"


@dataclass(frozen=True, slots=True)
class Group:
    """The results or the arguments of a call: `(%r1, 2)`"""

    items: tuple[Operand, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.items))})"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two results of one instruction: `%p|%q`, `{%r1, %r2}|%p`"""

    first: Name | Vector
    second: Name

    def __str__(self) -> str:
        return f"{self.first}|{self.second}"


@dataclass(frozen=True, slots=True)
class Negated:
    """A negated predicate, or a register with its sign changed: `!%p`, `-%r1`"""

    sign: str
    operand: Name

    def __str__(self) -> str:
        return f"{self.sign}{self.operand}"


@dataclass(frozen=True, slots=True)
class Combined:
    """A name followed by an address: an element of an array, `table[2]`."""

    name: Name
    address: Address | AddressList

    def __str__(self) -> str:
        return f"{self.name}{self.address}"


Operand = Name | Immediate | Offset | Address | AddressList | Vector | Group | Pair | Negated | Combined


def names_of(operand: Operand) -> tuple[Name, ...]:
    """All names in an operand, in order."""
    if isinstance(operand, Name):
        return (operand,)
    if isinstance(operand, Address | Offset):
        return (operand.base,) if isinstance(operand.base, Name) else ()
    if isinstance(operand, AddressList | Vector | Group):
        return tuple(name for item in operand.items for name in names_of(item))
    if isinstance(operand, Pair):
        return names_of(operand.first) + names_of(operand.second)
    if isinstance(operand, Negated):
        return (operand.operand,)
    if isinstance(operand, Combined):
        return names_of(operand.name) + names_of(operand.address)
    return ()
