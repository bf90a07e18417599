# SPDX-License-Identifier: Apache-2.0
"""Random flow graphs as kernels: how often each lane visits each block, and what its variables are then.

A plain simulation of one lane after the other says what is right. All variables are live everywhere, and each is a phi
of every block that several edges lead to. LANEWISE_TEST_ALL_SHAPES=1 runs 2,000 graphs in place of a sample.
"""

import os
import random

import numpy as np
import pytest
from tests.analysis.flow_graphs import END, Graph, random_graph

from lanewise.program.compilation import compile_source

from ..parts import kernel_text, session

GRAPHS = 2_000 if os.environ.get("LANEWISE_TEST_ALL_SHAPES") else 16
BATCHES = 2
LANES = 32
STEPS = 300
"""Blocks that a lane may visit; other inputs are tried where one needs more."""
WORD = 0xFFFFFFFF
FACTORS = (3, 5, 7, 9, 11, 13, 17, 19, 21, 23)


def text_of(graph: Graph, divergent: set[int]) -> str:
    """The kernel: %h differs between lanes, %c counts steps, and `visits` has a row per block."""
    before: dict[int, list[int]] = {block: [b for b in graph if block in graph[b]] for block in [*graph, END]}
    lines = ["entry:", "TID", "%at = getelementptr i32, ptr %in, i32 %t", "%start = load i32, ptr %at", "br label %b0"]

    def phis(block: int, name: str) -> None:
        label = "end" if block == END else f"b{block}"
        edges = [f"[ %{v}x{b}, %b{b} ]" for b in before[block] for v in name]
        if block == 0:
            edges.append(f"[ {'%start' if name == 'h' else 0}, %entry ]")
        lines.append(f"%{name}.{label} = phi i32 {', '.join(edges)}")

    for block, successors in graph.items():
        lines.append(f"b{block}:")
        phis(block, "h")
        phis(block, "c")
        lines += [
            f"%row{block} = add i32 %t, {block * LANES}",
            f"%cell{block} = getelementptr i32, ptr %out, i32 %row{block}",
            f"%count{block} = load i32, ptr %cell{block}",
            f"%more{block} = add i32 %count{block}, 1",
            f"store i32 %more{block}, ptr %cell{block}",
            f"%scaled{block} = mul i32 %h.b{block}, {FACTORS[block]}",
            f"%hx{block} = add i32 %scaled{block}, {block + 1}",
            f"%cx{block} = add i32 %c.b{block}, 1",
        ]
        names = ["end" if s == END else f"b{s}" for s in successors]
        if len(names) == 1:
            lines.append(f"br label %{names[0]}")
            continue
        value, other = ("hx", "0") if block in divergent else ("cx", "%n")
        lines += [
            f"%seed{block} = add i32 %{value}{block}, {other}",
            f"%mixed{block} = mul i32 %seed{block}, -1640531527",
            f"%bit{block} = lshr i32 %mixed{block}, {29 - block % 3}",
            f"%way{block} = trunc i32 %bit{block} to i1",
            f"br i1 %way{block}, label %{names[0]}, label %{names[1]}",
        ]
    lines.append("end:")
    phis(END, "h")
    phis(END, "c")
    for number, value in enumerate(("h.end", "c.end")):
        row = (len(graph) + number) * LANES
        lines += [
            f"%last{number} = add i32 %t, {row}",
            f"%place{number} = getelementptr i32, ptr %out, i32 %last{number}",
        ]
        lines.append(f"store i32 %{value}, ptr %place{number}")
    return kernel_text("\n".join([*lines, "ret void"]))


def simulated(graph: Graph, divergent: set[int], start: int, n: int) -> list[int] | None:
    """The column of one lane in `out`; None where it makes too many steps."""
    visits = [0] * len(graph)
    h, block = start, 0
    for c in range(1, STEPS):
        visits[block] += 1
        h = (h * FACTORS[block] + block + 1) & WORD
        successors = graph[block]
        mixed = ((h if block in divergent else c + n) * 2654435769) & WORD
        block = successors[0 if len(successors) == 1 or (mixed >> (29 - block % 3)) & 1 else 1]
        if block == END:
            return [*visits, h, c]
    return None


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_flow_graphs(batch: int):
    kernels = 0
    for number in range(batch, GRAPHS, BATCHES):
        rng = random.Random(number)
        graph = random_graph(rng, rng.randint(3, 9))
        divergent = {block for block in graph if len(graph[block]) > 1 and rng.random() < 0.6}
        text = text_of(graph, divergent)
        for _ in range(20):
            given, n = np.array([rng.getrandbits(32) for _ in range(LANES)], np.uint32), rng.getrandbits(16)
            columns = [simulated(graph, divergent, int(start), n) for start in given]
            if None not in columns:
                break
        else:
            continue
        wanted = np.array(columns, np.uint32).T
        for mapping in ("lanes:8x1", "lanes:4x4")[number % 2 :][:1]:
            out = np.zeros(wanted.shape, np.uint32)
            module = compile_source(session(), text, language="ir", mapping=mapping)
            module["k"].launch(1, LANES, (out, given, n, 0), device="cpu")
            assert (out == wanted).all(), f"graph {number} {mapping}: {graph}, divergent {sorted(divergent)}"
        kernels += 1
    assert kernels > GRAPHS // BATCHES // 2
