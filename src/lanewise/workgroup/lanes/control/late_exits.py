# SPDX-License-Identifier: Apache-2.0
"""Exits from a loop that hardly any work-item takes any more.

What an exit costs in each iteration is a second mask, and a blend for each value that leaves the loop. When a loop has
run for a while, most of its work-items have left, and the others leave rarely. Then a test whether any leaves now costs
less:

    first iterations   leaving = active & condition, staying = active & ~condition, blends
    later ones         leaving = active & condition; if any: staying, blends

Needs
    1. Work-items leave at different times, by branches of two ways.
    2. There is no loop inside, nor around: inner loops are seldom long.
    3. Values leave with them: without blends there is little to save.
    4. The loop is small, since it is made twice.
"""

from __future__ import annotations

from typing import Final

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.flow import Flow, FlowLoop
from lanewise.ir.function import Block
from lanewise.workgroup.lanes.analysis.mapping_costs import spread
from lanewise.workgroup.lanes.control.block_masks import BlockMasks

ITERATIONS: Final = 64
"""Iterations before exits are tested. A wrong prediction costs about as much as the masks of five iterations, and up to
64 work-items leave one by one."""
MAX_SIZE: Final = 400
"""Most instructions of a loop, times chunks, to be made twice."""


def may_test_exits(divergence: Divergence, loop: FlowLoop, masks: BlockMasks) -> bool:
    """Return whether exits of a divergent loop are tested in later iterations."""
    flow, chunks = divergence.flow, divergence.extent.chunks
    exits = [block for block in loop.blocks if any(s not in loop.blocks for s in flow.successors[block])]
    size = sum(len(block.instructions) for block in loop.blocks)
    return (
        spread(divergence, loop) > 1  # 1
        and all(exit_from(flow, block, loop) is not None for block in exits)  # 1
        and loop.parent is None  # 2
        and not any(inner.parent is loop for inner in flow.loops)  # 2
        and any(masks.blends_at_exit(loop, block) for block in exits)  # 3
        and size * chunks <= MAX_SIZE  # 4
    )


def exit_from(flow: Flow, block: Block, loop: FlowLoop) -> Block | None:
    """The target outside of a loop of a branch whose other target is inside; None if a block doesn't end so."""
    targets = flow.successors[block]
    if block.terminator.op != "br" or len(targets) != 2:
        return None
    outside = [target for target in targets if target not in loop.blocks]
    return outside[0] if len(outside) == 1 else None
