# SPDX-License-Identifier: Apache-2.0
"""The flow graph of one work-item's code within a region: one entry, one end, natural loops.

The end is a block that stands for everything after the code. A block that leads nowhere (a trap) leads to the end, too.
For post-dominators so does an endless loop, by an edge that is never taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, final

from lanewise.ir.dominators import DominatorTree
from lanewise.ir.function import Block


@final
class FlowLoop:
    """A natural loop. `blocks` include those of inner loops; `parent` is the loop around."""

    def __init__(self, header: Block, blocks: frozenset[Block]) -> None:
        self.header: Final = header
        self.blocks: Final = blocks
        self.parent: FlowLoop | None = None

    def __repr__(self) -> str:
        return f"<loop at {self.header.name}>"


@final
class Flow:
    """The blocks that the entry reaches by `successors_of`, which returns each successor once. `end` has none.

    `irreducible`: some cycle can be entered at several blocks, so that it is no loop.
    """

    def __init__(self, entry: Block, end: Block, successors_of: Callable[[Block], Iterable[Block]]) -> None:
        self.entry: Final = entry
        self.end: Final = end
        successors: dict[Block, list[Block]] = {}
        work = [entry]
        while work:
            block = work.pop()
            if block not in successors:
                successors[block] = [] if block is end else list(successors_of(block))
                work.extend(successors[block])
        self.successors: Final[Mapping[Block, Sequence[Block]]] = successors
        self.tree: Final = DominatorTree(entry, dict(successors.items()))
        self.order: Final = self.tree.order
        """Reverse postorder."""
        self.predecessors: Final[dict[Block, list[Block]]] = {block: [] for block in self.order}
        for block in self.order:
            for successor in successors[block]:
                self.predecessors[successor].append(block)
        self._number: Final = {block: i for i, block in enumerate(self.order)}
        self._exit_targets: Final[dict[FlowLoop, Sequence[Block]]] = {}
        self._find_loops()
        self.post: Final = self._post_dominators()

    def number(self, block: Block) -> int:
        """The index of a block in `order`."""
        return self._number[block]

    # -- loops -------------------------------------------------------------------------------------------------

    def is_back_edge(self, source: Block, target: Block) -> bool:
        return self.tree.dominates(target, source)

    def _find_loops(self) -> None:
        latches: dict[Block, list[Block]] = {}
        self.irreducible = False
        for block in self.order:
            for successor in self.successors[block]:
                if self.is_back_edge(block, successor):
                    latches.setdefault(successor, []).append(block)
                elif self._number[successor] <= self._number[block]:
                    self.irreducible = True
        loops = [FlowLoop(header, self._body(header, sources)) for header, sources in latches.items()]
        loops.sort(key=lambda loop: -len(loop.blocks))
        self._innermost: dict[Block, FlowLoop] = {}
        for loop in loops:
            loop.parent = self._innermost.get(loop.header)
            for block in loop.blocks:
                self._innermost[block] = loop
        self.loops = tuple(loops)

    def _body(self, header: Block, latches: list[Block]) -> frozenset[Block]:
        body = {header}
        work = list(latches)
        while work:
            block = work.pop()
            if block not in body:
                body.add(block)
                work.extend(self.predecessors[block])
        return frozenset(body)

    def exit_targets(self, loop: FlowLoop) -> Sequence[Block]:
        """The target of each edge that leaves a loop, in the order of the edges' sources."""
        found = self._exit_targets.get(loop)
        if found is None:
            inside = sorted(loop.blocks, key=self.number)
            found = tuple(target for block in inside for target in self.successors[block] if target not in loop.blocks)
            self._exit_targets[loop] = found
        return found

    def loop_of(self, block: Block) -> FlowLoop | None:
        """The innermost loop around a block."""
        return self._innermost.get(block)

    def loops_around(self, block: Block) -> list[FlowLoop]:
        """All loops that hold a block, innermost first."""
        found: list[FlowLoop] = []
        loop = self._innermost.get(block)
        while loop is not None:
            found.append(loop)
            loop = loop.parent
        return found

    # -- post-dominance ----------------------------------------------------------------------------------------

    def _post_dominators(self) -> DominatorTree:
        backwards: dict[Block | None, list[Block | None]] = {block: list(b) for block, b in self.predecessors.items()}
        backwards.setdefault(self.end, [])
        reached = set(DominatorTree(self.end, backwards).order)
        for block in reversed(self.order):
            if block not in reached:  # an endless loop: let one block of it leave
                backwards[self.end].append(block)
                reached = set(DominatorTree(self.end, backwards).order)
        return DominatorTree(self.end, backwards)

    def between(self, block: Block) -> list[Block]:
        """Blocks reached from the end of `block` before its nearest post-dominator."""
        stop = self.post.immediate(block)
        found: dict[Block, None] = {}
        work = [s for s in self.successors[block] if s is not stop]
        while work:
            following = work.pop()
            if following not in found and following is not self.end:
                found[following] = None
                work.extend(s for s in self.successors[following] if s is not stop)
        return list(found)
