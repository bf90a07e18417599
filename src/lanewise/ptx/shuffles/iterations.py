# SPDX-License-Identifier: Apache-2.0
"""Run-time test that all lanes of a warp are in the same iteration of a loop.

In a loop in which lanes may diverge, an active neighbour may be an iteration ahead (`symbolic/loops.py`). Terms
describe lanes in the same iteration. So if a proof depends on that, iterations are counted, and the counters of all
lanes are compared, once for all shuffles in the same straight-line code.

Before, in a loop in which lanes may part
    L:
    setp.lt.f32 %p2, %f1, 0f3F800000;
    @%p2 bra M;
    add.f32 %f4, %f4, 0f3F800000;
    M:
    ld.global.nc.f32 %f1, [%rd4];
    ld.global.nc.f32 %f2, [%rd4+4];
    add.s64 %rd4, %rd4, 256;
    setp.gt.f32 %p1, %f2, 0f00000000;
    @%p1 bra L;

After
    mov.b64 %lw_d0, 0;                              // at the beginning, and at the header of the loop around
    ...
    L:
    add.s64 %lw_d0, %lw_d0, 1;
    ...
    ld.global.nc.f32 %f1, [%rd4];
    activemask.b32 %lw_r0;
    match.all.sync.b64 %lw_r1, %lw_d0, %lw_r0;      // 0 unless they are equal; before sm_70: shfl, setp and vote
    setp.ne.s32 %lw_p0, %lw_r1, -1;                 // lanes are missing, or in another iteration
    ...

If a term uses only the low 32 bits of an iteration, the counter has 32 bits: equal counters mean equal terms, however
often they have wrapped round. Otherwise it has 64.

A loop is entered once per iteration of the loop around it. Any path from its header to itself, other than its own
iteration, goes through the header of the innermost loop around it. So it is enough to reset the counter there.
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
    """The loops, by header, in which all lanes of a warp must be in the same iteration. `wide` are those with more than
    32 bits of the number in use."""

    loops: frozenset[int] = frozenset()
    wide: frozenset[int] = frozenset()

    def __or__(self, other: Together) -> Together:
        return Together(self.loops | other.loops, self.wide | other.wide)


def united(each: Iterable[Together]) -> Together:
    """The union of several."""
    found = Together()
    for one in each:
        found |= one
    return found


def together_of(terms: Iterable[Term], out_of_step: frozenset[int]) -> Together:
    """The loops whose iteration the terms depend on and in which lanes may be out of step."""
    terms = list(terms)
    loops = frozenset[int]().union(*(term.loops for term in terms)) & out_of_step
    return Together(loops, _wide(terms) & loops) if loops else Together()


def _wide(terms: list[Term]) -> frozenset[int]:
    """The loops for which more than the low 32 bits of the iteration are used."""
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
