# SPDX-License-Identifier: Apache-2.0
"""Whether a warp can have all of its lanes where a load is: else a shuffle there is never used.

`if (tid < 16)` lets no warp through as a whole. That follows where the lanes of a warp are neighbours in x: in a block
of one dimension, or one whose rows are whole warps. A kernel that doesn't ask for its place in y or z is taken to be
one of blocks of one dimension. Were it not, a shuffle would be missed, and nothing would be wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanewise.ptx.language.module import Function
from lanewise.ptx.language.operands import names_of
from lanewise.ptx.shuffles.rewriting import rows_hold_warps
from lanewise.ptx.symbolic.execution import Emulation
from lanewise.ptx.symbolic.state import Assumption, Sighting
from lanewise.ptx.symbolic.terms import Differs, symbols_of

_LANES: Final = (0, 1, 2, 15, 16, 30, 31)
"""Whose conditions are asked for together: bounds leave out the first or the last ones, halves one of the middle,
remainders one of three in a row. With fewer than 32, a warp may be taken to be whole that never is."""
_HIGHER: Final = frozenset({"%tid.y", "%tid.z", "%ntid.y", "%ntid.z", "%tid", "%ntid"})
_PLACES: Final = frozenset({"%tid.x", "%tid.y", "%tid.z"})


def are_in_a_row(function: Function) -> bool:
    """Whether the lanes of a full warp are neighbours in x, by `.reqntid`, or by what the kernel asks for."""
    if function.directive(".reqntid"):
        return rows_hold_warps(function)
    operands = (operand for instruction in function.instructions() for operand in instruction.operands)
    return not any(name.text in _HIGHER for operand in operands for name in names_of(operand))


def may_be_full(found: Emulation, sightings: Sequence[Sighting], in_a_row: bool) -> bool:
    """Whether what all flows to a load assume may hold for all lanes of a warp at once. This lane is its first one."""
    common = set(sightings[0].assumptions).intersection(*(sighting.assumptions for sighting in sightings[1:]))
    assumed = [a for a in sightings[0].assumptions if a in common and a[0].differs in (Differs.BY_PLACE, Differs.NOT)]
    if not in_a_row:  # a place in the block is not that of the first lane and some more
        assumed = [a for a in assumed if _PLACES.isdisjoint(symbol.name for symbol in symbols_of(a[0]))]
    if all(condition.differs is Differs.NOT for condition, _ in assumed):
        return True
    terms, operations = found.terms, found.operations
    lane = terms.symbol("%laneid", 32, Differs.BY_PLACE)
    facts: list[Assumption] = [(operations.binary("eq", lane, terms.constant(32, 0)), True)]
    if in_a_row:
        x = terms.symbol("%tid.x", 32, Differs.BY_PLACE)
        extent = terms.symbol("%ntid.x", 32, Differs.NOT)
        of_warp = operations.binary("and", x, terms.constant(32, 31))
        facts.append((operations.binary("eq", of_warp, terms.constant(32, 0)), True))
        facts.append((operations.binary("ult", terms.plus(x, 31), extent), True))
    facts += ((terms.neighbour(condition, n), holds) for n in _LANES for condition, holds in assumed)
    return not found.solver.excludes(tuple(fact for fact in dict.fromkeys(facts) if fact[0].value is None)) and all(
        bool(condition.value) == holds for condition, holds in facts if condition.value is not None
    )
