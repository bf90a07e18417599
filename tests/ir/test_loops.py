# SPDX-License-Identifier: Apache-2.0
"""Natural loops against their definition, on random graphs."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from tests.ir.graphs import Graph, function_of, graphs, number, reached

from lanewise.ir.loops import find_loops


def dominates(graph: Graph, above: int, below: int) -> bool:
    return below not in reached(graph, 0, without=above)


def natural_loops(graph: Graph) -> dict[int, tuple[set[int], set[int]]]:
    """Header -> (latches, blocks): blocks that the header dominates and that reach a latch without passing it."""
    inside = reached(graph, 0)
    found: dict[int, tuple[set[int], set[int]]] = {}
    for header in inside:
        latches = {b for b in inside if header in graph[b] and dominates(graph, header, b)}
        if latches:
            body = {b for b in inside if b != header and latches & reached(graph, b, without=header)}
            found[header] = latches, body | {header}
    return found


def has_irreducible_cycle(graph: Graph) -> bool:
    """A cycle remains among reachable blocks when the back edges of natural loops are gone."""
    inside = reached(graph, 0)
    forward = {b: [s for s in graph[b] if not dominates(graph, s, b)] for b in inside}
    return any(b in reached(forward, s) for b in inside for s in forward[b])


@settings(max_examples=400, deadline=None)
@given(graphs())
def test_loops(graph: Graph) -> None:
    function = function_of(graph)
    info = find_loops(function)
    expected = natural_loops(graph)
    found = {
        number(loop.header): ({number(b) for b in loop.latches}, {number(b) for b in loop.blocks})
        for loop in info.loops
    }
    assert found == expected
    assert info.irreducible == has_irreducible_cycle(graph)
    for loop in info.loops:
        assert {number(b) for b in loop.entering()} == {
            b for b in graph if number(loop.header) in graph[b] and b not in expected[number(loop.header)][1]
        }
        assert {(number(a), number(b)) for a, b in loop.exits()} == {
            (a, b) for a in expected[number(loop.header)][1] for b in graph[a]
            if b not in expected[number(loop.header)][1]
        }  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(graphs())
def test_nesting(graph: Graph) -> None:
    """Loops around a block are those that hold it, from the smallest to the largest, each inside the next."""
    function = function_of(graph)
    info = find_loops(function)
    for block in function.blocks:
        around = info.around(block)
        assert set(around) == {loop for loop in info.loops if block in loop.blocks}
        assert [loop.depth for loop in around] == list(range(len(around), 0, -1))
        assert all(inner.blocks <= outer.blocks for inner, outer in itertools.pairwise(around))
