# SPDX-License-Identifier: Apache-2.0
"""Random reducible flow graphs, and a plain simulation of lanes that run through one.

The simulation knows nothing of masks or joins: each lane stands at a block, and the lanes that stand at one go on
together. Blocks of a loop are visited in topological order, iteration after iteration, as lane code lays them out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lanewise.analysis.flow import Flow, FlowLoop
from lanewise.ir.function import Block

Graph = dict[int, list[int]]
"""The successors of each block, by number; 0 is the entry, END the end."""
END = -1


def random_graph(rng: random.Random, blocks: int) -> Graph:
    """An acyclic graph that the entry reaches all of, with edges back to dominators, so that each cycle is a loop that
    can be left."""
    while True:
        graph = _any_graph(rng, blocks)
        if _all_end(graph):
            return graph


def _any_graph(rng: random.Random, blocks: int) -> Graph:
    graph: Graph = {number: [] for number in range(blocks)}
    for number in range(1, blocks):
        candidates = [b for b in range(number) if len(graph[b]) < 2] or [number - 1]
        graph[rng.choice(candidates[-3:])].append(number)
    for number in range(blocks):
        while len(graph[number]) < 2 and rng.random() < 0.6:
            if rng.random() < 0.5 and (above := dominators(graph, number)):
                target = rng.choice(above)
            else:
                target = rng.choice([*range(number + 1, blocks), END])
            if target in graph[number]:
                break
            graph[number].append(target)
        if not graph[number]:
            graph[number].append(END)
        rng.shuffle(graph[number])
    return graph


def random_nest(rng: random.Random, blocks: int) -> Graph:
    """Loops in loops, as a program has them: a block may go on to the header of any loop around it, behind any of them,
    or to the end. Has about as many blocks as asked for, and up to three successors each."""
    while True:
        nest = _Nest(rng, blocks)
        nest.graph[nest.sequence(0, [])].append(END)
        graph = _reached(nest.graph)
        if END in {s for successors in graph.values() for s in successors} and _all_end(graph):
            for successors in graph.values():
                rng.shuffle(successors)
            return graph


class _Nest:
    """Statements; each begins in a block without successors, and returns the one that the next begins in."""

    def __init__(self, rng: random.Random, blocks: int) -> None:
        self.rng = rng
        self.left = blocks - 1
        self.graph: Graph = {0: []}

    def sequence(self, at: int, loops: list[tuple[int, int]]) -> int:
        """`loops`: header of each loop around, and the block behind it."""
        while self.left > 0:
            at = self.rng.choice((self.plain, self.choice, self.loop, self.loop, self.jump, self.jump))(at, loops)
            if self.rng.random() < (0.3 if loops else 0.1):
                break
        return at

    def new(self) -> int:
        number = len(self.graph)
        self.graph[number] = []
        self.left -= 1
        return number

    def plain(self, at: int, loops: list[tuple[int, int]]) -> int:
        del loops
        self.graph[at].append(self.new())
        return self.graph[at][0]

    def choice(self, at: int, loops: list[tuple[int, int]]) -> int:
        arms = [self.new() for _ in range(self.rng.randint(1, 2))]
        join = self.new()
        self.graph[at] = [*arms, join][:2]
        for arm in arms:
            self.graph[self.sequence(arm, loops)].append(join)
        return join

    def loop(self, at: int, loops: list[tuple[int, int]]) -> int:
        header, behind = self.new(), self.new()
        self.graph[at].append(header)
        around = [(header, behind), *loops]
        last = self.sequence(header, around)
        others = [behind, behind, *self.targets(around), None]
        other = self.rng.choice(others)
        self.graph[last] = list(dict.fromkeys(t for t in (header, other) if t is not None))
        return behind

    def jump(self, at: int, loops: list[tuple[int, int]]) -> int:
        after = self.new()
        chosen = {self.rng.choice(self.targets(loops)) for _ in range(self.rng.choice((1, 1, 1, 2)))}
        self.graph[at] = [*sorted(chosen), after]
        return after

    def targets(self, loops: list[tuple[int, int]]) -> list[int]:
        return [target for loop in loops for target in loop] or [END]


def _reached(graph: Graph) -> Graph:
    """The blocks that the entry reaches, numbered anew in the order of a depth-first search."""
    numbers: dict[int, int] = {}
    work = [0]
    while work:
        block = work.pop()
        if block not in numbers and block != END:
            numbers[block] = len(numbers)
            work += reversed(graph[block])
    return {number: [numbers.get(s, END) for s in graph[block]] for block, number in numbers.items()}


def _all_end(graph: Graph) -> bool:
    """True if each block leads to the end."""
    ending = {END}
    while more := {block for block in graph if block not in ending and not ending.isdisjoint(graph[block])}:
        ending |= more
    return len(ending) > len(graph)


def dominators(graph: Graph, block: int) -> list[int]:
    """The blocks, `block` among them, without which the entry does not reach it; found by leaving out each in turn."""

    def reaches(without: int) -> bool:
        seen, work = {without}, [0]
        while work:
            at = work.pop()
            if at == block:
                return at != without
            if at not in seen and at != END:
                seen.add(at)
                work += graph[at]
        return False

    return [candidate for candidate in range(block + 1) if candidate == block or not reaches(candidate)]


def flow_of(graph: Graph) -> tuple[Flow, list[Block]]:
    """The flow of a graph, and its blocks in the order of their numbers."""
    blocks = [Block(f"b{number}") for number in graph]
    end = Block("end")

    def successors(block: Block) -> Iterator[Block]:
        return (end if s == END else blocks[s] for s in graph[blocks.index(block)])

    return Flow(blocks[0], end, successors), blocks


@dataclass
class Seen:
    """The facts that a simulation has shown: blocks visited by some lanes only, blocks that lanes came to by several
    edges at once, and loops that some lanes left and others did not, or by another edge."""

    partial: set[Block] = field(default_factory=set)
    joined: set[Block] = field(default_factory=set)
    parted: set[FlowLoop] = field(default_factory=set)


Decide = Callable[[Block, list[int]], dict[int, Block]]
"""The successor that each of the lanes at the end of a block goes on to."""


class TooLong(Exception):
    """A simulation that makes more visits than it may."""


class Simulation:
    """Lanes 0 to `lanes` - 1 run through `flow`, for `visits` visits of blocks at most."""

    def __init__(self, flow: Flow, lanes: int, decide: Decide, seen: Seen, visits: int = 200) -> None:
        self.flow = flow
        self.lanes = lanes
        self.decide = decide
        self.seen = seen
        self.left = visits
        self.waiting: dict[Block, dict[int, Block | None]] = {flow.entry: dict.fromkeys(range(lanes))}
        """The lanes that have come to each block, and from where."""
        self.exits: dict[FlowLoop, set[tuple[Block, Block]]] = {loop: set() for loop in flow.loops}
        """The edges by which lanes left each loop in its current iteration."""
        self.nodes: dict[FlowLoop | None, list[tuple[Block, FlowLoop | None]]] = {None: []}
        """The blocks of each level in order, and the inner loop that each stands for."""
        for block in flow.order:
            around = flow.loop_of(block)
            if around is not None and block is around.header:
                self.nodes.setdefault(around.parent, []).append((block, around))
            if block is not flow.end:
                self.nodes.setdefault(around, []).append((block, None))
        self.iteration(None)

    def iteration(self, loop: FlowLoop | None) -> None:
        for block, inner in self.nodes[loop]:
            if block in self.waiting:
                if inner is None:
                    self.visit(block)
                else:
                    self.run(inner)

    def run(self, loop: FlowLoop) -> None:
        while loop.header in self.waiting:
            self.exits[loop].clear()
            self.iteration(loop)
            if len(self.exits[loop]) + (loop.header in self.waiting) > 1:
                self.seen.parted.add(loop)

    def visit(self, block: Block) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooLong
        came = self.waiting.pop(block)
        if len(came) < self.lanes:
            self.seen.partial.add(block)
        if len(set(came.values())) > 1:
            self.seen.joined.add(block)
        for lane, target in self.decide(block, list(came)).items():
            self.waiting.setdefault(target, {})[lane] = block
            for loop in self.flow.loops_around(block):
                if target not in loop.blocks:
                    self.exits[loop].add((block, target))
