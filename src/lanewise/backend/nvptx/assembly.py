# SPDX-License-Identifier: Apache-2.0
"""Inline assembly that LLVM's NVPTX back end would end the process on.

What the assembly says is not read: that is `ptxas`'s to judge.
Source: PTX ISA, "Inline PTX Assembly in CUDA" (constraint letters), and what LLVM 22 takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lanewise.backend.nvptx.targets import Target
from lanewise.ir.instruction import Instruction
from lanewise.ir.lexer import tokens
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value

_LETTERS: Final = frozenset("brhclfdqNXm")
"""Registers by size and kind, any operand, and memory."""
_IMMEDIATES: Final = frozenset("ni")
_MODIFIER: Final = re.compile(r"\$\{\d+:(\w+)\}").findall


def is_assembly(call: Instruction) -> bool:
    callee = call.operands[0]
    return isinstance(callee, Constant) and callee.kind == "asm"


def assembly_faults(call: Instruction, target: Target) -> Iterator[str]:
    """The reason why the back end can't have this call of inline assembly."""
    callee = call.operands[0]
    assert isinstance(callee, Constant)
    text, constraints = (token[1:-1] for token in tokens(callee.text) if token[0] == '"')
    for modifier in _MODIFIER(text):
        if modifier != "r":
            yield f"has inline assembly with the operand modifier {modifier!r}, which PTX doesn't have"
    results = iter(call.type.fields if call.type.kind == "struct" else (call.type,))
    arguments = iter(call.arguments)
    for constraint in filter(None, constraints.split(",")):
        if constraint[0] in "~!":
            continue
        output = constraint[0] == "=" and "*" not in constraint
        value = None if output else next(arguments, None)
        type_ = next(results, None) if output else value.type if value is not None else None
        letters = re.sub(r"\{[^}]*\}|[=+&*%\d]", "", constraint)
        if not _fits(letters, type_, value):
            yield f"has inline assembly with the constraint {constraint!r} on {type_}, which PTX doesn't have"
        elif type_ is not None and type_.bits > 64 and target.sm < 70:
            yield f"has inline assembly with a 128-bit operand, which needs sm_70; the target is {target.name}"


def _fits(letters: str, type_: Type | None, value: Value | None) -> bool:
    bits = type_.bits if type_ is not None else 0
    for letter in letters:
        if letter in _IMMEDIATES:
            fits = isinstance(value, Constant)
        elif letter in "bq":
            fits = (bits > 64) == (letter == "q")
        else:
            fits = letter in _LETTERS
        if not fits:
            return False
    return True
