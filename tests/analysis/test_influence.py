# SPDX-License-Identifier: Apache-2.0
"""Masked blocks, joins and divergent loops, compared with a plain simulation of lanes on random flow graphs.

The definitions are exact on these graphs: nothing that a simulation shows may be missing, and with enough of them
nothing may be there that none shows.
"""

import contextlib
import random

import pytest

from lanewise.analysis.flow import Flow
from lanewise.analysis.influence import Influence, exits_meet, influence
from lanewise.ir.function import Block

from .flow_graphs import END, Seen, Simulation, TooLong, flow_of, random_graph

GRAPHS = 10_000
BATCHES = 10
LANES = 3
TRIES = 400
"""Simulations of one graph that may pass without one that shows all."""


def influences(flow: Flow, divergent: set[Block]) -> Influence:
    """The influences of several branches as one."""
    found = [influence(flow, block) for block in divergent]
    return Influence(
        frozenset().union(*(f.masked for f in found)),
        frozenset().union(*(f.joins for f in found)) - {flow.end},
        tuple(dict.fromkeys(loop for f in found for loop in f.loops)),
    )


def simulated(flow: Flow, divergent: set[Block], rng: random.Random, seen: Seen) -> None:
    """Adds what one run shows in which lanes decide at random, one for all at branches that are not divergent."""
    bias = rng.choice((0.2, 0.5, 0.8))

    def decide(block: Block, lanes: list[int]) -> dict[int, Block]:
        successors = flow.successors[block]
        if block in divergent:
            return {lane: successors[rng.random() < bias and len(successors) > 1] for lane in lanes}
        return dict.fromkeys(lanes, rng.choice(successors))

    with contextlib.suppress(TooLong):  # what it has shown until then counts
        Simulation(flow, LANES, decide, seen)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_graphs(batch: int):
    loops = joins = 0
    for number in range(batch, GRAPHS, BATCHES):
        rng = random.Random(number)
        graph = random_graph(rng, rng.randint(2, 8))
        flow, blocks = flow_of(graph)
        assert not flow.irreducible
        branches = [block for block in blocks if len(flow.successors[block]) > 1]
        divergent = {block for block in branches if rng.random() < 0.5}
        expected = influences(flow, divergent)
        seen = Seen()
        for _ in range(TRIES):
            simulated(flow, divergent, rng, seen)
            if (seen.partial, seen.joined, seen.parted) == (expected.masked, expected.joins, set(expected.loops)):
                break
        about = f"graph {number}: {graph}, divergent {sorted(str(b.name) for b in divergent)}"
        assert seen.partial == expected.masked, about
        assert seen.joined == expected.joins, about
        assert seen.parted == set(expected.loops), about
        loops += len(expected.loops)
        joins += len(expected.joins)
    assert loops > GRAPHS // BATCHES // 10
    assert joins > GRAPHS // BATCHES // 5


def test_paths_from_different_exits_of_a_loop_meet():
    flow, blocks = flow_of({0: [1], 1: [2, 4], 2: [1, 3], 3: [5], 4: [5], 5: [6, END], 6: [END]})
    assert exits_meet(flow, flow.loops[0]) == {blocks[5]}, "and not again after that"


def test_paths_from_one_exit_of_a_loop_do_not_meet():
    flow, _ = flow_of({0: [1], 1: [1, 2], 2: [3, 4], 3: [4], 4: [END]})
    assert exits_meet(flow, flow.loops[0]) == set()
