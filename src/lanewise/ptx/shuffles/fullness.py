# SPDX-License-Identifier: Apache-2.0
"""Test if a warp can have all of its lanes at a load. If not, a shuffle there is never used.

`if (tid < 16)` lets no whole warp through. That follows if the lanes of a warp are neighbours in x: in a block of one
dimension, or one whose rows are whole warps. A kernel that doesn't read its indices in y or z is assumed to have blocks
of one dimension. If that is wrong, a shuffle is missed, but the code is correct. In other kernels, at least two
neighbours must be there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, final

from lanewise.ptx.language.module import Function
from lanewise.ptx.language.operands import names_of
from lanewise.ptx.shuffles.rewriting import rows_hold_warps
from lanewise.ptx.symbolic.execution import Emulation
from lanewise.ptx.symbolic.state import Assumption, Sighting
from lanewise.ptx.symbolic.terms import Differs, Term, symbols_of

_LANES: Final = (0, 1, 2, 16, 31)
"""Lanes of a warp whose conditions are tested together: bounds exclude the first or the last ones, halves one of the
middle, remainders one of three in a row. With fewer than 32, a warp may be taken for full that never is."""
_HIGHER: Final = frozenset({"%tid.y", "%tid.z", "%ntid.y", "%ntid.z", "%tid", "%ntid"})
_PLACES: Final = frozenset({"%tid.x", "%tid.y", "%tid.z"})


def are_in_a_row(function: Function) -> bool:
    """True if the lanes of a full warp are neighbours in x, by `.reqntid`, or by the indices that the kernel reads."""
    if function.directive(".reqntid"):
        return rows_hold_warps(function)
    operands = (operand for instruction in function.instructions() for operand in instruction.operands)
    return not any(name.text in _HIGHER for operand in operands for name in names_of(operand))


@final
class Fullness:
    """Answers for one function, computed once per set of conditions."""

    def __init__(self, found: Emulation, function: Function) -> None:
        self._found = found
        self._in_a_row = are_in_a_row(function)
        self._answers: dict[frozenset[Assumption], bool] = {}

    def may_be_full(self, sightings: Sequence[Sighting]) -> bool:
        """True if the assumptions common to all paths to a load may hold for all lanes of a warp at once."""
        common = frozenset(sightings[0].assumptions).intersection(*(s.assumptions for s in sightings[1:]))
        if common not in self._answers:
            self._answers[common] = self._asked([a for a in sightings[0].assumptions if a in common])
        return self._answers[common]

    def _asked(self, assumed: list[Assumption]) -> bool:
        terms = self._found.terms
        by_place = [a for a in assumed if a[0].differs is Differs.BY_PLACE]
        if not by_place:
            return True
        assumed = [*by_place, *(a for a in assumed if a[0].differs is Differs.NOT)]
        first_lane = (self._compared("eq", terms.symbol("%laneid", 32, Differs.BY_PLACE), 0), True)
        if self._in_a_row:
            of_warp = self._found.operations.binary("and", self._x(), terms.constant(32, 31))
            return self._possible(
                assumed, _LANES, first_lane, (self._compared("eq", of_warp, 0), True), self._inside(31)
            )
        if not self._possible(assumed, (0, 1), self._inside(1)):
            return False
        by_lane = [a for a in by_place if _PLACES.isdisjoint(symbol.name for symbol in symbols_of(a[0]))]
        return not by_lane or self._possible(by_lane, _LANES, first_lane)

    def _possible(self, assumed: Iterable[Assumption], lanes: Iterable[int], *facts: Assumption) -> bool:
        """True if conditions can hold in all of `lanes`, as offsets from the first one, together with other facts."""
        every = [*facts, *((self._found.terms.neighbour(c, n), holds) for n in lanes for c, holds in assumed)]
        if any(condition.value is not None and bool(condition.value) is not holds for condition, holds in every):
            return False
        return not self._found.solver.excludes([a for a in dict.fromkeys(every) if a[0].value is None])

    def _x(self) -> Term:
        return self._found.terms.symbol("%tid.x", 32, Differs.BY_PLACE)

    def _inside(self, lanes: int) -> Assumption:
        """The condition that the thread `lanes` places on is in the same row."""
        extent = self._found.terms.symbol("%ntid.x", 32, Differs.NOT)
        return self._found.operations.binary("ult", self._found.terms.plus(self._x(), lanes), extent), True

    def _compared(self, how: str, term: Term, number: int) -> Term:
        return self._found.operations.binary(how, term, self._found.terms.constant(32, number))
