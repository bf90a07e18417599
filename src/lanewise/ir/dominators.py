# SPDX-License-Identifier: Apache-2.0
"""Dominators and post-dominators of a function's blocks, with their frontiers.

Method: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001): immediate dominators by intersection
in reverse postorder. Post-dominators are dominators of the reversed graph below one virtual exit; a block that
reaches no exit (an endless loop) hangs below that exit too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, final

from lanewise.ir.function import Block, Function

Edges = Mapping[Block | None, Sequence[Block | None]]
"""Successors of each node; None is the virtual exit."""


@final
class DominatorTree:
    """The dominator tree: the blocks that every path to a block passes (or, reversed, every path out of it).

    `parent`   immediate dominator of each block that the root reaches; the root has none
    `order`    reverse postorder from the root, the virtual exit left out
    """

    def __init__(self, root: Block | None, successors: Edges) -> None:
        self.root: Final = root
        order = _reverse_postorder(root, successors)
        predecessors: dict[Block | None, list[Block | None]] = {node: [] for node in order}
        for node in order:
            for successor in successors[node]:
                predecessors[successor].append(node)
        number = {node: i for i, node in enumerate(order)}
        parent: dict[Block | None, Block | None] = {root: root}
        changed = True
        while changed:
            changed = False
            for node in order[1:]:
                new = None
                found = False
                for before in predecessors[node]:
                    if before not in parent:
                        continue
                    new = _meet(before, new, parent, number) if found else before
                    found = True
                if node not in parent or parent[node] is not new:
                    parent[node] = new
                    changed = True
        self.parent: Final = parent
        self.order: Final = tuple(node for node in order if node is not None)
        self._number: Final = number
        self._predecessors: Final = predecessors
        self._entered, self._left = self._intervals()

    def _intervals(self) -> tuple[dict[Block | None, int], dict[Block | None, int]]:
        """Times of a walk over the tree: a dominates b if b's interval lies in a's."""
        children: dict[Block | None, list[Block | None]] = {}
        for node, above in self.parent.items():
            if node is not self.root:
                children.setdefault(above, []).append(node)
        entered: dict[Block | None, int] = {}
        left: dict[Block | None, int] = {}
        clock = 0
        stack: list[tuple[Block | None, bool]] = [(self.root, False)]
        while stack:
            node, done = stack.pop()
            clock += 1
            if done:
                left[node] = clock
                continue
            entered[node] = clock
            stack.append((node, True))
            stack.extend((child, False) for child in children.get(node, ()))
        return entered, left

    def dominates(self, above: Block, below: Block) -> bool:
        """Every path from the root to `below` passes `above`; also true of a block and itself. A block that the
        root does not reach is dominated by all."""
        if below not in self._entered:
            return True
        if above not in self._entered:
            return False
        return self._entered[above] <= self._entered[below] and self._left[below] <= self._left[above]

    def reaches(self, block: Block) -> bool:
        """The root reaches `block`."""
        return block in self._entered

    def immediate(self, block: Block) -> Block | None:
        """The next block up the tree; None for the root, and below the virtual exit."""
        above = self.parent.get(block)
        return None if block is self.root else above

    def frontier(self) -> dict[Block, frozenset[Block]]:
        """For each block, the blocks just outside its reign: successors of blocks that it dominates which it does
        not strictly dominate (Cytron et al. 1991). Of post-dominators: the blocks it is control dependent on."""
        found: dict[Block, set[Block]] = {node: set() for node in self.order}
        for node in self.order:
            before = self._predecessors[node]
            if len(before) < 2 and node is not self.root:
                continue
            for runner in before:
                while runner is not None and runner is not self.parent.get(node):
                    found[runner].add(node)
                    if runner is self.root:
                        break
                    runner = self.parent[runner]
        return {node: frozenset(blocks) for node, blocks in found.items()}


def dominators(function: Function) -> DominatorTree:
    """The dominator tree, rooted at the entry."""
    edges: dict[Block | None, list[Block | None]] = {b: list(dict.fromkeys(b.successors)) for b in function.blocks}
    return DominatorTree(function.entry, edges)


def post_dominators(
    function: Function, successors_of: Callable[[Block], Iterable[Block]] = lambda block: block.successors
) -> DominatorTree:
    """The post-dominator tree, rooted at a virtual exit (None) after all blocks that leave the function.

    `successors_of` may leave edges out: the tree is then that of paths along the others. Of an endless loop the last
    block leaves, in the order of control flow; one that an edge was left out of, if there is any.
    """
    reversed_edges: dict[Block | None, list[Block | None]] = {b: [] for b in function.blocks}
    reversed_edges[None] = []
    for block in function.blocks:
        successors = dict.fromkeys(successors_of(block))
        for successor in successors:
            reversed_edges[successor].append(block)
        if not successors:
            reversed_edges[None].append(block)
    reached = set(_reverse_postorder(None, reversed_edges))
    if len(reached) <= len(function.blocks):
        for block in _by_likelihood_to_leave(function, successors_of):
            if block not in reached:
                reversed_edges[None].append(block)
                reached |= set(_reverse_postorder(block, reversed_edges))
    return DominatorTree(None, reversed_edges)


def _by_likelihood_to_leave(function: Function, successors_of: Callable[[Block], Iterable[Block]]) -> list[Block]:
    """All blocks: first those that edges are left out of, then the last in the order of control flow."""
    order = dominators(function).order
    place = {block: number for number, block in enumerate(order)}
    left_out = {block for block in order if len(set(successors_of(block))) < len(set(block.successors))}
    return sorted(function.blocks, key=lambda block: (block not in left_out, -place.get(block, -1)))


def _reverse_postorder(root: Block | None, successors: Edges) -> list[Block | None]:
    order: list[Block | None] = []
    seen = {root}
    stack = [(root, iter(successors[root]))]
    while stack:
        node, rest = stack[-1]
        for successor in rest:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successors[successor])))
                break
        else:
            order.append(node)
            stack.pop()
    order.reverse()
    return order


def _meet(
    a: Block | None,
    b: Block | None,
    parent: Mapping[Block | None, Block | None],
    number: Mapping[Block | None, int],
) -> Block | None:
    while a is not b:
        while number[a] > number[b]:
            a = parent[a]
        while number[b] > number[a]:
            b = parent[b]
    return a
