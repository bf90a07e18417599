# SPDX-License-Identifier: Apache-2.0
"""Random control-flow graphs as functions, and facts about them by brute force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.values import Argument, i32

Graph = Mapping[int, Sequence[int]]
"""Successors of each node; 0 is the entry, which nothing leads to."""


@st.composite
def graphs(draw: st.DrawFn, most: int = 9) -> Graph:
    """Connected or not, with self-loops, repeated edges, endless loops and several exits."""
    count = draw(st.integers(1, most))
    if count == 1:
        return {0: []}
    targets = st.lists(st.integers(1, count - 1), max_size=3)
    return {node: draw(targets) for node in range(count)}


def function_of(graph: Graph) -> Function:
    """A function whose block i has the successors graph[i]; none is a return."""
    value = Argument(ty.I32, "x")
    function = Function("f", ty.function(ty.VOID, (ty.I32,)), [value])
    blocks = [function.add_block(f"b{node}") for node in graph]
    for node, successors in graph.items():
        builder = Builder(blocks[node])
        if not successors:
            builder.ret()
        else:
            default, *cases = [blocks[s] for s in successors]
            if cases:
                builder.switch(value, default, [(i32(i), block) for i, block in enumerate(cases)])
            else:
                builder.branch(default)
    return function


def reached(graph: Graph, start: int, without: int | None = None) -> set[int]:
    """Nodes on paths from `start` that avoid the node `without`."""
    if start == without:
        return set()
    found = {start}
    work = [start]
    while work:
        for successor in graph[work.pop()]:
            if successor not in found and successor != without:
                found.add(successor)
                work.append(successor)
    return found


def number(block: Block) -> int:
    assert block.name is not None
    return int(block.name[1:])
