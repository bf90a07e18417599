# SPDX-License-Identifier: Apache-2.0
"""Questions for Z3 about terms, if their normal form doesn't answer them.

A question that takes too much effort is not answered, which counts as no. Questions that differ only in the names of
unknowns are asked once: 48 loads of a stencil need some six.

Source: PTXASW (CC 2023), 4.2 (unrealisable paths), 5.1 ("uninterpreted functions are converted to unique variables").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, final

from lanewise.ptx.symbolic.state import Assumption
from lanewise.ptx.symbolic.terms import Term, Terms, signed
from lanewise.ptx.symbolic.translation import Translator
from lanewise.ptx.symbolic.z3_module import z3

EFFORT: Final = 500_000
"""Limit on Z3's effort for one question, some 0.2 s. It is in Z3's own units, so that the answer is the same on any
machine under any load. Questions with an answer take thousands of units, and milliseconds."""
MOST_ABOUT_BRANCHES: Final = 100
"""Limit on questions about branches of a function: more pruning saves no time."""
_UNANSWERED: Final = 20
"""Weight of an unanswered question, which took all of the effort, so that at most some 2 s are spent on such
questions."""
_LIMITS: Final = {
    "%ntid.x": 1024, "%ntid.y": 1024, "%ntid.z": 64, "%nctaid.x": (1 << 31) - 1, "%nctaid.y": 65535,
    "%nctaid.z": 65535, "%laneid": 31,
}  # fmt: skip
"""Largest values (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability")."""
_BELOW: Final = {f"%{small}.{axis}": f"%n{small}.{axis}" for axis in "xyz" for small in ("tid", "ctaid")}
_SPECIAL: Final = {name: name for name in (*_LIMITS, *_BELOW)}


@final
class Solver:
    """Z3 for the terms of one function. It is loaded when the first question needs it."""

    def __init__(self, terms: Terms) -> None:
        self._terms: Final = terms
        self._left = MOST_ABOUT_BRANCHES
        self._exact = Translator(rough=False)
        self._rough = Translator(rough=True)
        self._decided: dict[tuple[frozenset[Assumption], Term], bool | None] = {}
        self._answers: dict[tuple[str, ...], bool] = {}
        self.questions = 0
        """Number of questions that Z3 was asked."""
        self._unanswered = 0

    # -- branches ----------------------------------------------------------------------------------------------

    def decided(self, assumptions: Sequence[Assumption], condition: Term) -> bool | None:
        """The value of a predicate under the assumptions; None if it is unknown."""
        if condition.value is not None:
            return bool(condition.value)
        return self.decide(assumptions, condition)

    def decide(self, assumptions: Sequence[Assumption], condition: Term) -> bool | None:
        """True if a predicate follows from the assumptions, False if its negation does, None if neither is known."""
        holds = True
        if condition.constant:
            condition, holds = self._terms.complement(condition), False
        for known, value in assumptions:
            if known is condition:
                return value == holds
        related = _related(self._exact, assumptions, self._exact.variables(condition))
        if not related or self._left <= 0:
            return None
        key = (frozenset(related), condition)
        if key not in self._decided:
            before = self._unanswered
            self._decided[key] = self._decide(related, condition)
            self._left -= 1 + _UNANSWERED * (self._unanswered - before)
        found = self._decided[key]
        return None if found is None else found == holds

    def _decide(self, assumptions: Sequence[Assumption], condition: Term) -> bool | None:
        if self._impossible(self._exact, [*assumptions, (condition, True)], None):
            return False
        if self._impossible(self._exact, [*assumptions, (condition, False)], None):
            return True
        return None

    # -- proofs ------------------------------------------------------------------------------------------------

    def are_equal(self, a: Term, b: Term, facts: Sequence[Assumption], rough: bool) -> bool:
        """True if two terms are equal whenever all `facts` hold. Common parts are cancelled first."""
        difference = self._reduced(self._terms.subtract(a, b))
        translator = self._rough if rough else self._exact
        related = _related(translator, facts, translator.variables(difference))
        return self._impossible(translator, related, difference)

    def excludes(self, facts: Sequence[Assumption]) -> bool:
        """True if some facts can't all hold at once."""
        return bool(facts) and self._impossible(self._exact, facts, None)

    def _reduced(self, difference: Term) -> Term:
        """A difference divided by the power of two common to all its terms: if the result is 0, so is the
        difference."""
        numbers = [signed(n, difference.width) for n in (difference.constant, *(f for _, f in difference.parts))]
        power = min((abs(number) & -abs(number) for number in numbers if number), default=1)
        return self._terms.divided(difference, power)

    def _impossible(self, translator: Translator, facts: Iterable[Assumption], different: Term | None) -> bool:
        """True if no values satisfy all `facts` and make `different` nonzero."""
        names = dict(_SPECIAL)
        facts = list(facts)
        texts = [] if different is None else [translator.text(different, names)]
        texts += [f"{translator.text(term, names)} = {int(holds)}" for term, holds in facts]
        key = ("rough" if translator is self._rough else "exact", str(different is None), *texts)
        if key not in self._answers:
            self.questions += 1
            self._answers[key] = self._ask(translator, facts, different)
        return self._answers[key]

    def _ask(self, translator: Translator, facts: list[Assumption], different: Term | None) -> bool:
        solver: Any = z3().SolverFor("QF_BV")
        solver.set("rlimit", EFFORT)
        solver.set("ctrl_c", False)  # an interrupt is Python's to raise, not an answer
        variables: set[str] = set()
        for term, holds in facts:
            variables |= translator.variables(term)
            solver.add(translator.expression(term) == z3().BitVecVal(int(holds), 1))
        if different is not None:
            variables |= translator.variables(different)
            solver.add(translator.expression(different) != 0)
        for fact in _limits(variables):
            solver.add(fact)
        answer = solver.check()
        self._unanswered += answer == z3().unknown
        return answer == z3().unsat


def _limits(variables: set[str]) -> list[Any]:
    """Bounds of special registers that the hardware guarantees."""
    known = variables | {_BELOW[name] for name in variables if name in _BELOW}
    found = [z3().ULT(z3().BitVec(name, 32), z3().BitVec(_BELOW[name], 32)) for name in sorted(known) if name in _BELOW]
    return found + [z3().ULE(z3().BitVec(name, 32), limit) for name, limit in _LIMITS.items() if name in known]


def _related(translator: Translator, facts: Sequence[Assumption], about: frozenset[str]) -> list[Assumption]:
    """The facts that mention these variables, directly or through variables of other such facts."""
    known = set(about)
    left = [(fact, translator.variables(fact[0])) for fact in facts]
    found: set[Assumption] = set()
    changed = True
    while changed and left:
        changed = False
        for fact, variables in list(left):
            if variables & known:
                known |= variables
                found.add(fact)
                left.remove((fact, variables))
                changed = True
    return [fact for fact in facts if fact in found]
