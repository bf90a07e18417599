# SPDX-License-Identifier: Apache-2.0
"""The words of an opcode: `mul.wide.s32`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lanewise.frontend.ptx.ptx_types import TYPES
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

Row = Callable[["PtxCode", Instruction], None]
"""Translates one instruction."""


def types_of(instruction: Instruction) -> list[str]:
    """The types among the words, in order."""
    return [word for word in instruction.modifiers if word in TYPES]


def type_word(instruction: Instruction) -> str:
    """The last type among the words."""
    found = types_of(instruction)
    if not found:
        raise RefusedError("it has no type that is supported")
    return found[-1]


def only(instruction: Instruction, *allowed: str) -> None:
    """RefusedError for a word that is neither allowed nor a type."""
    for word in instruction.modifiers:
        if word not in allowed and word not in TYPES:
            raise RefusedError(f".{word} is not supported")


def rounding(instruction: Instruction) -> str:
    """rn, rz, rm or rp; rn where none is given."""
    return next((word for word in instruction.modifiers if word in ("rn", "rz", "rm", "rp")), "rn")
