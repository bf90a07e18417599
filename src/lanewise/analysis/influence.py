# SPDX-License-Identifier: Apache-2.0
"""Influence of a divergent branch: the blocks it masks, its joins, and the loops that it makes divergent.

How lanes run a flow graph. Each loop is a level: its blocks, with every inner loop as one node, form an acyclic graph
whose back edges and exit edges lead to sinks. The nodes of a level run once per iteration, in topological order, each
for the lanes that have come to it. Lanes that take a back edge wait for the next iteration. A loop ends when no lane is
left in it, and its parent's level goes on with all lanes that left.

Definitions, for a branch b whose lanes may take different edges:
    join            a block X with two disjoint paths from b: they share b and X only, and leave b by different edges.
                    Lanes may come to X by different edges, so its phis blend. A loop header is a join if the paths
                    end in back edges of one iteration.
    masked block    a block that only some of the lanes at b may reach before they are together again.
    divergent loop  a loop that some lanes leave while others stay, or leave by another edge.

Source: Rosemann, Moll, Hack, "An Abstract Interpretation for SPMD Divergence on Reducible Control Flow Graphs"
(POPL 2021), sections 4 and 5: a join needs disjoint paths, and a divergent loop acts like a branch to its exits.

Method. Each edge of b starts a path with a label of its own. Labels follow the edges of the level in topological order.
A block where two labels meet is a join and starts a label of its own. When only one node is left to visit, and no lane
has reached a sink, the lanes are together. When they reach the header again and an exit, the loop is divergent. It is
one node of its parent's level, whose lanes leave by any of its exits, and the same is done there.

Post-dominators do not serve: a block after a divergent `continue` post-dominates it, and yet lanes come to that block
in different iterations.

Limits. Levels need loops with one entry: an irreducible graph has none, and lanes are not made of it.
"""

import heapq
from collections.abc import Mapping
from typing import Final, NamedTuple, final

from lanewise.analysis.flow import Flow, FlowLoop
from lanewise.ir.function import Block


class Influence(NamedTuple):
    """The effects of one divergent branch. `loops` are the loops that it makes divergent, innermost first."""

    masked: frozenset[Block]
    joins: frozenset[Block]
    loops: tuple[FlowLoop, ...]


def influence(flow: Flow, block: Block) -> Influence:
    """The influence of the branch at the end of `block`, if its lanes take different edges."""
    masked: set[Block] = set()
    joins: set[Block] = set()
    loops: list[FlowLoop] = []
    loop = flow.loop_of(block)
    starts = {target: target for target in flow.successors[block]}
    while True:
        paths = _Paths(flow, loop)
        paths.follow(starts)
        masked |= paths.masked
        joins |= paths.joins
        if loop is None or not paths.exits:
            return Influence(frozenset(masked), frozenset(joins), tuple(loops))
        loops.append(loop)
        masked |= loop.blocks
        parting = paths.parting()
        targets = flow.exit_targets(loop)
        joins.update(target for target in parting if targets.count(target) > 1)
        starts = {target: target if target in parting else loop.header for target in targets}
        loop = loop.parent


def exits_meet(flow: Flow, loop: FlowLoop) -> frozenset[Block]:
    """The blocks, in the level around `loop`, where paths from different exits of it meet.

    Lanes that come to one of them need not do so by different edges: the exits may depend on uniform branches. But if
    the loop is divergent, lane code runs the blocks after each exit, one exit after the other.
    """
    paths = _Paths(flow, loop.parent)
    paths.follow({target: target for target in flow.exit_targets(loop)})
    return frozenset(paths.joins)


@final
class _Paths:
    """The labelled paths of one level. `loop` is None for the level outside of all loops."""

    def __init__(self, flow: Flow, loop: FlowLoop | None) -> None:
        self._flow: Final = flow
        self._loop: Final = loop
        self._labels: Final[dict[Block, Block]] = {}
        self._pending: Final[list[tuple[int, Block]]] = []
        self.masked: Final[set[Block]] = set()
        self.joins: Final[set[Block]] = set()
        self.exits: Final[set[Block]] = set()
        """The targets outside of the loop that paths lead to."""
        self._arrived = False
        """True if some path has come to the next iteration, or to the end of the code."""

    def follow(self, starts: Mapping[Block, Block]) -> None:
        """Propagate labels from the blocks that have one."""
        for target, label in starts.items():
            self._meet(target, label)
        while self._pending:
            _, node = heapq.heappop(self._pending)
            if not self._pending and not self._arrived and not self.exits:
                return  # all lanes are here
            inner = self._inner(node)
            self.masked.update(inner.blocks if inner else (node,))
            for target in self._flow.exit_targets(inner) if inner else self._flow.successors[node]:
                self._meet(target, self._labels[node])

    def parting(self) -> set[Block]:
        """The exit targets that some lanes go on to while others stay in the loop.

        A path to the next iteration has the label of those that stay. Lanes of one label take the same edge at each
        branch. So an exit of this label is taken by all or none of them, as is an exit that no path leads to.
        """
        assert self._loop is not None
        staying = self._labels.get(self._loop.header)
        return {target for target in self.exits if self._labels[target] is not staying}

    def _meet(self, target: Block, label: Block) -> None:
        known = self._labels.get(target)
        if known is not None:
            if known is not label:
                self._labels[target] = target
                self.joins.add(target)
            return
        self._labels[target] = label
        if self._loop is not None and target not in self._loop.blocks:
            self.exits.add(target)
        elif target is (self._loop.header if self._loop else self._flow.end):
            self._arrived = True
        else:
            heapq.heappush(self._pending, (self._flow.number(target), target))

    def _inner(self, node: Block) -> FlowLoop | None:
        """The loop of the level that begins at `node`."""
        loop = self._flow.loop_of(node)
        while loop is not None and loop.parent is not self._loop:
            loop = loop.parent
        return loop if loop is not self._loop else None
