# SPDX-License-Identifier: Apache-2.0
"""The statements of a function body: instructions, labels, variables, blocks, directives.

Each statement has its range of characters in the source, `start` to `end`; generated ones have -1.

Source: PTX ISA 9.0, chapter 4 "Syntax", 5.4 "Variables", chapter 11 "Directives".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lanewise.ptx.language.operands import Name, Operand


@dataclass(frozen=True, slots=True)
class Guard:
    """`@%p` or `@!%p` before an instruction."""

    name: Name
    negated: bool = False

    def __str__(self) -> str:
        return f"@{'!' if self.negated else ''}{self.name}"


@dataclass(eq=False, slots=True)
class Instruction:
    """`@guard opcode operands;` with `opcode` as it is written, `ld.global.f32`."""

    opcode: str
    operands: tuple[Operand, ...] = ()
    guard: Guard | None = None
    start: int = -1
    end: int = -1
    name: str = field(init=False)
    """The first word of the opcode, `ld`."""
    modifiers: tuple[str, ...] = field(init=False)
    """Its other words, ("global", "f32")."""

    def __post_init__(self) -> None:
        self.name, *modifiers = self.opcode.split(".")
        self.modifiers = tuple(modifiers)


@dataclass(eq=False, slots=True)
class Label:
    name: str
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class Declarator:
    """One name of a declaration.

    `count` is 5 for `%r<5>`, which declares %r0 to %r4; None if absent. `dimensions` are those of an array, None for an
    open one. `initializer` is as in the source, a nested tuple for braces.
    """

    name: str
    count: int | None = None
    dimensions: tuple[int | None, ...] = ()
    initializer: Initializer | None = None


Initializer = Operand | str | tuple["Initializer", ...]
"""A number, the address of a variable, text such as `generic(table)`, or the list in braces."""


@dataclass(eq=False, slots=True)
class Declaration:
    """Variables or registers of one type, or one parameter.

    `space`: reg, global, shared, const, local, param, tex, ... `type`: `f32`, `b8`, `pred`, `texref`, ... `alignment`
    is in bytes. `pointer` is the `.ptr` attribute of a kernel's parameter, such as (".ptr", ".global", ".align", "16").
    """

    space: str
    type: str
    declarators: tuple[Declarator, ...]
    linkage: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    alignment: int | None = None
    vector: int | None = None
    pointer: tuple[str, ...] = ()
    start: int = -1
    end: int = -1


@dataclass(eq=False, slots=True)
class Directive:
    """Any other line: `.loc 1 5 3`, `.pragma "nounroll";`, `.branchtargets A, B;`, `.callprototype ...;`

    `words` are its tokens, the first being the directive; `ended`: it has a semicolon.
    """

    words: tuple[str, ...]
    ended: bool = True
    start: int = -1
    end: int = -1


@dataclass(eq=False, slots=True)
class Block:
    """`{ ... }` with names of its own."""

    statements: list[Statement]
    start: int = -1
    end: int = -1


Statement = Instruction | Label | Declaration | Directive | Block
