# SPDX-License-Identifier: Apache-2.0
"""The solver of dataflow equations, on a small graph in both directions."""

from lanewise.analysis.dataflow import solve

SUCCESSORS = {"entry": ["head"], "head": ["body", "exit"], "body": ["head"], "exit": []}
PREDECESSORS = {node: [n for n in SUCCESSORS if node in SUCCESSORS[n]] for node in SUCCESSORS}
DEFINED = {"entry": {"n"}, "body": {"x"}}
USED = {"head": {"n"}, "exit": {"x"}}


def test_live_values_flow_backwards_through_a_loop():
    def live(node: str, after: frozenset[str]) -> frozenset[str]:
        return after - DEFINED.get(node, set()) | USED.get(node, set())

    assert solve(list(reversed(SUCCESSORS)), SUCCESSORS.__getitem__, live) == {
        "entry": {"x"},
        "head": {"n", "x"},
        "body": {"n"},
        "exit": {"x"},
    }


def test_definitions_flow_forwards():
    def reaching(node: str, before: frozenset[str]) -> frozenset[str]:
        return before | DEFINED.get(node, set())

    found = solve(list(SUCCESSORS), PREDECESSORS.__getitem__, reaching)
    assert found == {"entry": {"n"}, "head": {"n", "x"}, "body": {"n", "x"}, "exit": {"n", "x"}}


def test_the_order_of_the_nodes_does_not_matter():
    def live(node: str, after: frozenset[str]) -> frozenset[str]:
        return after - DEFINED.get(node, set()) | USED.get(node, set())

    orders = (list(SUCCESSORS), list(reversed(SUCCESSORS)))
    first, second = (solve(order, SUCCESSORS.__getitem__, live) for order in orders)
    assert first == second
