# SPDX-License-Identifier: Apache-2.0
"""Steps at which lanes that execute together may diverge without a branch.

A callee may have branches with barriers of the warp inside: its lanes return at different times. An instruction that
waits for other lanes releases a lane as soon as the lanes it names have arrived. If lanes name different ones, or a
guard holds for some only, they continue at different times.

Source: PTX ISA 9.0, 9.7.12.5 "call", 9.7.13.1 "bar.warp.sync", 9.7.9.6 "shfl.sync".
"""

from __future__ import annotations

from typing import Final

from lanewise.ptx.control.steps import Step
from lanewise.ptx.language.module import Function, Module
from lanewise.ptx.language.opcodes import Effect
from lanewise.ptx.language.operands import Group, Name, Operand
from lanewise.ptx.language.statements import Instruction
from lanewise.ptx.symbolic.memory import effect_of

_BY_MASK: Final = frozenset({"shfl", "match", "vote", "redux", "elect"})
"""Instructions that, with `.sync`, wait for the lanes that their last operand names."""
_BY_OPERANDS: Final = frozenset({"bar", "barrier", "nanosleep"})
"""Instructions whose operands determine which lanes, or how long, they wait for."""
_UNBROKEN: Final = frozenset({Effect.NONE, Effect.LOAD, Effect.STORE, Effect.ATOMIC, Effect.MOVING, Effect.END})
"""Effects of instructions that keep converged lanes converged."""


def unbroken_functions(module: Module) -> frozenset[str]:
    """Functions through which converged lanes stay together: straight-line code without waiting."""
    return frozenset(function.name for function in module.functions if _is_unbroken(function))


def _is_unbroken(function: Function) -> bool:
    return all(
        effect_of(instruction) in _UNBROKEN and not (effect_of(instruction) is Effect.END and instruction.guard)
        for instruction in function.instructions()
    )


def keeps_together(step: Step, unbroken: frozenset[str]) -> bool:
    """True if lanes stay together at a step if `deciding` operands and its guard are the same for all of them."""
    match effect_of(step.instruction):
        case Effect.CALL:
            return _callee(step.instruction) in unbroken
        case Effect.BARRIER:
            return step.instruction.name in _BY_OPERANDS
        case _:
            return True


def waits(instruction: Instruction) -> bool:
    """True if an instruction calls a function, or may wait for other lanes or for a time."""
    if instruction.name in _BY_MASK:
        return "sync" in instruction.modifiers
    return instruction.name == "nanosleep" or effect_of(instruction) in (Effect.BARRIER, Effect.CALL)


def deciding(instruction: Instruction) -> tuple[Operand, ...]:
    """The operands that determine which lanes, or how long, an instruction waits for."""
    if instruction.name in _BY_MASK:
        return instruction.operands[-1:]
    return instruction.operands if instruction.name in _BY_OPERANDS else ()


def _callee(instruction: Instruction) -> str:
    names = [operand.text for operand in instruction.operands if isinstance(operand, Name)]
    first = instruction.operands[0] if instruction.operands else None
    return names[0] if names and (isinstance(first, Name | Group)) else ""
