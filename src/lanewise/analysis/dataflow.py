# SPDX-License-Identifier: Apache-2.0
"""Dataflow analysis: the least solution of equations over the nodes of a graph, by iteration.

    facts of a node = transfer(node, union of the facts of its sources)

Direction: the sources are a node's predecessors in a forward analysis, its successors in a backward one. Join: the
union of sets, for facts that hold if they do on some path. Source: G. A. Kildall, "A Unified Approach to Global Program
Optimization" (POPL 1973).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Fact = TypeVar("Fact", bound=Hashable)


def solve(
    nodes: Sequence[Node],
    sources: Callable[[Node], Iterable[Node]],
    transfer: Callable[[Node, frozenset[Fact]], frozenset[Fact]],
) -> dict[Node, frozenset[Fact]]:
    """The facts of each node. `transfer` is monotonic. Few rounds are needed if most sources come before their node."""
    found: dict[Node, frozenset[Fact]] = {node: frozenset() for node in nodes}
    changed = True
    while changed:
        changed = False
        for node in nodes:
            facts = transfer(node, frozenset[Fact]().union(*(found[source] for source in sources(node))))
            if facts != found[node]:
                found[node] = facts
                changed = True
    return found
