# SPDX-License-Identifier: Apache-2.0
"""The symbolic emulator: every path through a function, with the values of registers and the loads from memory.

A function is emulated once for unknown inputs. If a branch can't be decided, each edge continues with a state of its
own, in which the condition is assumed. Equal states continue as one. If a block has too many, they are merged: values
that differ become unknown. `loops.py` describes the treatment of loops.

Blocks are visited in reverse postorder, so that all forward edges to a block have been followed before its visit.

Source: PTXASW (CC 2023), section 4. It follows paths one by one; that they join again here keeps 20 branches in a row
from becoming a million paths.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final, final

from lanewise.ptx.control.blocks import Flow
from lanewise.ptx.control.liveness import live_at_entry
from lanewise.ptx.control.steps import steps_of
from lanewise.ptx.declined import DeclinedError
from lanewise.ptx.language.module import Function, Module
from lanewise.ptx.language.opcodes import OPCODES, Effect
from lanewise.ptx.language.statements import Instruction
from lanewise.ptx.symbolic.environment import Environment, is_special
from lanewise.ptx.symbolic.execution import Emulation, Execution
from lanewise.ptx.symbolic.loops import Loops
from lanewise.ptx.symbolic.operations import Operations
from lanewise.ptx.symbolic.parting import unbroken_functions
from lanewise.ptx.symbolic.slicing import relevant_steps
from lanewise.ptx.symbolic.solver import Solver
from lanewise.ptx.symbolic.state import State, merged
from lanewise.ptx.symbolic.terms import Differs, Terms

MOST_STATES: Final = 16
"""Limit on states at one block before they are merged. Correlated branches that matter are two or three."""
_MOST_ROUNDS: Final = 12
"""Limit on rounds of emulation until the facts about loops are stable. Two or three suffice for the output of
compilers."""
_FLAGS: Final = 2
"""Assumptions per loop that may fail once each: lanes are in step, and lanes leave in the same iteration."""
MOST_WORK: Final = 400_000
"""Limit on emulated steps of a function, plus a charge per state for its registers. A function beyond it is left
unchanged, on any machine under any load; it is some 8 s on an idle one."""
_REGISTERS_A_STEP: Final = 4
"""Number of registers in a state that cost as much as one step: they are compared and copied at each block."""


def emulated(module: Module, function: Function) -> Emulation:
    """All paths through a function with a body. DeclinedError if it can't be analysed, or not in time."""
    return Emulator(module, function).run()


@final
class Emulator:
    """Emulates one function."""

    def __init__(self, module: Module, function: Function) -> None:
        flow = Flow(steps_of(function))
        self._flow = flow
        self._terms = Terms()
        self._environment = Environment(self._terms, Operations(self._terms), module.address_size)
        self._solver = Solver(self._terms)
        self._relevant = relevant_steps(flow)
        self._live = live_at_entry(flow, self._relevant)
        self._loops = Loops(flow, self._terms, self._live)
        self._parameters = frozenset(d.name for p in function.parameters for d in p.declarators)
        self._own_spaces = ("local", "generic") if module.has_local_memory else ("local",)
        self._unbroken = unbroken_functions(module)
        self._work = 0

    def run(self) -> Emulation:
        self._refuse_unknown()
        for _ in range(_MOST_ROUNDS + _FLAGS * len(self._flow.loops)):
            found = self._round()
            if not self._loops.end_round():
                found.out_of_step = self._loops.out_of_step
                return found
        raise DeclinedError("what its loops do to registers is not found out", self._flow.steps[0].instruction.start)

    def _refuse_unknown(self) -> None:
        """Refuse programs that ptxas doesn't accept either: unknown instructions, and registers that are never declared
        or written."""
        written = {register for step in self._flow.steps for register in step.writes}
        for step in self._flow.steps:
            if step.instruction.name not in OPCODES:
                raise DeclinedError(f"the instruction {step.instruction.opcode} is not known", step.instruction.start)
            undeclared = step.undeclared()
            if undeclared is not None and not is_special(undeclared):
                raise DeclinedError(f"{undeclared} is not declared", step.instruction.start)
            for register in step.reads:
                if register not in written:
                    raise DeclinedError(f"{register.name} is read but never written", step.instruction.start)

    def _round(self) -> Emulation:
        self._found = Emulation(self._flow, self._environment, self._solver)
        self._execution = Execution(
            self._found, self._loops, self._relevant, self._parameters, self._own_spaces, self._unbroken
        )
        self._loops.begin_round()
        waiting: dict[int, list[State]] = defaultdict(list)
        if self._flow.blocks:
            waiting[0].append(State())
        for number in self._flow.order:
            for state in self._gathered(number, waiting.pop(number, [])):
                for successor, after in self._through(number, state):
                    if self._flow.is_back_edge(number, successor):
                        self._loops.close(successor, after)
                    else:
                        waiting[successor].append(self._loops.leave(number, successor, after))
        return self._found

    def _gathered(self, number: int, states: list[State]) -> list[State]:
        """The states at a block, without duplicates, and at most `MOST_STATES`."""
        live = self._live[number]
        different: dict[tuple[object, ...], State] = {}
        for state in states:
            state.keep(live)
            key = state.key()
            known = different.get(key)
            if known is None:
                different[key] = state
            else:
                known.assumptions = known.common_assumptions(state)
        kept = list(different.values())
        if len(kept) > MOST_STATES:
            self._found.merges += 1
            kept = [merged(kept, self._terms, number)]
        if number in self._flow.loops:
            for state in kept:
                self._loops.enter(number, state)
        return kept

    def _through(self, number: int, state: State) -> Iterable[tuple[int, State]]:
        """Execute a block's steps in one state. Returns the successors with their states."""
        block = self._flow.blocks[number]
        self._work += block.last - block.first + len(state.registers) // _REGISTERS_A_STEP
        if self._work > MOST_WORK:
            start = self._flow.steps[block.first].instruction.start
            raise DeclinedError(f"the analysis takes more than {MOST_WORK:,} steps", start)
        state = state.copy()
        for step in self._flow.steps_in(number):
            self._execution.step(step, state)
        last = self._flow.steps[block.last - 1]
        guard = last.instruction.guard
        if last.guard is None or guard is None or not _is_jump(last.instruction):
            if len(block.successors) > 1:  # brx.idx
                self._loops.part(number, block.successors)
            return [(successor, state.copy()) for successor in block.successors]
        condition = state.registers.get(last.guard)
        if condition is None:
            condition = self._terms.symbol(f"{last.guard.name} before it is written", 1, Differs.FREELY)
        if guard.negated:
            condition = self._terms.complement(condition)
        found: list[tuple[int, State]] = []
        known = self._solver.decided(state.assumptions, condition)
        if known is not False:
            found += [(target, state.assuming(condition, True, self._terms)) for target in dict.fromkeys(block.taken)]
        if known is not True and block.following is not None:
            found.append((block.following, state.assuming(condition, False, self._terms)))
        if known is None and condition.differs > Differs.BY_ROW:
            self._loops.part(number, block.successors if len(block.successors) > 1 else 2 * block.successors)
        return found


def _is_jump(instruction: Instruction) -> bool:
    known = OPCODES.get(instruction.name)
    return known is not None and known.effect in (Effect.BRANCH, Effect.END)
