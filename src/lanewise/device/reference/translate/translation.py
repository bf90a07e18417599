# SPDX-License-Identifier: Apache-2.0
"""The translation of a function as `calls.py` sees it: lines can be added, and values have names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from lanewise.device.reference.translate.program import ProgramBuilder
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value


class Translation(Protocol):
    """The lines of one function, so far. `FunctionTranslator` makes them."""

    @property
    def builder(self) -> ProgramBuilder:
        """The program that the function belongs to."""
        ...

    @property
    def flushes(self) -> bool:
        """True if the function counts denormals of single precision as zeros."""
        ...

    def value(self, value: Value) -> str:
        """An expression for an operand."""
        ...

    def listed(self, values: list[Value]) -> str:
        """Expressions for several operands, separated by commas."""
        ...

    def helper(self, function: Callable[..., Any]) -> str:
        """The name of a function of ours in the source."""
        ...

    def emit(self, text: str) -> None:
        """Add a line."""
        ...

    def assign(self, instruction: Instruction, expression: str) -> None:
        """Add a line that gives an instruction's result its value."""
        ...

    def begin_life(self, alloca: Value) -> None:
        """Add what starts the life of a private variable."""
        ...

    def end_life(self, alloca: Value) -> None:
        """Add what ends the life of a private variable."""
        ...

    def fence(self, i: Instruction) -> None:
        """Add what a fence does."""
        ...

    def note_read(self, pointer: Value, call: Instruction) -> None:
        """Add the note of a read that a call has made of its result, if races are looked for."""
        ...

    def note_range(self, kind: str, pointer: Value, size: Value, call: Instruction) -> None:
        """Add the note of a read or write of so many bytes, if races are looked for."""
        ...
