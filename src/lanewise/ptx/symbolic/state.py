# SPDX-License-Identifier: Apache-2.0
"""The state of a path: registers, assumptions, and the loads whose values are still in registers and memory."""

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from lanewise.ptx.control.steps import Register
from lanewise.ptx.symbolic.memory import Access
from lanewise.ptx.symbolic.terms import Differs, Term, Terms


class Lost(NamedTuple):
    """Reason why the value of a load is no longer available: the step, and how."""

    how: str
    step: int | None


Assumption = tuple[Term, bool]
"""A condition, and its truth value."""


@dataclass(eq=False, slots=True)
class State:
    registers: dict[Register, Term] = field(default_factory=dict[Register, Term])
    assumptions: tuple[Assumption, ...] = ()
    trace: tuple[Access, ...] = ()
    """Loads of this path, in order, since the last start or end of a loop. Nothing since may have changed the memory
    that they read, or overwritten their registers."""
    lost: dict[int, Lost] = field(default_factory=dict[int, Lost])
    """Loads, by step, that are no longer in the trace. It is replaced, never changed."""
    versions: dict[str, str] = field(default_factory=dict[str, str])
    """The last step or place that may have changed each state space."""
    apart: bool = False
    """True if another lane in the same state may have read memory at another time and found another value. This path
    has then synchronised with other threads since the start of the kernel or the last barrier of a whole warp."""
    entered: dict[int, dict[Register, Term]] = field(default_factory=dict[int, dict[Register, Term]])
    """Values of registers at the entry of each loop around, by header."""

    def copy(self) -> "State":
        return State(
            dict(self.registers), self.assumptions, self.trace, self.lost, dict(self.versions), self.apart, self.entered
        )

    def keep(self, live: Set[Register]) -> None:
        """Drop registers that are not live."""
        if len(self.registers) > len(live):
            self.registers = {register: value for register, value in self.registers.items() if register in live}

    def key(self) -> tuple[object, ...]:
        """Equality key: emulation continues in the same way from states with equal keys."""
        entered = frozenset((header, frozenset(values.items())) for header, values in self.entered.items())
        return (
            frozenset(self.registers.items()), tuple(map(id, self.trace)), frozenset(self.versions.items()), self.apart,
            entered,
        )  # fmt: skip

    def common_assumptions(self, other: "State") -> tuple[Assumption, ...]:
        theirs = set(other.assumptions)
        return tuple(a for a in self.assumptions if a in theirs)

    def assuming(self, condition: Term, holds: bool, terms: Terms) -> "State":
        """This state with the assumption that a predicate holds, or doesn't."""
        state = self.copy()
        if condition.value is None:
            if condition.constant:  # a negated predicate: assumptions are of those that are not
                condition, holds = terms.complement(condition), not holds
            state.assumptions = (*state.assumptions, (condition, holds))
        return state

    def forget(self, registers: tuple[Register, ...], step: int) -> None:
        """Overwrite registers: loads into them are no longer available."""
        if any(access.is_into(registers) for access in self.trace):
            self.keep_loads(lambda access: not access.is_into(registers), Lost("overwritten", step))

    def keep_loads(self, kept: Callable[[Access], bool], why: Lost) -> None:
        """Keep only some loads of the trace."""
        gone = {access.step.number: why for access in self.trace if not kept(access)}
        if gone:
            self.trace = tuple(access for access in self.trace if kept(access))
            self.lost = {**self.lost, **gone}

    def lose_all(self, why: Lost) -> None:
        self.keep_loads(lambda _: False, why)


@dataclass(eq=False, frozen=True, slots=True)
class Sighting:
    """A load as reached on one path, with the earlier loads and the assumptions of that path."""

    access: Access
    before: tuple[Access, ...]
    assumptions: tuple[Assumption, ...]
    lost: dict[int, Lost]
    is_weak: bool


def merged(states: list[State], terms: Terms, place: int) -> State:
    """One state for all: values that differ become unknown."""
    first = states[0].copy()
    for other in states[1:]:
        first.assumptions = first.common_assumptions(other)
        first.apart |= other.apart
        theirs = set(map(id, other.trace))
        first.trace = tuple(access for access in first.trace if id(access) in theirs)
        for space in {*first.versions, *other.versions}:
            if first.versions.get(space) != other.versions.get(space):
                first.versions[space] = f"block {place}"
        for register, value in list(first.registers.items()):
            if other.registers.get(register) is not value:
                first.registers[register] = terms.symbol(
                    f"{register.name}#{register.scope} at block {place}", value.width, Differs.FREELY
                )
        for header, values in list(first.entered.items()):
            theirs_entered = other.entered.get(header, {})
            if theirs_entered != values:
                kept = {r: v for r, v in values.items() if theirs_entered.get(r) is v}
                first.entered = {**first.entered, header: kept}
    return first
