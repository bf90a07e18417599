# SPDX-License-Identifier: Apache-2.0
"""Checks: branches on which all work-items mostly agree, such as `if (i < n) { ... }`.

The fast version of a unit's code tests whether all its work-items take the same path, and then needs no masks. If they
don't, the unit is done by the version with masks instead, from its start (branch on superword condition codes: J. Shin,
"Introducing Control Flow into Vectorized Code", PACT 2007). So a branch is checked if

    1. it is divergent, and not in a loop;
    2. before it, nothing has been done that can't be done twice: no store, atomic operation or call with effects, but
       for exchanges within the warp;
    3. one path is much longer than the other, which does little up to the join.
"""

from __future__ import annotations

from typing import Final

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.flow import Flow
from lanewise.ir import effects
from lanewise.ir.function import Block
from lanewise.ir.intrinsics import EXCHANGES
from lanewise.workgroup.lanes.analysis.fault_branches import is_fault, tells_of_fault
from lanewise.workgroup.lanes.analysis.order import cost

MAX_OTHER: Final = 16
"""Most cost of the path that is not expected."""
MIN_EXPECTED: Final = 10
"""Least cost of the expected path; below, masks cost no more than the check."""
_LOOP_FACTOR: Final = 16


def next_check(divergence: Divergence) -> tuple[Block, Block] | None:
    """The first branch that may be checked, and its expected successor."""
    flow = divergence.flow
    for block in flow.order:
        if block is flow.end or not divergence.is_divergent(block) or block.terminator.op != "br":
            continue
        if block in divergence.masked or flow.loop_of(block) is not None:  # 1
            continue
        if any(map(_has_effects, _before(flow, block))):  # 2
            continue
        first, second = flow.successors[block]
        if tells_of_fault(first) or tells_of_fault(second):
            continue
        costs = {arm: _cost(flow, block, arm) for arm in (first, second)}
        arm, other = sorted(costs, key=lambda w: -costs[w])
        if costs[other] <= MAX_OTHER and costs[arm] >= max(MIN_EXPECTED, 3 * costs[other]):  # 3
            return block, arm
    return None


def _before(flow: Flow, block: Block) -> list[Block]:
    """The block and all blocks that reach it."""
    found: dict[Block, None] = {block: None}
    work = [block]
    while work:
        for before in flow.predecessors[work.pop()]:
            if before not in found:
                found[before] = None
                work.append(before)
    return list(found)


def _has_effects(block: Block) -> bool:
    return any(
        (effects.writes(i) or effects.is_ordered(i)) and i.callee not in EXCHANGES and not is_fault(i)
        for i in block.instructions
    )


def _cost(flow: Flow, block: Block, arm: Block) -> int:
    """The cost of the code on one path, up to the join."""
    stop = flow.post.immediate(block)
    other = {s for s in flow.successors[block] if s is not arm}
    seen: set[Block] = set()
    work = [arm]
    total = 0
    while work:
        following = work.pop()
        if following in seen or following is stop or following is flow.end or following in other:
            continue
        seen.add(following)
        total += sum(map(cost, following.instructions)) * (_LOOP_FACTOR if flow.loop_of(following) else 1)
        work += flow.successors[following]
    return total
