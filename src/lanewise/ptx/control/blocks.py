# SPDX-License-Identifier: Apache-2.0
"""Basic blocks of a function, the order in which they are visited, and its loops."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final, final

from lanewise.ptx.control.steps import Step, Steps
from lanewise.ptx.declined import DeclinedError
from lanewise.ptx.language.opcodes import OPCODES, Effect
from lanewise.ptx.language.operands import Name


@dataclass(eq=False, slots=True)
class BasicBlock:
    """Steps `first` to `last`, exclusive. The last one may branch: `taken` are the blocks that it names, `following` is
    the next block, if control can fall through to it."""

    number: int
    first: int
    last: int
    taken: tuple[int, ...] = ()
    following: int | None = None

    @property
    def successors(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys((*self.taken, *(() if self.following is None else (self.following,)))))


@final
class Loop:
    """A natural loop. `blocks` holds its header, and those of loops within it."""

    __slots__ = ("blocks", "header")

    def __init__(self, header: int, blocks: frozenset[int]) -> None:
        self.header: Final = header
        self.blocks: Final = blocks


@final
class Flow:
    """The blocks of a function, in the order of the text; 0 is the entry."""

    def __init__(self, steps: Steps) -> None:
        self.steps: Final = steps.steps
        self.blocks: Final = _blocks(steps)
        self._reachable: dict[int, frozenset[int]] = {}
        self._starts = [block.first for block in self.blocks]
        self.predecessors: Final[list[list[int]]] = [[] for _ in self.blocks]
        for block in self.blocks:
            for successor in block.successors:
                self.predecessors[successor].append(block.number)
        self.order: Final = self._reverse_postorder()
        """Reachable blocks in reverse postorder: each after its predecessors, except for back edges."""
        self.place: Final = {block: place for place, block in enumerate(self.order)}
        self.dominators: Final = self._immediate_dominators()
        self.loops: Final = self._natural_loops()
        """Natural loops, by header."""

    def block_of(self, step: int) -> int:
        """The block that holds a step."""
        return bisect_right(self._starts, step) - 1

    def steps_in(self, block: int) -> list[Step]:
        return self.steps[self.blocks[block].first : self.blocks[block].last]

    def reachable(self, block: int) -> frozenset[int]:
        """The blocks reachable from the start of this one, itself included."""
        known = self._reachable.get(block)
        if known is None:
            found = {block}
            work = [block]
            while work:
                for successor in self.blocks[work.pop()].successors:
                    if successor not in found:
                        found.add(successor)
                        work.append(successor)
            known = self._reachable[block] = frozenset(found)
        return known

    def dominates(self, a: int, b: int) -> bool:
        """True if every path to block `b` goes through block `a`."""
        while self.place[b] > self.place[a]:
            b = self.dominators[b]
        return a == b

    def is_back_edge(self, source: int, target: int) -> bool:
        return self.place[source] >= self.place[target]

    def loops_around(self, block: int) -> list[Loop]:
        return [loop for loop in self.loops.values() if block in loop.blocks]

    def _reverse_postorder(self) -> list[int]:
        if not self.blocks:
            return []
        done: list[int] = []
        seen = {0}
        stack = [(0, iter(self.blocks[0].successors))]
        while stack:
            block, successors = stack[-1]
            for successor in successors:
                if successor not in seen:
                    seen.add(successor)
                    stack.append((successor, iter(self.blocks[successor].successors)))
                    break
            else:
                done.append(block)
                stack.pop()
        return done[::-1]

    def _immediate_dominators(self) -> dict[int, int]:
        """Immediate dominators (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001)."""
        found = {0: 0}
        changed = True
        while changed:
            changed = False
            for block in self.order[1:]:
                known = [p for p in self.predecessors[block] if p in found]
                new = known[0]
                for other in known[1:]:
                    new = self._nearest(found, new, other)
                if found.get(block) != new:
                    found[block] = new
                    changed = True
        return found

    def _nearest(self, found: dict[int, int], a: int, b: int) -> int:
        while a != b:
            while self.place[a] > self.place[b]:
                a = found[a]
            while self.place[b] > self.place[a]:
                b = found[b]
        return a

    def _natural_loops(self) -> dict[int, Loop]:
        bodies: dict[int, set[int]] = {}
        for block in self.order:
            for header in self.blocks[block].successors:
                if not self.is_back_edge(block, header):
                    continue
                if not self.dominates(header, block):
                    last = self.steps[self.blocks[block].last - 1]
                    raise DeclinedError(
                        "control flow that no loops make (irreducible): a jump into a loop", last.instruction.start
                    )
                body = bodies.setdefault(header, {header})
                work = [block]
                while work:
                    inner = work.pop()
                    if inner not in body:
                        body.add(inner)
                        work += [p for p in self.predecessors[inner] if p in self.place]
        return {header: Loop(header, frozenset(body)) for header, body in bodies.items()}


def _blocks(steps: Steps) -> list[BasicBlock]:
    count = len(steps.steps)
    scopes = {scope for step in steps.steps for scope in step.scope.around()}
    starts = {0, *(place for scope in scopes for place in scope.labels.values() if place < count)}
    for step in steps.steps:
        if _ends_block(step) and step.number + 1 < count:
            starts.add(step.number + 1)
    ordered = sorted(starts) if count else []
    number_at = {start: number for number, start in enumerate(ordered)}
    blocks = [
        BasicBlock(number, start, end)
        for number, (start, end) in enumerate(zip(ordered, [*ordered[1:], count], strict=True))
    ]
    for block in blocks:
        last = steps.steps[block.last - 1]
        effect = _effect(last)
        if effect is Effect.BRANCH:
            places = [_place(last, name) for name in _targets(last)]
            block.taken = tuple(number_at[place] for place in places if place < count)
        goes_on = effect not in (Effect.BRANCH, Effect.END) or last.instruction.guard is not None
        if goes_on and block.last < count:
            block.following = number_at[block.last]
    return blocks


def _effect(step: Step) -> Effect:
    known = OPCODES.get(step.instruction.name)
    return known.effect if known else Effect.NONE


def _ends_block(step: Step) -> bool:
    return _effect(step) in (Effect.BRANCH, Effect.END)


def _targets(step: Step) -> tuple[str, ...]:
    """Labels that a branch may go to: `bra L`, or `brx.idx %r, table`."""
    operands = step.instruction.operands
    last = operands[-1] if operands else None
    if not isinstance(last, Name):
        raise DeclinedError("a branch without a label", step.instruction.start)
    if step.instruction.name == "bra":
        return (last.text,)
    targets = step.scope.targets_of(last.text)
    if targets is None:
        raise DeclinedError(f"a branch through {last}, whose targets are not listed", step.instruction.start)
    return targets


def _place(step: Step, name: str) -> int:
    place = step.scope.label(name)
    if place is None:
        raise DeclinedError(f"a branch to {name}, which is no label of this function", step.instruction.start)
    return place
