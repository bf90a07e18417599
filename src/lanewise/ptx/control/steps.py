# SPDX-License-Identifier: Apache-2.0
"""The linear code of a function.

Blocks in braces have names of their own, which may hide others. Here every register is unique: one of a nested block
also has the number of its block.

Source: PTX ISA 9.0, 4.3 and 5.4: a variable's scope is the block that declares it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, final

from lanewise.ptx.language.module import Function
from lanewise.ptx.language.opcodes import results_of
from lanewise.ptx.language.operands import Address, AddressList, Group, Name, Operand, Vector, names_of
from lanewise.ptx.language.statements import Block, Declaration, Directive, Instruction, Label, Statement


@dataclass(frozen=True, slots=True)
class Register:
    """A register. `scope` is the number of the block that declares it, 0 for the function's own."""

    name: str
    type: str
    scope: int = 0


@final
class Scope:
    """The names that a block declares, within those around it."""

    __slots__ = ("_ranges", "_single", "declarations", "labels", "number", "outer", "targets", "variables")

    def __init__(self, number: int, outer: Scope | None) -> None:
        self.number: Final = number
        self.outer: Final = outer
        self._single: dict[str, Register] = {}
        self._ranges: dict[str, tuple[str, int]] = {}
        self.variables: dict[str, str] = {}
        """State spaces of variables, registers excluded."""
        self.declarations: dict[str, Declaration] = {}
        """Declarations of the same."""
        self.labels: dict[str, int] = {}
        """The step that follows each label."""
        self.targets: dict[str, tuple[str, ...]] = {}
        """Labels in each `.branchtargets` list, by the label of the list."""

    def declare(self, declaration: Declaration) -> None:
        for declarator in declaration.declarators:
            if declaration.space != "reg":
                self.variables[declarator.name] = declaration.space
                self.declarations[declarator.name] = declaration
            elif declarator.count is None:
                self._single[declarator.name] = Register(declarator.name, declaration.type, self.number)
            else:
                self._ranges[declarator.name] = (declaration.type, declarator.count)

    def around(self) -> Iterator[Scope]:
        """This block and those around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def register(self, name: str) -> Register | None:
        """The register with this name here; None if there is none."""
        for scope in self.around():
            found = scope._own(name)
            if found is not None:
                return found
            if name in scope.variables:
                return None
        return None

    def label(self, name: str) -> int | None:
        """The step after the label with this name here."""
        return next((scope.labels[name] for scope in self.around() if name in scope.labels), None)

    def targets_of(self, name: str) -> tuple[str, ...] | None:
        """The labels in a list of branch targets."""
        return next((scope.targets[name] for scope in self.around() if name in scope.targets), None)

    def has(self, name: str) -> bool:
        """True if a variable other than a register has this name here."""
        return any(name in scope.variables for scope in self.around())

    def _own(self, name: str) -> Register | None:
        found = self._single.get(name)
        if found is None and self._ranges:
            stem = name.rstrip("0123456789")
            digits = name[len(stem) :]
            type_, count = self._ranges.get(stem, ("", 0))
            if type_ and digits and (digits[0] != "0" or digits == "0") and int(digits) < count:
                found = self._single[name] = Register(name, type_, self.number)
        return found


@dataclass(eq=False, slots=True)
class Step:
    """One instruction with the registers that it reads and writes."""

    number: int
    instruction: Instruction
    scope: Scope
    reads: tuple[Register, ...]
    writes: tuple[Register, ...]
    guard: Register | None

    def undeclared(self) -> str | None:
        """The first name that looks like a register's, `%f7`, and is neither declared nor a branch target."""
        operands = () if self.instruction.name in ("bra", "brx", "call") else self.instruction.operands
        names = [name.text for operand in operands for name in names_of(operand)]
        if self.instruction.guard is not None:
            names.append(self.instruction.guard.name.text)
        return next(
            (n for n in names if n[0] == "%" and _register(n, self.scope) is None and not self.scope.has(n)), None
        )


@dataclass(eq=False, slots=True)
class Steps:
    """A function's instructions."""

    steps: list[Step] = field(default_factory=list[Step])


def steps_of(function: Function) -> Steps:
    """The instructions of a function that has a body."""
    assert function.body is not None
    found = Steps()
    outermost = Scope(0, None)
    for declaration in (*function.results, *function.parameters):
        outermost.declare(declaration)
    _Rower(found).block(function.body, outermost)
    return found


@final
class _Rower:
    def __init__(self, found: Steps) -> None:
        self._found = found
        self._scopes = 0
        self._last_label = ""

    def block(self, block: Block, scope: Scope) -> None:
        for statement in block.statements:
            self._statement(statement, scope)

    def _statement(self, statement: Statement, scope: Scope) -> None:
        if isinstance(statement, Instruction):
            self._found.steps.append(self._step(statement, scope))
        elif isinstance(statement, Label):
            scope.labels[statement.name] = len(self._found.steps)
            self._last_label = statement.name
        elif isinstance(statement, Declaration):
            scope.declare(statement)
        elif isinstance(statement, Directive):
            if statement.words[0] == ".branchtargets":
                scope.targets[self._last_label] = tuple(w for w in statement.words[1:] if w != ",")
        else:
            self._scopes += 1
            self.block(statement, Scope(self._scopes, scope))

    def _step(self, instruction: Instruction, scope: Scope) -> Step:
        results = results_of(instruction)
        written: list[Register] = []
        read: list[Register] = []
        for position, operand in enumerate(instruction.operands):
            if position < len(results) and not _is_address(operand):
                written += _registers(operand, scope)
            else:
                read += _registers(operand, scope)
        guard = None
        if instruction.guard is not None:
            guard = scope.register(instruction.guard.name.text)
            if guard is not None:
                read.append(guard)
        number = len(self._found.steps)
        return Step(number, instruction, scope, tuple(read), tuple(written), guard)


def _is_address(operand: Operand) -> bool:
    return isinstance(operand, Address | AddressList)


def _registers(operand: Operand, scope: Scope) -> list[Register]:
    if isinstance(operand, Name):
        found = _register(operand.text, scope)
        return [found] if found is not None else []
    if isinstance(operand, Vector | Group):
        return [register for item in operand.items for register in _registers(item, scope)]
    return [register for name in names_of(operand) if (register := _register(name.text, scope)) is not None]


def _register(name: str, scope: Scope) -> Register | None:
    """The register with this name, also for `%v.x` and `%r.b0`, parts of a register."""
    found = scope.register(name)
    if found is None and "." in name:
        found = scope.register(name.rpartition(".")[0])
    return found
