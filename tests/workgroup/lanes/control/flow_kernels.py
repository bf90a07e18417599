# SPDX-License-Identifier: Apache-2.0
"""Kernels of random flow graphs, and a plain simulation of one lane after the other that says what is right.

Four variables are live everywhere: %h differs between lanes, %k begins with known steps from lane to lane, %c counts,
and %p is a bit. A block changes some of them and leaves the others alone, so that values also pass through joins,
headers and whole loops unchanged. A phi stands where values meet, or, in some kernels, in every block.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
from tests.analysis.flow_graphs import END, Graph, random_graph, random_nest

from ...parts import kernel_text

WORD = 0xFFFFFFFF
STEPS = 300
"""Blocks that a lane may visit."""
TYPES = {"h": "i32", "c": "i32", "k": "i32", "p": "i1"}
STARTS = {"h": "%start", "c": "0", "k": "%t", "p": "false"}
MIX = 2654435769


class FlowKernel(NamedTuple):
    """A graph with what its blocks do."""

    graph: Graph
    changed: dict[int, frozenset[str]]
    """The variables that each block changes."""
    counted: frozenset[int]
    """Blocks that count their visits in memory."""
    conditions: dict[int, str]
    """The condition of each branch: a variable, or `n`, which is the same for all lanes and visits."""
    ways: dict[int, list[int]]
    """The successors that the values 0 to 3 of a condition's bits lead to; two successors: those of bits 0 and 1."""
    everywhere: bool
    """Each block has phis."""

    def rows(self) -> int:
        """Rows of the output: one per block with its visits, then the variables."""
        return len(self.graph) + len(TYPES)


def random_kernel(number: int) -> FlowKernel:
    rng = random.Random(number)
    graph = random_nest(rng, rng.randint(4, 14)) if number % 3 else random_graph(rng, rng.randint(3, 9))
    headers = {s for block in graph for s in graph[block] if s != END and s <= block}
    share = rng.choice((0.2, 0.5, 0.8))
    changed = {
        block: frozenset(v for v in TYPES if rng.random() < share or (v == "c" and block in headers)) for block in graph
    }
    conditions = {block: rng.choice("hhhckkpn" if rng.random() < 0.7 else "ccn") for block in graph}
    ways: dict[int, list[int]] = {}
    for block, successors in graph.items():
        if len(successors) == 2 and rng.random() < 0.8:
            ways[block] = successors
        elif len(successors) > 1:
            ways[block] = [*successors, *(rng.choice(successors) for _ in range(4 - len(successors)))]
            rng.shuffle(ways[block])
            conditions[block] = conditions[block].replace("p", "h")
    counted = frozenset(block for block in graph if rng.random() < 0.5)
    return FlowKernel(graph, changed, counted, conditions, ways, rng.random() < 0.25)


class _Values:
    """Names of the variables at the start and the end of each block: SSA form, with no phi that isn't needed unless
    phis stand everywhere."""

    def __init__(self, kernel: FlowKernel) -> None:
        self.kernel = kernel
        self.edges: dict[int, list[int]] = {block: [] for block in [*kernel.graph, END]}
        """The predecessors of each block, once for each edge."""
        for block, successors in kernel.graph.items():
            for target in kernel.ways.get(block, successors):
                self.edges[target].append(block)
        self.phis = {
            (block, v)
            for block in self.edges
            for v in TYPES
            if kernel.everywhere or len({*self.edges[block], *([-2] if block == 0 else [])}) > 1
        }
        self.phis -= {(0, v) for v in TYPES if not self.edges[0]}
        self.same: dict[str, str] = {}
        """Phis that always have one value -> this value."""
        while not kernel.everywhere and self._drop():
            pass

    def _drop(self) -> bool:
        for block, v in sorted(self.phis):
            name = f"%{v}.{label(block)}"
            if name not in self.same:
                values = {value for value, _ in self.incoming(block, v)} - {name}
                if len(values) == 1:
                    self.same[name] = values.pop()
                    return True
        return False

    def incoming(self, block: int, v: str) -> list[tuple[str, str]]:
        """Value and label of each edge, as many as there are."""
        found = [(self.after(before, v), label(before)) for before in self.edges[block]]
        return [*found, (STARTS[v], "entry")] if block == 0 else found

    def before(self, block: int, v: str) -> str:
        if (block, v) in self.phis:
            name = f"%{v}.{label(block)}"
            while name in self.same:
                name = self.same[name]
            return name
        return self.after(self.edges[block][0], v) if self.edges[block] else STARTS[v]

    def after(self, block: int, v: str) -> str:
        return f"%{v}x{block}" if v in self.kernel.changed[block] else self.before(block, v)

    def phi_lines(self, block: int) -> list[str]:
        return [
            f"{name} = phi {type_} {', '.join(f'[ {value}, %{before} ]' for value, before in self.incoming(block, v))}"
            for v, type_ in TYPES.items()
            if (name := f"%{v}.{label(block)}") not in self.same and (block, v) in self.phis
        ]


def label(block: int) -> str:
    return "end" if block == END else f"b{block}"


