# SPDX-License-Identifier: Apache-2.0
"""From operands to functions that read and write them, once for all launches of a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from lanewise.ptx.language.operands import Address, Immediate, Name, Negated, Offset, Operand, Vector
from lanewise.ptx.language.statements import Declaration, Declarator, Guard, Instruction

from .formats import BITS, FORMATS, Format, Lanes
from .machine import Active, Machine

Source = Callable[[Machine], Lanes]
Target = Callable[[Machine, Active, Lanes], None]

REGISTERS: Final = "reg"


class Unsupported(Exception):
    """Something that this interpreter doesn't know. The message begins with the line."""


@dataclass(frozen=True, slots=True)
class Register:
    number: int
    format: Format


@dataclass(frozen=True, slots=True)
class Variable:
    """`key` is its name among `Machine.symbols`, which has its address or its offset in the space. What a function is
    called with is in the space "local": it is each thread's own."""

    key: str
    space: str
    declaration: Declaration
    declarator: Declarator


@dataclass(slots=True)
class Scope:
    """What names mean between two braces."""

    outer: Scope | None = None
    names: dict[str, Register | Variable] = field(default_factory=dict[str, "Register | Variable"])
    labels: dict[str, int] = field(default_factory=dict[str, int])
    targets: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Of `.branchtargets`."""

    def find(self, name: str) -> Register | Variable | None:
        found = self.names.get(name)
        return found if found or self.outer is None else self.outer.find(name)

    def label(self, name: str) -> int | None:
        found = self.labels.get(name)
        return found if found is not None or self.outer is None else self.outer.label(name)

    def jumps(self, name: str) -> tuple[str, ...]:
        found = self.targets.get(name)
        return found if found is not None else self.outer.jumps(name) if self.outer else ()


def size_of(declaration: Declaration, declarator: Declarator) -> int:
    """Bytes of a variable; an array that is left open has none."""
    size = FORMATS[declaration.type].bytes * (declaration.vector or 1)
    for length in declarator.dimensions:
        size *= length or 0
    return size


class Operands:
    """The operands of one instruction, on a `line`, where `scope` holds."""

    def __init__(self, instruction: Instruction, scope: Scope, line: int, following: int) -> None:
        self.instruction = instruction
        self.scope = scope
        self.line = line
        self.following = following
        """The number of the next basic block."""
        self.formats = [FORMATS[word] for word in instruction.modifiers if word in FORMATS]

    def unsupported(self, what: str = "") -> Unsupported:
        text = f"{self.instruction.opcode} {', '.join(map(str, self.instruction.operands))}"
        return Unsupported(f"line {self.line}: {text}{': ' if what else ''}{what}")

    def has(self, *modifiers: str) -> bool:
        return any(word in self.instruction.modifiers for word in modifiers)

    def allow(self, words: str) -> None:
        """Unsupported if there is a modifier that is neither a type nor one of these."""
        for word in self.instruction.modifiers:
            if word not in FORMATS and word not in words.split():
                raise self.unsupported(f".{word}")

    # -- registers ----------------------------------------------------------------------------------------------

    def register(self, operand: Operand) -> Register:
        found = self.scope.find(operand.text) if isinstance(operand, Name) else None
        if not isinstance(found, Register):
            raise self.unsupported(f"{operand} is no register")
        return found

    def target(self, operand: Operand, of: Format) -> Target:
        """Writes values of a format. A wider register gets them extended, as ld and cvt do."""
        if isinstance(operand, Name) and operand.text == "_":
            return lambda m, active, value: None
        register = self.register(operand)
        number, raw = register.number, register.format.raw
        if register.format.bits == of.bits:
            if of.dtype == raw:
                return lambda m, active, value: m.write(active, number, value)
            return lambda m, active, value: m.write(active, number, value.view(raw))
        if register.format.bits < of.bits or of.kind == "p":
            raise self.unsupported(f"{operand} is too narrow")
        if of.kind == "f":
            return lambda m, active, value: m.write(active, number, value.view(of.raw).astype(raw))
        return lambda m, active, value: m.write(active, number, value.astype(raw))

    def source(self, operand: Operand, of: Format) -> Source:
        """Reads values of a format: all lanes, or one element that stands for all."""
        if isinstance(operand, Immediate):
            value = self._constant(operand, of)
            return lambda m: value
        if isinstance(operand, Negated):
            inner = self.source(operand.operand, of)
            return (lambda m: ~inner(m)) if operand.sign == "!" else (lambda m: -inner(m))
        if isinstance(operand, Offset) or (
            isinstance(operand, Name) and isinstance(self.scope.find(operand.text), Variable)
        ):
            address = self._variable(operand)
            return lambda m: address(m).astype(of.raw).view(of.dtype)
        if isinstance(operand, Name) and self.scope.find(operand.text) is None and operand.text.startswith("%"):
            return self._special(operand.text, of)
        register = self.register(operand)
        number = register.number
        if register.format.bits == of.bits:
            if of.dtype == register.format.raw:
                return lambda m: m.registers[number]
            return lambda m: m.registers[number].view(of.dtype)
        if register.format.bits < of.bits:
            raise self.unsupported(f"{operand} is too narrow")
        return lambda m: m.registers[number].astype(of.raw).view(of.dtype)

    def sources(self, operands: tuple[Operand, ...], of: Format) -> list[Source]:
        return [self.source(operand, of) for operand in operands]

    def _constant(self, operand: Immediate, of: Format) -> Lanes:
        value = operand.value
        if of.kind == "p":
            return np.array([bool(value)])
        if of.kind != "f":
            if isinstance(value, float):
                raise self.unsupported(f"{operand} for .{of.name}")
            return np.array([value & (1 << of.bits) - 1], of.raw).view(of.dtype)
        form = operand.text[:2].lower()
        if form in ("0f", "0d") and not isinstance(value, float):
            written = FORMATS["f32" if form == "0f" else "f64"]
            return np.array([value], written.raw).view(written.dtype).astype(of.dtype)
        return np.array([value], of.dtype)

    def _special(self, name: str, of: Format) -> Source:
        if name.startswith(("%clock", "%globaltimer")):
            return lambda m: m.rng.integers(0, 1 << 62, m.size, np.uint64).astype(of.raw).view(of.dtype)
        if name in ("%envreg0", "%smid", "%nsmid", "%gridid"):
            raise self.unsupported(name)
        return lambda m: m.special[name].astype(of.raw, copy=False).view(of.dtype)

    def _variable(self, operand: Name | Offset) -> Source:
        name, offset = (operand.base.text, operand.offset) if isinstance(operand, Offset) else (operand.text, 0)
        found = self.scope.find(name)
        if not isinstance(found, Variable):
            raise self.unsupported(f"{name} is no variable")
        key = found.key
        return lambda m: np.array([m.symbols[key] + offset & (1 << 64) - 1], np.uint64)

    # -- others -------------------------------------------------------------------------------------------------

    def address(self, operand: Operand) -> Source:
        """The address in `[...]`, 64 bits of each lane, or offset in its space."""
        if not isinstance(operand, Address):
            raise self.unsupported()
        base = operand.base
        if isinstance(base, Immediate):
            value = np.array([int(base.value) + operand.offset & (1 << 64) - 1], np.uint64)
            return lambda m: value
        if isinstance(self.scope.find(base.text), Variable):
            return self._variable(Offset(base, operand.offset))
        register = self.register(base)
        number, offset = register.number, np.uint64(operand.offset & (1 << 64) - 1)
        if register.format.raw != BITS[64]:
            # Offsets in shared and local memory have 32 bits there, and wrap.
            short = np.uint32(operand.offset & (1 << 32) - 1)
            return lambda m: (m.registers[number] + short).astype(np.uint64)
        return lambda m: m.registers[number] + offset

    def items(self, operand: Operand) -> tuple[Operand, ...]:
        """Of a vector, or the operand alone."""
        return operand.items if isinstance(operand, Vector) else (operand,)

    def guard(self, guard: Guard) -> Source:
        predicate = self.source(guard.name, FORMATS["pred"])
        return (lambda m: ~predicate(m)) if guard.negated else predicate

    def label(self, operand: Operand) -> int:
        found = self.scope.label(str(operand))
        if found is None:
            raise self.unsupported(f"{operand} is no label")
        return found
