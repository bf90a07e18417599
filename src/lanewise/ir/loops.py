# SPDX-License-Identifier: Apache-2.0
"""Natural loops of a function, nested.

A loop is the set of blocks that reach a back edge (an edge to a block that dominates its source, the header)
without passing the header. Loops of one header are one loop. A cycle entered at several places (irreducible) is no
loop here; `irreducible` tells that a function has one.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.ir.dominators import DominatorTree, dominators
from lanewise.ir.function import Block, Function


@final
class Loop:
    """`blocks` include those of inner loops; `latches` hold the back edges; `parent` is the loop around."""

    def __init__(self, header: Block, latches: tuple[Block, ...], blocks: frozenset[Block]) -> None:
        self.header: Final = header
        self.latches: Final = latches
        self.blocks: Final = blocks
        self.parent: Loop | None = None

    def __repr__(self) -> str:
        return f"<loop at {self.header.name} of {len(self.blocks)} blocks>"

    @property
    def depth(self) -> int:
        """The number of loops around the body, this one included: 1 for an outermost loop."""
        return 1 + (self.parent.depth if self.parent else 0)

    def exits(self) -> list[tuple[Block, Block]]:
        """Edges that leave the loop."""
        return [(b, s) for b in self.header.parent.blocks if b in self.blocks for s in b.successors
                if s not in self.blocks]  # fmt: skip

    def entering(self) -> list[Block]:
        """Blocks outside that branch to the header."""
        return [b for b in self.header.predecessors if b not in self.blocks]


@final
class LoopInfo:
    """All loops, outer before inner."""

    def __init__(self, loops: tuple[Loop, ...], innermost: dict[Block, Loop], irreducible: bool) -> None:
        self.loops: Final = loops
        self.irreducible: Final = irreducible
        self._innermost: Final = innermost

    def innermost(self, block: Block) -> Loop | None:
        """The innermost loop that holds `block`."""
        return self._innermost.get(block)

    def around(self, block: Block) -> list[Loop]:
        """All loops that hold `block`, innermost first."""
        found: list[Loop] = []
        loop = self._innermost.get(block)
        while loop is not None:
            found.append(loop)
            loop = loop.parent
        return found


def find_loops(function: Function, tree: DominatorTree | None = None) -> LoopInfo:
    """The loops of `function`; `tree` is its dominator tree, if the caller has it."""
    tree = tree or dominators(function)
    number = {block: i for i, block in enumerate(tree.order)}
    latches: dict[Block, list[Block]] = {}
    irreducible = False
    for block in tree.order:
        for successor in dict.fromkeys(block.successors):
            if tree.dominates(successor, block):
                latches.setdefault(successor, []).append(block)
            elif number[successor] <= number[block]:
                irreducible = True
    loops = [
        Loop(header, tuple(sources), _body(header, sources, tree))
        for header, sources in sorted(latches.items(), key=lambda item: number[item[0]])
    ]
    loops.sort(key=lambda loop: -len(loop.blocks))
    innermost: dict[Block, Loop] = {}
    for loop in loops:
        loop.parent = innermost.get(loop.header)
        for block in loop.blocks:
            innermost[block] = loop
    return LoopInfo(tuple(loops), innermost, irreducible)


def _body(header: Block, latches: list[Block], tree: DominatorTree) -> frozenset[Block]:
    body = {header}
    work = list(latches)
    while work:
        block = work.pop()
        if block not in body and tree.reaches(block):
            body.add(block)
            work.extend(block.predecessors)
    return frozenset(body)
