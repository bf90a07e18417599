# SPDX-License-Identifier: Apache-2.0
"""Classification of a function's private variables: those that need no memory, and those with a scope."""

from __future__ import annotations

from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction

LIFETIME_START = "llvm.lifetime.start"
LIFETIME_END = "llvm.lifetime.end"


def plain_variables(function: Function) -> set[Instruction]:
    """Allocas that are only loaded and stored whole, as one type; their address does not matter."""
    return {i for i in function.instructions() if i.op == "alloca" and not i.operands and _is_plain(i)}


def scoped_variables(function: Function) -> set[Instruction]:
    """Allocas whose lifetime starts at a marker."""
    return {i for i in function.instructions() if i.op == "alloca" and any(map(_begins_life, i.users))}


def _is_plain(alloca: Instruction) -> bool:
    for user in alloca.users:
        match user.op:
            case "load":
                whole = user.type is alloca.source_type and not user.ordering
            case "store":
                value, pointer = user.operands
                whole = pointer is alloca and value is not alloca and value.type is alloca.source_type
                whole = whole and not user.ordering
            case "call":
                whole = user.callee.startswith((LIFETIME_START, LIFETIME_END))
            case _:
                whole = user.is_debug_record
        if not whole:
            return False
    return True


def _begins_life(user: Instruction) -> bool:
    return user.callee.startswith(LIFETIME_START)
