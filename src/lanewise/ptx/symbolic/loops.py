# SPDX-License-Identifier: Apache-2.0
"""Loops: one iteration is a model for all.

At the header, an induction variable (a register that changes by the same amount in each iteration) has its initial
value plus iteration number times amount. Any other changed register is unknown. The assumption at the header is
compared with the values at the back edge; if it was wrong, the function is emulated again.

Lanes that execute an instruction together are *in step* in a loop if they can't have entered or repeated it at
different times. If lanes may diverge before a loop or within it, and both edges lead to its header, they are out of
step: one may be in the third iteration, another one in the fifth. Nothing depends on reconvergence by the hardware.

A term still refers to the iteration, as a value common to all lanes: it describes lanes in the same iteration. A
comparison of lanes must ensure that for the loops in `out_of_step`: shuffle synthesis counts iterations, and compares
them at run time. After a loop there is nothing left to compare, so values of a loop that is out of step become unknown
there.

A round of emulation in which lanes turn out to be out of step, or to leave in different iterations, is repeated. Its
increments of registers are not used: some of its states were made before that was known.

Source: PTXASW (CC 2023), 4.2: the initial values are clipped out of iterators.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, final

from lanewise.ptx.control.blocks import Flow, Loop
from lanewise.ptx.control.steps import Register, Step
from lanewise.ptx.symbolic.environment import width_of
from lanewise.ptx.symbolic.memory import clobbered_spaces, gathers_warp, lets_see
from lanewise.ptx.symbolic.state import Lost, State
from lanewise.ptx.symbolic.terms import Differs, Term, Terms, symbols_of

_MOST_CHANGES: Final = 4
"""Limit on changes of a register's increment between rounds. Increments that depend on an outer loop take more than
one."""


@dataclass(eq=False, slots=True)
class _Facts:
    """Facts about a loop, collected over the rounds."""

    changed: frozenset[Register]
    """The registers that its steps write."""
    clobbered: frozenset[str]
    """The state spaces that they may change."""
    synchronises: bool
    """True if they may make writes of other threads visible."""
    apart: bool
    """True if that may happen at different times: anywhere but at barriers of the whole block."""
    steps: dict[Register, Term | None] = field(default_factory=dict[Register, Term | None])
    """Per-iteration increment of each register; None if it is not constant."""
    changes: defaultdict[Register, int] = field(default_factory=lambda: defaultdict[Register, int](int))
    in_step: bool = True
    """True if lanes that execute together are in the same iteration."""
    leaves_alike: bool = True
    """True if lanes in the same iteration leave in the same iteration: the exit conditions are uniform."""


@final
class Loops:
    """The facts about a function's loops, which accumulate over the rounds."""

    def __init__(self, flow: Flow, terms: Terms, live: dict[int, frozenset[Register]]) -> None:
        self._flow = flow
        self._terms = terms
        self._live = live
        self._facts = {header: _facts_of(flow, loop) for header, loop in flow.loops.items()}
        self._grown: defaultdict[tuple[int, Register], set[Term]] = defaultdict(set)
        self._again = False
        self._turned_out = False

    @property
    def out_of_step(self) -> frozenset[int]:
        """Headers of loops in which lanes that execute together may be in different iterations."""
        return frozenset(header for header, facts in self._facts.items() if not facts.in_step)

    def begin_round(self) -> None:
        self._grown.clear()
        self._turned_out = False

    def end_round(self) -> bool:
        """True if an assumption of this round was wrong."""
        if self._turned_out:
            return True
        again = False
        for (header, register), amounts in self._grown.items():
            facts = self._facts[header]
            amount = next(iter(amounts)) if len(amounts) == 1 else None
            if amount is not None and (amount.differs > Differs.BY_ROW or amount.loops & self._headers_in(header)):
                amount = None
            if register not in facts.steps or facts.steps[register] is not amount:
                facts.changes[register] += 1
                facts.steps[register] = amount if facts.changes[register] <= _MOST_CHANGES else None
                again = True
        return again

    # -- ways in, round, and out -------------------------------------------------------------------------------

    def enter(self, header: int, state: State) -> None:
        """Turn a state on an entry edge into one that holds at the header in any iteration."""
        facts = self._facts[header]
        state.lose_all(Lost("loop", None))
        for space in facts.clobbered:
            state.versions[space] = f"loop {header}"
        state.apart |= facts.apart
        entered = {r: v for r, v in state.registers.items() if r in facts.changed}
        state.entered = {**state.entered, header: entered}
        for register, first in entered.items():
            if register in facts.steps and facts.steps[register] is None:
                name = f"loop({header}, {_spelled(register)})?"
                unknown = self._terms.symbol(name, width_of(register), Differs.FREELY, frozenset({header}))
                state.registers[register] = unknown
            else:
                state.registers[register] = self._at_header(header, register, first)

    def close(self, header: int, state: State) -> None:
        """Record the increments of registers on the back edge."""
        facts, entered = self._facts[header], state.entered[header]
        for register in facts.changed & self._live[header]:
            if register in facts.steps and facts.steps[register] is None:
                continue
            now, first = state.registers.get(register), entered.get(register)
            if now is None or first is None:  # it was not written, or states were merged that began differently
                grown = self._terms.fresh("", width_of(register))
            else:
                grown = self._terms.subtract(now, self._at_header(header, register, first))
            self._grown[header, register].add(grown)

    def leave(self, source: int, target: int, state: State) -> State:
        """A state on an edge. After a loop, the iteration of its values is no longer known, unless all lanes leave
        together in the same one."""
        left = [loop.header for loop in self._flow.loops_around(source) if target not in loop.blocks]
        if not left:
            return state
        state = state.copy()
        state.lose_all(Lost("loop", None))
        state.entered = {header: values for header, values in state.entered.items() if header not in left}
        apart = [header for header in left if not (self._facts[header].leaves_alike and self._facts[header].in_step)]
        if apart:
            state.apart |= any(self._facts[header].synchronises for header in apart)
            self._forget_iteration(frozenset[int]().union(*map(self._headers_in, apart)), state)
        return state

    def part(self, block: int, successors: Iterable[int]) -> None:
        """Record that lanes in the same iterations may diverge at the end of a block. (Other lanes have diverged
        before; loops that they reach are known to be out of step.)"""
        ways = [self._flow.reachable(successor) for successor in successors]
        for header, facts in self._facts.items():
            if facts.in_step and sum(header in way for way in ways) > 1:
                facts.in_step = False
                self._turned_out = True
        for loop in self._flow.loops_around(block):
            facts = self._facts[loop.header]
            if facts.leaves_alike and any(successor not in loop.blocks for successor in successors):
                facts.leaves_alike = False
                self._turned_out = True

    def part_within(self, block: int) -> None:
        """Record that lanes may diverge at a step within a block, and continue at different times."""
        for successor in self._flow.blocks[block].successors:
            self.part(block, (successor, successor))

    def times(self, step: Step, space: str) -> tuple[Term, ...]:
        """The iterations of the loops around a step that may change the state space it reads."""
        around = self._flow.loops_around(self._flow.block_of(step.number))
        return tuple(self._iteration(loop.header) for loop in around if space in self._facts[loop.header].clobbered)

    # -- values ------------------------------------------------------------------------------------------------

    def _at_header(self, header: int, register: Register, first: Term) -> Term:
        """The initial value plus its growth since: iteration number times increment, or an amount not yet known."""
        width = width_of(register)
        step = self._facts[header].steps.get(register)
        if step is None:
            grown = self._symbol(header, f"loop({header}, {_spelled(register)})", width)
        else:
            grown = self._terms.multiply(self._terms.truncate(self._iteration(header), width), step)
        return self._terms.add(first, grown)

    def _iteration(self, header: int) -> Term:
        """The number of the iteration."""
        return self._symbol(header, f"loop({header})", 64)

    def _symbol(self, header: int, name: str, width: int) -> Term:
        """A symbol with the same value for lanes in the same iteration. Rows of a block may leave at different
        times."""
        return self._terms.symbol(name, width, Differs.BY_ROW, frozenset({header}))

    def _forget_iteration(self, headers: frozenset[int], state: State) -> None:
        symbols = {
            atom
            for value in state.registers.values()
            for atom in symbols_of(value)
            if atom.loops & headers and atom.differs <= Differs.BY_ROW
        }
        values = {
            self._terms.of_atom(atom): self._terms.symbol(f"{atom.name} when left", atom.width, Differs.FREELY)
            for atom in symbols
        }
        known: dict[Term, Term] = {}
        state.registers = {r: self._terms.replaced(v, values, known) for r, v in state.registers.items()}
        state.assumptions = tuple(a for a in state.assumptions if not a[0].loops & headers)

    def _headers_in(self, header: int) -> frozenset[int]:
        inner = self._flow.loops[header].blocks
        return frozenset(h for h in self._flow.loops if h in inner)


def _facts_of(flow: Flow, loop: Loop) -> _Facts:
    steps = [step for number in loop.blocks for step in flow.steps_in(number)]
    changed = frozenset(register for step in steps for register in step.writes)
    clobbered = frozenset(space for step in steps for space in clobbered_spaces(step.instruction))
    synchronising = [step.instruction for step in steps if lets_see(step.instruction)]
    return _Facts(changed, clobbered, bool(synchronising), not all(map(gathers_warp, synchronising)))


def _spelled(register: Register) -> str:
    return register.name if not register.scope else f"{register.name} of block {register.scope}"
