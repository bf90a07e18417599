# SPDX-License-Identifier: Apache-2.0
"""Dominators, post-dominators and frontiers against their definitions, on random graphs."""

from __future__ import annotations

from hypothesis import given, settings
from tests.ir.graphs import Graph, function_of, graphs, number, reached

from lanewise.ir.dominators import DominatorTree, dominators, post_dominators
from lanewise.ir.function import Function


def dominating(graph: Graph, root: int) -> dict[int, set[int]]:
    """Node -> its dominators: nodes without which the root doesn't reach it."""
    every = reached(graph, root)
    return {node: {d for d in every if node not in reached(graph, root, without=d)} for node in every}


def check(tree: DominatorTree, function: Function, expected: dict[int, set[int]], virtual: int | None) -> None:
    """`tree` agrees with the sets of dominators; `virtual` is the virtual exit's number in them."""
    for block in function.blocks:
        node = number(block)
        assert tree.reaches(block) == (node in expected)
        if node not in expected:
            continue
        above = {number(b) for b in function.blocks if tree.dominates(b, block)}
        assert above == expected[node] - {virtual}
        immediate = tree.immediate(block)
        strictly = above - {node}
        closest = {d for d in strictly if expected[d] - {virtual} == strictly}
        assert ({number(immediate)} if immediate is not None else set()) == closest


@settings(max_examples=300, deadline=None)
@given(graphs())
def test_dominators(graph: Graph) -> None:
    function = function_of(graph)
    check(dominators(function), function, dominating(graph, 0), None)


@settings(max_examples=300, deadline=None)
@given(graphs())
def test_post_dominators(graph: Graph) -> None:
    """Endless loops leave by the block that the implementation picks: the last one, in the order of control flow, that
    reaches no exit so far."""
    function = function_of(graph)
    leaves = {node for node, successors in graph.items() if not successors}
    order = [number(block) for block in dominators(function).order]
    for node in [*reversed(order), *(node for node in graph if node not in order)]:
        if not reached(graph, node) & leaves:
            leaves.add(node)
    virtual = len(graph)
    backwards = {node: [b for b, successors in graph.items() if node in successors] for node in graph}
    expected = dominating({**backwards, virtual: sorted(leaves)}, virtual)
    check(post_dominators(function), function, expected, virtual)


@settings(max_examples=300, deadline=None)
@given(graphs())
def test_frontier(graph: Graph) -> None:
    function = function_of(graph)
    tree = dominators(function)
    expected = {
        node: {
            after
            for below, above in dominating(graph, 0).items()
            if node in above
            for after in graph[below]
            if node == after or node not in dominating(graph, 0)[after]
        }
        for node in reached(graph, 0)
    }
    assert {number(b): {number(f) for f in found} for b, found in tree.frontier().items()} == expected


def test_control_dependence_of_a_diamond() -> None:
    function = function_of({0: [1, 2], 1: [3], 2: [3], 3: []})
    frontier = post_dominators(function).frontier()
    assert {number(b): [number(f) for f in found] for b, found in frontier.items()} == {0: [], 1: [0], 2: [0], 3: []}
