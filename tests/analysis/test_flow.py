# SPDX-License-Identifier: Apache-2.0
"""Flow graphs: loops and their nesting, post-dominators, and the blocks between a branch and where all come again.

Graphs are written as the successors of each block by number; -1 is the end.
"""

import pytest

from lanewise.analysis.flow import Flow
from lanewise.ir.function import Block

from .flow_graphs import END, Graph, flow_of

NESTED: Graph = {0: [1], 1: [2, 5], 2: [3, 4], 3: [2], 4: [1, 2], 5: [END]}
"""An outer loop 1 to 4; in it a loop 2 to 4 with two latches, of which block 4 goes on to the outer header, too."""


def numbers(blocks: list[Block], some: frozenset[Block] | list[Block]) -> list[int]:
    return sorted(blocks.index(block) for block in some)


def test_loops_are_nested_and_the_outermost_comes_first():
    flow, blocks = flow_of(NESTED)
    outer, inner = flow.loops
    assert (blocks.index(outer.header), numbers(blocks, outer.blocks)) == (1, [1, 2, 3, 4])
    assert (blocks.index(inner.header), numbers(blocks, inner.blocks)) == (2, [2, 3, 4])
    assert (outer.parent, inner.parent) == (None, outer)
    assert flow.loop_of(blocks[3]) is inner
    assert flow.loop_of(blocks[1]) is outer
    assert flow.loop_of(blocks[5]) is None
    assert flow.loops_around(blocks[4]) == [inner, outer]
    assert not flow.irreducible


def test_exits_of_a_loop_are_found_once():
    flow, blocks = flow_of(NESTED)
    outer, inner = flow.loops
    assert [blocks.index(target) for target in flow.exit_targets(outer)] == [5]
    assert [blocks.index(target) for target in flow.exit_targets(inner)] == [1]
    assert flow.exit_targets(inner) is flow.exit_targets(inner)


def test_back_edges_lead_to_a_dominator():
    flow, blocks = flow_of(NESTED)
    found = {(s, t) for s in NESTED for t in NESTED[s] if t != END and flow.is_back_edge(blocks[s], blocks[t])}
    assert found == {(3, 2), (4, 1), (4, 2)}


def test_the_order_is_reverse_postorder():
    flow, blocks = flow_of(NESTED)
    assert [flow.number(block) for block in flow.order] == list(range(len(flow.order)))
    assert flow.order[0] is blocks[0]
    for source in NESTED:
        for target in NESTED[source]:
            if target != END and not flow.is_back_edge(blocks[source], blocks[target]):
                assert flow.number(blocks[source]) < flow.number(blocks[target])


def test_blocks_that_the_entry_does_not_reach_are_left_out():
    flow, blocks = flow_of({0: [END], 1: [END]})
    assert blocks[1] not in flow.predecessors
    assert list(flow.order) == [blocks[0], flow.end]
    assert flow.predecessors[flow.end] == [blocks[0]]


@pytest.mark.parametrize(
    ("graph", "block", "meet", "between"),
    [
        ({0: [1, 2], 1: [3], 2: [3], 3: [END]}, 0, 3, [1, 2]),
        ({0: [1, 2], 1: [2], 2: [END]}, 0, 2, [1]),
        ({0: [1, 2], 1: [END], 2: [END]}, 0, END, [1, 2]),
        ({0: [1], 1: [1, 2], 2: [END]}, 1, 2, [1]),
        (NESTED, 2, 4, [2, 3]),
        (NESTED, 4, 1, [2, 3, 4]),
    ],
)
def test_blocks_between_a_branch_and_its_post_dominator(graph: Graph, block: int, meet: int, between: list[int]):
    flow, blocks = flow_of(graph)
    assert flow.post.immediate(blocks[block]) is (flow.end if meet == END else blocks[meet])
    assert numbers(blocks, flow.between(blocks[block])) == between


def test_an_endless_loop_leads_to_the_end():
    flow, blocks = flow_of({0: [1, 2], 1: [1], 2: [END]})
    assert flow.post.immediate(blocks[1]) is flow.end
    assert flow.post.immediate(blocks[0]) is flow.end
    assert flow.successors[blocks[1]] == [blocks[1]]


def test_a_cycle_with_two_entries_is_irreducible():
    flow, _ = flow_of({0: [1, 2], 1: [2], 2: [1, END]})
    assert flow.irreducible
    assert flow.loops == ()


def test_the_end_has_no_successors_even_if_it_could():
    end = Block("end")
    entry = Block("entry")
    flow = Flow(entry, end, lambda _: [end])
    assert flow.successors[end] == []
