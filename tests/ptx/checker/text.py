# SPDX-License-Identifier: Apache-2.0
"""Writes the body of a kernel line by line, with registers as nvcc names them: %p1, %r1, %rd1, %f1, %fd1, %rs1."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

NAME: Final = "stencil"
"""Of every random kernel."""
REGISTERS: Final = {"p": "pred", "rs": "b16", "r": "b32", "rd": "b64", "f": "f32", "fd": "f64"}


@dataclass(slots=True)
class Text:
    lines: list[str] = field(default_factory=list[str])
    parameters: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Name and type of each."""
    shared: list[str] = field(default_factory=list[str])
    _counts: Counter[str] = field(default_factory=Counter[str])
    _labels: int = 0

    def new(self, kind: str) -> str:
        self._counts[kind] += 1
        return f"%{kind}{self._counts[kind]}"

    def label(self) -> str:
        self._labels += 1
        return f"$L__BB0_{self._labels}"

    def at(self, label: str) -> None:
        self.lines.append(f"{label}:")

    def do(self, opcode: str, *operands: object, guard: str = "") -> None:
        """An instruction without a result, or with one that is named."""
        words = ", ".join(map(str, operands))
        line = f"{guard} {opcode}" if guard else opcode
        self.lines.append(f"\t{line} \t{words};" if words else f"\t{line};")

    def make(self, kind: str, opcode: str, *operands: object) -> str:
        """An instruction whose result is a new register."""
        result = self.new(kind)
        self.do(opcode, result, *operands)
        return result

    def parameter(self, kind: str) -> str:
        name = f"{NAME}_param_{len(self.parameters)}"
        self.parameters.append((name, kind))
        return name

    def whole(self, target: str, directives: list[str]) -> str:
        parameters = ",\n".join(f"\t.param .{kind} {name}" for name, kind in self.parameters)
        registers = [f"\t.reg .{REGISTERS[kind]} \t%{kind}<{count + 1}>;" for kind, count in self._counts.items()]
        return "\n".join(
            [".version 8.0", f".target {target}", ".address_size 64", "",
             f".visible .entry {NAME}(", parameters, ")", *directives, "{",
             *registers, *self.shared, "", *self.lines, "}", ""]
        )  # fmt: skip
