# SPDX-License-Identifier: Apache-2.0
"""The memory trace of a kernel as text, in the form of the paper's Listing 5: numbers in hexadecimal, `load(param2)`
for a parameter, `loop(0)` for the iteration number of a loop.

Source: PTXASW (CC 2023), 4.3 and Listing 5, which omits sign extensions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from lanewise.ptx.language.module import Function, Module
from lanewise.ptx.symbolic.execution import Emulation
from lanewise.ptx.symbolic.memory import Access
from lanewise.ptx.symbolic.terms import Atom, Term, signed

_BINARY: Final = {"and": "&", "or": "|", "xor": "^", "shl": "<<", "lshr": ">>", "ashr": ">>s", "udiv": "/",
                  "sdiv": "/s", "urem": "%", "srem": "%s", "ult": "<", "slt": "<s", "eq": "=="}  # fmt: skip
_NAMED: Final = frozenset({"umin", "umax", "smin", "smax", "trunc", "mul"})


@dataclass(frozen=True, slots=True)
class TracedAccess:
    """One load or store of a path: `line` is that of the PTX, `address` a term, `bytes` the total size."""

    line: int
    is_store: bool
    space: str
    address: Term
    bytes: int
    text: str
    """The address as the trace prints it."""

    def __str__(self) -> str:
        return f"{'ST' if self.is_store else 'LD'}: {self.text}"


@dataclass(frozen=True, slots=True)
class Trace:
    """Loads and stores of a kernel in global, shared and generic memory, in the order of emulation."""

    kernel: str
    accesses: tuple[TracedAccess, ...]

    def __str__(self) -> str:
        return "".join(f"{access}\n" for access in self.accesses)


def trace_of(module: Module, function: Function, found: Emulation, extensions: bool = False) -> Trace:
    """The trace of a kernel; `extensions`: with sign and zero extensions."""
    printer = Printer(function, found, extensions)
    return Trace(function.name, tuple(_traced(module, access, printer) for access in found.trace))


def _traced(module: Module, access: Access, printer: Printer) -> TracedAccess:
    line = module.source.line(access.step.instruction.start)
    text = printer.text(access.address)
    return TracedAccess(line, access.is_store, access.space, access.address, access.total_bytes, text)


@final
class Printer:
    """Terms as text."""

    def __init__(self, function: Function, found: Emulation, extensions: bool = False) -> None:
        names = [declarator.name for p in function.parameters for declarator in p.declarators]
        self._parameters = {name: f"param{place}" for place, name in enumerate(names)}
        self._loops = {f"loop({header})": f"loop({n})" for n, header in enumerate(sorted(found.flow.loops))}
        self._extensions = extensions

    def text(self, term: Term, within: bool = False) -> str:
        """A term as text. `within` another one, a sum is put in brackets."""
        parts: list[str] = []
        if term.constant or not term.parts:
            number = signed(term.constant, term.width)
            parts.append(hex(number) if term.width > 1 else str(term.constant))
        for monomial, factor in term.parts:
            product = " * ".join(self._atom(atom) for atom in monomial)
            parts.append(_scaled(product, signed(factor, term.width) if term.width > 1 else factor))
        text = " + ".join(parts)
        return f"({text})" if within and len(parts) > 1 else text

    def _atom(self, atom: Atom) -> str:
        if not atom.args:
            return self._loops.get(atom.name, self._parameters.get(atom.name, atom.name))
        if atom.op in ("sext", "zext"):
            if self._extensions:
                return f"{atom.op}({self.text(atom.args[0])})"
            return self.text(atom.args[0], within=True)
        if atom.op == "load":
            return f"load({self.text(atom.args[0])})"
        if atom.op in _BINARY:
            a, b = (self.text(argument, within=True) for argument in atom.args)
            return f"({a} {_BINARY[atom.op]} {b})"
        if atom.op == "ite":
            condition, a, b = (self.text(argument, within=True) for argument in atom.args)
            return f"({condition} ? {a} : {b})"
        name = atom.op if atom.op in _NAMED else atom.name
        return f"{name}({', '.join(self.text(argument) for argument in atom.args)})"


def _scaled(text: str, factor: int) -> str:
    if factor == 1:
        return text
    if factor == -1:
        return f"(- {text})"
    if factor > 0 and factor & (factor - 1) == 0:
        return f"({text} << {hex(factor.bit_length() - 1)})"
    return f"{hex(factor)} * {text}"
