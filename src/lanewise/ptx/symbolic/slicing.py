# SPDX-License-Identifier: Apache-2.0
"""The steps that addresses and branches depend on; all others are ignored (PTXASW, 5.1)."""

from __future__ import annotations

from collections import defaultdict

from lanewise.ptx.control.blocks import Flow
from lanewise.ptx.control.steps import Register, Step
from lanewise.ptx.language.opcodes import OPCODES, Effect
from lanewise.ptx.language.operands import Address, AddressList, Name, names_of
from lanewise.ptx.symbolic.parting import deciding, waits

_MEMORY = frozenset({Effect.LOAD, Effect.STORE, Effect.ATOMIC})


def relevant_steps(flow: Flow) -> frozenset[int]:
    """Numbers of the relevant steps: memory accesses, branches, and the steps that compute their addresses, conditions
    and guards, or the operands that instructions wait by."""
    writers: defaultdict[Register, list[Step]] = defaultdict(list)
    for step in flow.steps:
        for register in step.writes:
            writers[register].append(step)
    found: set[int] = set()
    wanted: set[Register] = set()
    work: list[Register] = []

    def want(registers: list[Register]) -> None:
        for register in registers:
            if register not in wanted:
                wanted.add(register)
                work.append(register)

    for step in flow.steps:
        known = OPCODES.get(step.instruction.name)
        effect = known.effect if known else Effect.NONE
        if effect in _MEMORY:
            found.add(step.number)
            want(_address_registers(step))
        elif effect in (Effect.BRANCH, Effect.END):
            found.add(step.number)
            want(list(step.reads))
        elif waits(step.instruction):
            want(_deciding_registers(step))
    while work:
        for step in writers[work.pop()]:
            found.add(step.number)
            known = OPCODES.get(step.instruction.name)
            if known is not None and known.effect in _MEMORY:
                want(_address_registers(step))
            else:
                want(list(step.reads))
    return frozenset(found)


def _deciding_registers(step: Step) -> list[Register]:
    """Registers in the operands that determine which lanes a step waits for, and the guard."""
    names = [name for operand in deciding(step.instruction) for name in names_of(operand)]
    found = [r for name in names if (r := step.scope.register(name.text)) is not None]
    return found if step.guard is None else [*found, step.guard]


def _address_registers(step: Step) -> list[Register]:
    """Registers in addresses, and the guard."""
    names: list[Name] = []
    for operand in step.instruction.operands:
        if isinstance(operand, Address | AddressList):
            names += names_of(operand)
    found = [r for name in names if (r := step.scope.register(name.text)) is not None]
    return found if step.guard is None else [*found, step.guard]
