# SPDX-License-Identifier: Apache-2.0
"""The order in which lane code lays out the blocks of a level: the body of a loop, or all blocks that are in none.

A level is an acyclic graph of blocks and of inner loops, each as one node, its header. The order is topological, and
the nodes that a node dominates follow it without a gap, so that code which no work-item needs can be skipped at once.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.analysis.flow import Flow, FlowLoop
from lanewise.ir.dominators import DominatorTree
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.workgroup.lanes.analysis.fault_branches import is_fault

_LOOP_COST: Final = 1000
_FAULT_COST: Final = 1000
_COSTS: Final = {"load": 4, "store": 4, "call": 4, "atomicrmw": 32, "cmpxchg": 32, "sdiv": 16, "udiv": 16, "srem": 16,
                 "urem": 16, "fdiv": 8, "frem": 64}  # fmt: skip


@final
class Level:
    """`nodes` in order; `loop` is None for the level outside of all loops."""

    def __init__(self, flow: Flow, loop: FlowLoop | None) -> None:
        self.loop: Final = loop
        self.root: Final = loop.header if loop else flow.entry
        self._inner: Final = {inner.header: inner for inner in flow.loops if inner.parent is loop}
        edges: dict[Block | None, list[Block | None]] = {}
        work = [self.root]
        while work:
            node = work.pop()
            if node not in edges:
                following = self._successors(flow, node)
                edges[node] = list(following)
                work += following
        self._tree: Final = DominatorTree(self.root, edges)
        self._children: Final[dict[Block, list[Block]]] = {}
        for node in self._tree.order:
            above = self._tree.immediate(node)
            if above is not None:
                self._children.setdefault(above, []).append(node)
        self.nodes: Final = self._compact()
        self.end: Final = Block("latch") if loop else flow.end
        """The node after all others: the end of an iteration, or of the code."""
        self.number: Final = {node: number for number, node in enumerate([*self.nodes, self.end])}
        self._pending: Final[dict[Block, set[Block]]] = {}
        self._cost: Final[dict[Block, int]] = {}
        for node in reversed(self.nodes):
            own = _LOOP_COST if node in self._inner else sum(map(cost, node.instructions))
            self._cost[node] = own + sum(self._cost[child] for child in self._children.get(node, ()))

    def inner(self, node: Block) -> FlowLoop | None:
        """The loop that a node represents."""
        return self._inner.get(node)

    def cost(self, node: Block) -> int:
        """The cost of a node and all that it dominates, in simple instructions."""
        return self._cost[node]

    def pending_after(self, node: Block) -> set[Block]:
        """Nodes to go on to after a node, beside its successors."""
        return self._pending.get(node, set())

    def add_pending(self, node: Block, others: set[Block]) -> None:
        self._pending.setdefault(node, set()).update(others)

    def _successors(self, flow: Flow, node: Block) -> list[Block]:
        inner = self._inner.get(node)
        sources = inner.blocks if inner else (node,)
        held = self.loop.blocks if self.loop else None
        found: dict[Block, None] = {}
        for source in [b for b in flow.order if b in sources] if inner else sources:
            for successor in flow.successors[source]:
                if successor is self.root or successor is flow.end or (inner and successor in inner.blocks):
                    continue
                if held is None or successor in held:
                    found[successor] = None
        return list(found)

    def _compact(self) -> list[Block]:
        order: list[Block] = []
        stack = [self.root]
        while stack:
            node = stack.pop()
            order.append(node)
            stack += reversed(self._children.get(node, []))  # children are in topological order
        return order


def cost(instruction: Instruction) -> int:
    """The cost of an instruction in simple instructions, roughly."""
    if is_fault(instruction):
        return _FAULT_COST
    return 0 if instruction.op == "phi" or instruction.is_debug_record else _COSTS.get(instruction.op, 1)
