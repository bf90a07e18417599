# SPDX-License-Identifier: Apache-2.0
"""That all lanes of a warp are in the same iteration of a loop, tested at run time.

In a loop where lanes may part, a neighbour that is active here may be an iteration ahead (`symbolic/loops.py`). Terms
describe lanes that are in the same one. So where a proof rests on that, iterations are counted, and the counters of all
lanes compared, once for all shuffles of the code that is run without a break.

Before
    L:                                              a loop in which lanes may part
    ...
    ld.global.f32 %f1, [%rd1];
    ld.global.f32 %f2, [%rd1+4];

After
    mov.b32 %lw_r0, 0;                              at the beginning, and at the header of the loop around
    ...
    L:
    add.s32 %lw_r0, %lw_r0, 1;
    ...
    ld.global.f32 %f1, [%rd1];
    activemask.b32 %lw_r1;
    match.all.sync.b32 %lw_r2, %lw_r0, %lw_r1;      0 unless they are equal; before sm_70: shfl, setp and vote
    setp.ne.s32 %lw_p0, %lw_r2, -1;                 lanes are missing, or in another iteration
    ...

Of a term that has the low 32 bits of an iteration only, 32 bits are counted: equal counters mean equal terms, however
often they have wrapped round. Else 64 are.

A loop is entered once for each iteration of the loop around it: any way from its header to its header that isn't an
iteration of its own goes through that of a loop around, by way of the innermost one's. So it is enough to begin anew
there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from lanewise.ptx.control.blocks import Flow, Loop
from lanewise.ptx.symbolic.terms import Atom, Term

MATCHES: Final = 70
"""The first architecture that has `match` (PTX ISA 9.0, 9.7.13.10)."""
_WORD: Final = 32


@dataclass(frozen=True, slots=True)
class Together:
    """The loops, by header, in whose iteration all lanes of a warp have to be the same, and those of them of which more
    than 32 bits of the number matter."""

    loops: frozenset[int] = frozenset()
    wide: frozenset[int] = frozenset()

    def __or__(self, other: Together) -> Together:
        return Together(self.loops | other.loops, self.wide | other.wide)


def united(each: Iterable[Together]) -> Together:
    """All that some have."""
    found = Together()
    for one in each:
        found |= one
    return found


def together_of(terms: Iterable[Term], out_of_step: frozenset[int]) -> Together:
    """The loops that some terms name the iteration of, of those in which lanes may be out of step."""
    terms = list(terms)
    loops = frozenset[int]().union(*(term.loops for term in terms)) & out_of_step
    return Together(loops, _wide(terms) & loops) if loops else Together()


def _wide(terms: list[Term]) -> frozenset[int]:
    """The loops of whose iteration more is used than the low 32 bits."""
    found: set[int] = set()
    seen: set[Atom] = set()
    work = [atom for term in terms for atom in term.atoms()]
    while work:
        atom = work.pop()
        if atom in seen:
            continue
        seen.add(atom)
        if not atom.args:
            if atom.width > _WORD:
                found |= atom.loops
        elif not (atom.op == "trunc" and atom.width <= _WORD and _is_symbol(atom.args[0])):
            work += [inner for argument in atom.args for inner in argument.atoms()]
    return frozenset(found)


def _is_symbol(term: Term) -> bool:
    return term.atom is not None and not term.atom.args


def around(flow: Flow, header: int) -> Loop | None:
    """The innermost loop around another one."""
    outer = [loop for loop in flow.loops_around(header) if loop.header != header]
    return min(outer, key=lambda loop: len(loop.blocks), default=None)
