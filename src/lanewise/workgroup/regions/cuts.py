# SPDX-License-Identifier: Apache-2.0
"""Cuts, where regions start: places that all live work-items pass together, each waiting for the others.

Three kinds of places are cuts.

1. After every barrier (pocl-2014, section 4.3).
2. Both successors of a uniform branch from which different barriers come next. Taken once for the group, the branch
   leaves each region with one exit; tail duplication (section 4.4) would copy blocks and peel an iteration instead.
   No cut if either successor is a parted block (see `analysis/uniformity.py`): on another path, some work-items come
   there and others don't, and they must go on to the next barrier, or to the end, alone.
3. Both successors of the exit branches of a loop that is run horizontally: all work-items do one iteration before
   any does the next, so that the loop over work-items is innermost and LLVM's vectoriser can take it
   (section 4.6). It needs
     3.1  no barrier in the loop (else rule 2 has done it already);
     3.2  all live work-items to enter the loop together and each exit branch to be uniform;
     3.3  inner loops that are horizontal, too;
     3.4  nothing in it that keeps the vectoriser out: atomics, volatile accesses, calls.
   It is worth it with at least `MIN_WIDTH` work-items in x, unless a test for equality (`threadIdx.x == 0`) has ended
   nearly all of them before. Each value carried around the loop is then in memory between iterations, so there may be
   no more than `MAX_CARRIED`.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from lanewise.analysis.dataflow import solve
from lanewise.analysis.uniformity import Uniformity
from lanewise.ir import effects
from lanewise.ir.dominators import dominators
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.loops import Loop, find_loops
from lanewise.ir.values import Value
from lanewise.workgroup.regions.barriers import barrier_of

MIN_WIDTH: Final = 8
"""Work-items in x from which a vector is filled: eight floats are 256 bits."""

MAX_CARRIED: Final = 8
"""Most varying values carried around a horizontal loop: each costs a load and a store per iteration, while a loop over
work-items would keep it in a register."""


class Cuts(NamedTuple):
    """The cuts of a kernel. `starts`: blocks that a region starts with. `group_branches`: blocks whose branch the group
    takes as one."""

    starts: frozenset[Block]
    group_branches: frozenset[Block]
    horizontal: tuple[Loop, ...]


def find_cuts(kernel: Function, facts: Uniformity, width: int) -> Cuts:
    """The cuts of a kernel with isolated barriers, for groups of `width` work-items in x."""
    nearest = _nearest_barriers(kernel)
    branches = {
        block
        for block in kernel.blocks
        if len(set(block.successors)) > 1
        and facts.takes_one_way(block)
        and len({nearest[s] for s in block.successors}) > 1
        and _all_meet_at(block.successors, facts)
    }
    horizontal = _horizontal_loops(kernel, facts) if width >= MIN_WIDTH else []
    for loop in horizontal:
        branches.update(source for source, _ in loop.exits())
    starts = {kernel.entry}
    starts.update(s for block in branches for s in block.successors)
    starts.update(block.successors[0] for block in kernel.blocks if barrier_of(block))
    return Cuts(frozenset(starts), frozenset(branches), tuple(horizontal))


def _all_meet_at(blocks: Iterable[Block], facts: Uniformity) -> bool:
    """Return whether all live work-items come to these blocks together, from wherever they come."""
    return facts.parted.isdisjoint(blocks)


def _nearest_barriers(kernel: Function) -> dict[Block, frozenset[Block | None]]:
    """For each block, the barriers (as their blocks) or the end (None) that can come first from its start."""

    def at_start(block: Block, at_end: frozenset[Block | None]) -> frozenset[Block | None]:
        if barrier_of(block):
            return frozenset({block})
        return at_end | {None} if block.terminator.op == "ret" else at_end

    return solve(tuple(reversed(kernel.blocks)), lambda block: block.successors, at_start)


def _horizontal_loops(kernel: Function, facts: Uniformity) -> list[Loop]:
    found: list[Loop] = []
    tree = dominators(kernel)
    loops = find_loops(kernel, tree).loops
    few = [start for block in kernel.blocks if (start := _left_to_few(block, facts)) is not None]
    for loop in reversed(loops):  # inner before outer
        inner = [other for other in loops if other.parent is loop]
        if not all(i in found for i in inner):  # 3.3
            continue
        carried = [phi for phi in loop.header.phis if not facts.is_uniform(phi)]
        crowded = not any(tree.dominates(start, loop.header) for start in few)
        if _can_be_horizontal(loop, facts) and crowded and len(carried) <= MAX_CARRIED:
            found.append(loop)
    return found


def _left_to_few(block: Block, facts: Uniformity) -> Block | None:
    """The successor taken by the few work-items that pass a divergent equality test at the end of `block`, if all
    others exit."""
    staying = facts.exit_edges.staying(block)
    if len(staying) != 1 or len(set(block.successors)) != 2 or facts.takes_one_way(block):
        return None
    if block.terminator.op != "br":  # a switch with several edges to one block
        return None
    condition, if_true, _ = block.terminator.operands
    return staying[0] if if_true is staying[0] and _tests_equality(condition) else None


def _tests_equality(condition: Value) -> bool:
    """An equality, or several conditions with one among them that must all hold."""
    if not isinstance(condition, Instruction):
        return False
    if condition.op in ("and", "select"):
        return any(_tests_equality(operand) for operand in condition.operands)
    return condition.op == "icmp" and condition.predicate == "eq"


def _can_be_horizontal(loop: Loop, facts: Uniformity) -> bool:
    if any(barrier_of(block) for block in loop.blocks):  # 3.1
        return False
    exits = loop.exits()
    if not exits or loop.header in facts.divergent_blocks:  # 3.2
        return False
    if not all(facts.takes_one_way(source) for source, _ in exits):  # 3.2
        return False
    if not all(_all_meet_at(source.successors, facts) for source, _ in exits):  # 2
        return False
    return not any(_keeps_vectoriser_out(i) for i in _instructions(loop.blocks))  # 3.4


def _keeps_vectoriser_out(instruction: Instruction) -> bool:
    if instruction.op == "store":
        return effects.is_ordered(instruction)
    return effects.writes(instruction) or effects.is_ordered(instruction)


def _instructions(blocks: Iterable[Block]) -> Iterable[Instruction]:
    return (i for block in blocks for i in block.instructions)
