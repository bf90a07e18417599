# SPDX-License-Identifier: Apache-2.0
"""A module of PTX: its directives, variables and functions.

Source: PTX ISA 9.0, chapters 4, 5 and 11.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lanewise.ptx.language.lexer import Source
from lanewise.ptx.language.locations import Locations
from lanewise.ptx.language.statements import Block, Declaration, Directive, Instruction, Statement


@dataclass(eq=False, slots=True)
class Function:
    """`.entry` (a kernel) or `.func`; without a body it is a prototype.

    `directives` are those between the parameters and the body, each as its tokens: (".maxntid", "256", ",", "1").
    """

    name: str
    is_kernel: bool
    parameters: tuple[Declaration, ...]
    results: tuple[Declaration, ...] = ()
    linkage: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    directives: tuple[tuple[str, ...], ...] = ()
    body: Block | None = None
    start: int = -1
    end: int = -1
    module: Module | None = None
    """The module that it was read in."""

    def directive(self, name: str) -> tuple[int, ...] | None:
        """The numbers of a performance directive such as `.reqntid`; None if there is none."""
        for words in self.directives:
            if words[0] == name:
                return tuple(int(word, 0) for word in words[1:] if word[0].isdigit())
        return None

    def instructions(self) -> Iterator[Instruction]:
        """All instructions in the order of the text, those of nested blocks included."""
        return (statement for statement in self.statements() if isinstance(statement, Instruction))

    def statements(self) -> Iterator[Statement]:
        """All statements in the order of the text. A nested block is the statements in it."""
        work: list[Statement] = list(reversed(self.body.statements)) if self.body else []
        while work:
            statement = work.pop()
            if isinstance(statement, Block):
                work += reversed(statement.statements)
            else:
                yield statement


@dataclass(frozen=True, slots=True)
class UnknownInstruction:
    """An instruction that is missing in PTX ISA 9.0 or newer. It is kept."""

    opcode: str
    line: int


@dataclass(eq=False, slots=True)
class Module:
    """The content of one file of PTX, in order.

    `address_size` is in bits. `states_address_size`: True if a directive states it; otherwise it is 64, as for ptxas.
    """

    source: Source
    version: tuple[int, int]
    targets: tuple[str, ...]
    address_size: int
    items: list[Function | Declaration | Directive]
    unknown: list[UnknownInstruction] = field(default_factory=list[UnknownInstruction])
    """Instructions that are not in the table of opcodes, in order."""
    _locations: Locations | None = field(default=None, repr=False)
    states_address_size: bool = True

    @property
    def functions(self) -> list[Function]:
        """All functions that have a body."""
        return [item for item in self.items if isinstance(item, Function) and item.body is not None]

    @property
    def kernels(self) -> list[Function]:
        return [function for function in self.functions if function.is_kernel]

    @property
    def has_local_memory(self) -> bool:
        """True if any function has memory private to each work-item, which a generic address may then refer to."""
        return ".local" in self.source.tokens or "alloca" in self.source.text

    def line(self, statement: Statement | Function) -> int:
        """The line, from 1, on which a statement of the source starts."""
        return self.source.line(statement.start)

    def program_place(self, start: int) -> tuple[str, int] | None:
        """File and line of the program for the statement at `start`, by the `.loc` before it in its function; None if
        there is none."""
        if self._locations is None:
            self._locations = Locations(self._directives(), [function.start for function in self.functions])
        return self._locations.at(start)

    def program_line(self, start: int) -> str | None:
        """The same as `file:line`."""
        place = self.program_place(start)
        return None if place is None else f"{place[0]}:{place[1]}"

    def _directives(self) -> Iterator[Directive]:
        for item in self.items:
            inside = item.statements() if isinstance(item, Function) else (item,)
            yield from (each for each in inside if isinstance(each, Directive))

    def __str__(self) -> str:
        from lanewise.ptx.language.printer import printed

        return printed(self)
