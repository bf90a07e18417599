# SPDX-License-Identifier: Apache-2.0
"""Live registers at the start of each block, for a subset of the steps."""

from __future__ import annotations

from collections.abc import Set

from lanewise.ptx.control.blocks import Flow
from lanewise.ptx.control.steps import Register


def live_at_entry(flow: Flow, steps: Set[int]) -> dict[int, frozenset[Register]]:
    """For each reachable block, the registers that one of `steps` reads before they are certainly written."""
    read: dict[int, set[Register]] = {}
    written: dict[int, set[Register]] = {}
    for number in flow.order:
        block = flow.blocks[number]
        uses: set[Register] = set()
        kills: set[Register] = set()
        for place in range(block.first, block.last):
            if place not in steps:
                continue
            step = flow.steps[place]
            uses.update(r for r in step.reads if r not in kills)
            if step.guard is None:
                kills.update(step.writes)
            else:  # it keeps its value if the guard is false
                uses.update(r for r in step.writes if r not in kills)
        read[number], written[number] = uses, kills
    live: dict[int, frozenset[Register]] = {number: frozenset() for number in flow.order}
    changed = True
    while changed:
        changed = False
        for number in reversed(flow.order):
            behind: set[Register] = set()
            for successor in flow.blocks[number].successors:
                behind |= live[successor]
            now = frozenset(read[number] | (behind - written[number]))
            if now != live[number]:
                live[number] = now
                changed = True
    return live
