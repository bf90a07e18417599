# SPDX-License-Identifier: Apache-2.0
"""Proof that old and new code produce the same value, in every lane of every warp of every block.

The new code takes the neighbour's value if its *corner* predicate is false, and otherwise loads as before. The claim to
prove is about a lane in which the predicate is false. The register that it reads, in the lane N places on, was loaded
from the address that this lane would load from.

The corner predicate is false only if
1. all 32 lanes of the warp are active here (activemask), so all of them have come here by some path;
2. the lane N places on is one of the warp: 0 <= %laneid + N < 32;
3. it is the neighbour in x: 0 <= %tid.x + N < %ntid.x. Threads of a block are numbered x first, then y, then z (PTX ISA
   9.0, 2.2.1), and lanes in that order. So the thread N places on has the number n + N, where n = %tid.x + %ntid.x *
   (%tid.y + %ntid.y * %tid.z), which is that of (%tid.x + N, %tid.y, %tid.z); no other one has the same. That holds for
   every shape of block, and `tests/ptx/shuffles/test_proof.py` shows it;
4. no index wraps round, if that had to be checked (`overflow.py`);
5. all 32 lanes are in the same iteration of each loop whose iteration the addresses depend on, where lanes of a warp
   may be in different ones (`iterations.py`).

By 1, all lanes in between are active and neighbours in x, too. So assumptions common to all paths of this lane hold for
theirs. Conditions that depend on the iteration of such a loop outside of point 5 are not assumed for other lanes.

The remaining question for Z3: are the two addresses equal for all values of registers, parameters and memory that these
facts allow? Their normal forms are equal; still open are wrap-around, values that conditions exclude, and pairs of
paths that exclude each other. An answer that takes too long counts as no.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lanewise.ptx.control.steps import Step
from lanewise.ptx.shuffles.candidates import Candidate, ShuffleSource
from lanewise.ptx.shuffles.iterations import Together, together_of
from lanewise.ptx.shuffles.overflow import Check, Range, check_of, ranges_of, wraps
from lanewise.ptx.symbolic.execution import Emulation
from lanewise.ptx.symbolic.state import Assumption, Sighting
from lanewise.ptx.symbolic.terms import Differs, Term

_MOST_PAIRS: Final = 36
"""Limit on compared pairs of paths, one of each lane."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof for one element: `source` N lanes on has the `address`, provided that `checks` find nothing and lanes
    are `together`.

    `facts`: number of conditions of the kernel used; `flows`: number of pairs of paths compared.
    """

    source: ShuffleSource
    there: Term
    """The address that the neighbour has loaded from."""
    address: Term
    facts: int
    flows: int
    checks: tuple[Check, ...]
    together: Together


class Prover:
    """Proves candidates of one function."""

    def __init__(self, found: Emulation) -> None:
        self._found = found

    def prove(self, candidate: Candidate, place: int, source: ShuffleSource) -> Proof | None:
        """The proof for element `place` of a load and one of its sources; None if there is none."""
        found, terms = self._found, self._found.terms
        pairs: dict[tuple[object, ...], tuple[Sighting, Sighting]] = {}
        for mine in candidate.sightings:
            for other in candidate.sightings:
                there = _address_at(other, source.step)
                key = (mine.access.address, there, frozenset(mine.assumptions), frozenset(other.assumptions))
                pairs[key] = (mine, other)
        if len(pairs) > _MOST_PAIRS:
            return None
        block = found.flow.block_of(candidate.step.number)
        checks: dict[Range, Check] = {}
        used = 0
        together = Together()
        shown: list[tuple[Term, Term]] = []
        for mine, other in pairs.values():
            here = terms.plus(mine.access.address, place * candidate.access.bytes)
            there = terms.plus(terms.neighbour(_address_at(other, source.step), source.lanes), source.offset)
            shown.append((there, here))
            loops = together_of((here, there), found.out_of_step).loops if source.lanes else frozenset[int]()
            few = self._facts(candidate, mine, other, source.lanes, loops, between=False)
            many = self._facts(candidate, mine, other, source.lanes, loops, between=True)
            if loops:
                together |= together_of((here, there, *(term for term, _ in many)), loops)
            used = max(used, len(many))
            if self._equal(here, there, few) or (many != few and self._equal(here, there, many)):
                continue
            needed = tuple(ranges_of(found, here, there))
            unwrapped = tuple((wraps(found, one), False) for one in needed)
            if not needed or not self._equal(here, there, (*few, *unwrapped)):
                if self._equal(here, there, many, rough=False):
                    continue
                return None
            for wanted in needed:
                check = check_of(found, wanted, candidate.step, block)
                if check is None:
                    return None
                checks[wanted] = check
        return Proof(source, *shown[0], used, len(pairs), tuple(checks.values()), together)

    def _equal(self, here: Term, there: Term, facts: tuple[Assumption, ...], rough: bool = True) -> bool:
        return self._found.solver.are_equal(here, there, facts, rough)

    def _facts(
        self, candidate: Candidate, mine: Sighting, other: Sighting, lanes: int, together: frozenset[int], between: bool
    ) -> tuple[Assumption, ...]:
        """The facts that hold in this lane and in the neighbour, and in the lanes `between`, if they are in the same
        iterations of the loops `together`."""
        terms = self._found.terms
        unlike = self._found.out_of_step - together
        facts: list[Assumption] = [*mine.assumptions]
        theirs = [assumption for assumption in other.assumptions if not (lanes and assumption[0].loops & unlike)]
        facts += ((terms.neighbour(condition, lanes), holds) for condition, holds in theirs)
        if between:
            common = set(candidate.sightings[0].assumptions).intersection(
                *(sighting.assumptions for sighting in candidate.sightings[1:])
            )
            for n in range(min(0, lanes) + 1, max(0, lanes)):
                facts += ((terms.neighbour(c, n), holds) for c, holds in common if not c.loops & unlike)
        if lanes:
            x = terms.symbol("%tid.x", 32, Differs.BY_PLACE)
            extent = terms.symbol("%ntid.x", 32, Differs.NOT)
            facts.append((self._found.operations.binary("ult", terms.neighbour(x, lanes), extent), True))
        return tuple(fact for fact in dict.fromkeys(facts) if fact[0].value is None)


def _address_at(sighting: Sighting, step: Step) -> Term:
    """The address of the last execution of a load on the path of a sighting."""
    return next(access.address for access in reversed(sighting.before) if access.step is step)