def text_of(kernel: FlowKernel, stride: int) -> str:
    """The kernel; its output has a row of `stride` per block and variable."""
    values = _Values(kernel)
    lines = ["entry:", "TID", "%at = getelementptr i32, ptr %in, i32 %t", "%start = load i32, ptr %at", "br label %b0"]
    for block, successors in kernel.graph.items():
        lines += [f"b{block}:", *values.phi_lines(block)]
        if block in kernel.counted:
            lines += [
                f"%row{block} = add i32 %t, {block * stride}",
                f"%cell{block} = getelementptr i32, ptr %out, i32 %row{block}",
                f"%count{block} = load i32, ptr %cell{block}",
                f"%more{block} = add i32 %count{block}, 1",
                f"store i32 %more{block}, ptr %cell{block}",
            ]
        h, c, k = (values.before(block, v) for v in "hck")
        new = {
            "h": [
                f"%scaled{block} = mul i32 {h}, {factor(block)}",
                f"%hx{block} = add i32 %scaled{block}, {block + 1}",
            ],
            "c": [f"%cx{block} = add i32 {c}, 1"],
            "k": [f"%kx{block} = add i32 {k}, {c}"],
            "p": [f"%px{block} = icmp slt i32 {h}, {k}"],
        }
        lines += [line for v in TYPES if v in kernel.changed[block] for line in new[v]]
        lines += _branch(kernel, block, values) if len(successors) > 1 else [f"br label %{label(successors[0])}"]
    lines += ["end:", *values.phi_lines(END)]
    for number, (v, type_) in enumerate(TYPES.items()):
        value = values.before(END, v)
        if type_ == "i1":
            lines.append(f"%bit = zext i1 {value} to i32")
            value = "%bit"
        lines += [
            f"%last{number} = add i32 %t, {(len(kernel.graph) + number) * stride}",
            f"%place{number} = getelementptr i32, ptr %out, i32 %last{number}",
            f"store i32 {value}, ptr %place{number}",
        ]
    return kernel_text("\n".join([*lines, "ret void"]))


def _branch(kernel: FlowKernel, block: int, values: _Values) -> list[str]:
    ways = kernel.ways[block]
    kind = kernel.conditions[block]
    targets = [f"label %{label(s)}" for s in ways]
    if kind == "p":
        return [f"br i1 {values.after(block, 'p')}, {targets[1]}, {targets[0]}"]
    first = str(77 * block) if kind == "n" else values.after(block, kind)
    second = values.after(block, "c") if kind in "hk" else "%n"
    lines = [
        f"%seed{block} = add i32 {first}, {second}",
        f"%mixed{block} = mul i32 %seed{block}, {MIX - (1 << 32)}",
        f"%bits{block} = lshr i32 %mixed{block}, {27 + block % 3}",
    ]
    if len(ways) == 2:
        return [*lines, f"%way{block} = trunc i32 %bits{block} to i1",
                f"br i1 %way{block}, {targets[1]}, {targets[0]}"]  # fmt: skip
    cases = " ".join(f"i32 {number}, {target}" for number, target in enumerate(targets[:3]))
    return [*lines, f"%way{block} = and i32 %bits{block}, 3", f"switch i32 %way{block}, {targets[3]} [ {cases} ]"]


def factor(block: int) -> int:
    return 2 * block + 3


def simulated(kernel: FlowKernel, item: int, start: int, n: int) -> list[int] | None:
    """The column of one lane in the output; None if it makes too many steps."""
    visits = [0] * len(kernel.graph)
    h, c, k, p, block = start, 0, item, 0, 0
    for _ in range(STEPS):
        visits[block] += block in kernel.counted
        changed = kernel.changed[block]
        h, c, k, p = (
            (h * factor(block) + block + 1) & WORD if "h" in changed else h,
            c + 1 if "c" in changed else c,
            (k + c) & WORD if "k" in changed else k,
            int(signed(h) < signed(k)) if "p" in changed else p,
        )
        block = _next(kernel, block, {"h": h + c, "c": c + n, "k": k + c, "p": p, "n": 77 * block + n})
        if block == END:
            return [*visits, h, c, k, p]
    return None


def _next(kernel: FlowKernel, block: int, seeds: dict[str, int]) -> int:
    ways = kernel.ways.get(block, kernel.graph[block])
    kind = kernel.conditions[block]
    if len(ways) == 1:
        return ways[0]
    if kind == "p":
        return ways[seeds["p"]]
    bits = (seeds[kind] * MIX & WORD) >> (27 + block % 3)
    return ways[bits % len(ways)]


def signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def inputs(kernel: FlowKernel, number: int, lanes: int, n: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Numbers that each lane starts with, and the whole output; None if none are found with which all lanes end."""
    rng = random.Random(number)
    given: list[int] = []
    columns: list[list[int]] = []
    for item in range(lanes):
        for _ in range(20):
            start = rng.getrandbits(32)
            column = simulated(kernel, item, start, n)
            if column is not None:
                given.append(start)
                columns.append(column)
                break
        else:
            return None
    return np.array(given, np.uint32), np.array(columns, np.uint32).T
