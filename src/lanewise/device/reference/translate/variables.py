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


def is_copy(load: Instruction) -> bool:
    """True if the content of a plain variable stays the same until the last use of what was loaded from it."""
    block, variable = load.parent, load.operands[0]
    if any(user.parent is not block or user.op == "phi" for user in load.users):
        return False
    uses = set(load.users)
    for instruction in block.instructions[block.instructions.index(load) + 1 :]:
        uses.discard(instruction)
        if not uses:
            return True
        if variable in instruction.operands and instruction.op != "load":
            return False
    return True


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
