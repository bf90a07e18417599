# SPDX-License-Identifier: Apache-2.0
"""Flags: variables that only tell which way control flow came, and that decide where it goes on."""

from __future__ import annotations

from typing import Any

from lanewise.llvm import LlvmModule


def has_flags(llvm: LlvmModule) -> bool:
    """True if some block branches by a phi of its own, two incoming values of which are different constants.

    Clang makes such a phi, or its comparison with a constant, where a scope with variables is left early. Variables
    have to be in registers.
    """
    return any(_decides_by_flag(block) for function in llvm.handle.functions for block in function.blocks)


def _decides_by_flag(block: Any) -> bool:
    flags: set[str] = set()
    made: dict[str, list[str]] = {}
    for instruction in block.instructions:
        match instruction.opcode:
            case "phi":
                constants = {str(value) for value in instruction.operands if value.is_constant}
                if len(constants) > 1:
                    flags.add(instruction.name)
            case "icmp" if flags:
                made[instruction.name] = [value.name for value in instruction.operands]
            case "br" | "switch" if flags:
                condition = next(iter(instruction.operands)).name
                return not flags.isdisjoint([condition, *made.get(condition, ())])
            case _:
                if not flags:
                    return False
    return False
