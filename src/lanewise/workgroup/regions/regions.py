# SPDX-License-Identifier: Apache-2.0
"""Regions: the code between cuts, which the work-items of a group may run in any order (pocl-2014, section 4.3).

A region begins at a start and ends at the next barriers, group branches, starts, or the end of the kernel. It has
its own copy of the blocks that it reaches, so a block that several starts reach is in several regions. Nothing is
duplicated beyond that (Algorithm 2 of the paper can be exponential). The work-group function goes from region to
region.

The destinations of a region:
    the end              the work-item has returned; if others go on, it leaves the live set
    a start              after a barrier, or the start of another region
    a group branch       the block whose uniform branch the group takes, after the region
Most regions have one destination. If there are several, each work-item notes which one it came to; the live ones must
agree.

A work-item that takes an exit edge (see `analysis/uniformity.py`) of a divergent branch meets no barrier any more. It
runs on to the end within the region, past any starts, while the others go on to theirs.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, final

from lanewise.analysis.uniformity import ExitEdges
from lanewise.ir import types as ty
from lanewise.ir.dominators import DominatorTree
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value
from lanewise.workgroup.regions.barriers import barrier_of
from lanewise.workgroup.regions.cuts import Cuts

EXIT: Final = "llvm.nvvm.exit"
"""The intrinsic that ends a work-item as `ret` does, from any depth of calls; `unreachable` follows it."""


class Destination(NamedTuple):
    """The place of a work-item that is done with a region: a start, a branch, or (neither is given) the end.

    `start`    the start it goes on from; `branch` the block at whose group branch it waits
    `barrier`  the barrier passed on the way to `start`, if any
    """

    start: Block | None = None
    branch: Block | None = None
    barrier: Instruction | None = None

    @property
    def is_end(self) -> bool:
        return self.start is None and self.branch is None

    def targets(self) -> list[Block]:
        """Starts that the group may go on from."""
        if self.branch is not None:
            return list(dict.fromkeys(self.branch.successors))
        return [] if self.start is None else [self.start]

    def entering(self, source: Block) -> Iterator[tuple[Instruction, Value]]:
        """The phis of the targets, with the value that each gets from `source`, the block that work-items come from."""
        for target in self.targets():
            for phi in target.phis:
                yield phi, incoming_from(phi, source)

    def __str__(self) -> str:
        if self.branch is not None:
            return f"branch of {self.branch.name}"
        if self.start is None:
            return "the end"
        return f"{self.start.name}{' after a barrier' if self.barrier else ''}"


END: Final = Destination()


def incoming_from(phi: Instruction, block: Block) -> Value:
    return next(value for value, before in phi.incoming() if before is block)


@final
class Region:
    """`blocks`: in reverse postorder from `start`. `inside`: block -> its successors within the region. `leaving`:
    (block, successor) edges, and (block, None) for a block that ends the region as a whole -> their destination."""

    def __init__(self, index: int, start: Block, cuts: Cuts, exits: ExitEdges) -> None:
        self.index: Final = index
        self.start: Final = start
        self.leaving: Final[dict[tuple[Block, Block | None], Destination]] = {}
        self.inside: Final[dict[Block, list[Block]]] = {}
        self._walk(cuts, exits)
        self.blocks: Final = self._order()
        self._predecessors: Final[dict[Block, list[Block]]] = {block: [] for block in self.blocks}
        for block in self.blocks:
            for successor in self.inside[block]:
                self._predecessors[successor].append(block)
        self._tree: Final = DominatorTree(start, dict(self.inside.items()))
        self.destinations: Final = tuple(dict.fromkeys(self.leaving.values()))

    def __str__(self) -> str:
        blocks = " ".join(str(b.name) for b in self.blocks)
        return f"region {self.index}: {blocks} -> {', '.join(map(str, self.destinations))}"

    def _walk(self, cuts: Cuts, exits: ExitEdges) -> None:
        alone: set[Block] = set()
        while True:  # repeated with the blocks that are found to be passed by work-items that exit
            found = self._walk_once(cuts, exits, alone)
            if found <= alone:
                return
            alone |= found

    def _walk_once(self, cuts: Cuts, exits: ExitEdges, alone: set[Block]) -> set[Block]:
        """Fill `inside` and `leaving`. `alone`: blocks from which work-items run to the end, past any cuts. Gives
        the blocks that exit edges and other blocks of `alone` lead to."""
        self.inside.clear()
        self.leaving.clear()
        found: set[Block] = set()
        work = [self.start]
        while work:
            block = work.pop()
            if block in self.inside:
                continue
            inside = self.inside[block] = self._successors_inside(block, cuts, exits, alone)
            out = block.successors if block in alone else exits.leaving(block)
            found.update(s for s in inside if s in out)
            work.extend(inside)
        return found

    def _successors_inside(self, block: Block, cuts: Cuts, exits: ExitEdges, alone: set[Block]) -> list[Block]:
        """Note the edges from `block` that leave the region. Returns its successors within."""
        barrier = barrier_of(block)
        if ends_work_item(block):
            self.leaving[block, None] = END
        elif block in alone:
            return list(dict.fromkeys(block.successors))
        elif block in cuts.group_branches:
            self.leaving[block, None] = Destination(branch=block)
        elif barrier is not None:
            self.leaving[block, None] = Destination(start=block.successors[0], barrier=barrier)
        elif block.terminator.op != "unreachable":
            inside = list(exits.leaving(block))
            for successor in exits.staying(block):
                if successor in cuts.starts:
                    self.leaving[block, successor] = Destination(start=successor)
                else:
                    inside.append(successor)
            return inside
        return []

    def _order(self) -> tuple[Block, ...]:
        order: list[Block] = []
        seen = {self.start}
        stack = [(self.start, iter(self.inside[self.start]))]
        while stack:
            block, rest = stack[-1]
            for successor in rest:
                if successor not in seen:
                    seen.add(successor)
                    stack.append((successor, iter(self.inside[successor])))
                    break
            else:
                order.append(block)
                stack.pop()
        return tuple(reversed(order))

    def makes_before(self, value: Instruction, block: Block) -> bool:
        """Return whether the region itself defines `value` on every path from its start to `block`. (Within one block,
        a definition comes before its uses, so `block` may be that of the value.)"""
        home = value.parent
        return home in self.inside and self._tree.dominates(home, block)

    def repeats(self, block: Block) -> bool:
        """A path within the region leads from `block` back to it."""
        seen: set[Block] = set()
        work = list(self.inside[block])
        while work:
            following = work.pop()
            if following is block:
                return True
            if following not in seen:
                seen.add(following)
                work.extend(self.inside[following])
        return False

    def predecessors(self, block: Block) -> list[Block]:
        """Blocks of the region from which control comes to `block` without leaving the region."""
        return self._predecessors[block]


@final
class RegionGraph:
    """The regions of a kernel, the first one first, with those that may run with dead work-items."""

    def __init__(self, kernel: Function, cuts: Cuts, exits: ExitEdges) -> None:
        self.kernel: Final = kernel
        self.cuts: Final = cuts
        self.regions: Final[dict[Block, Region]] = {}
        work = [kernel.entry]
        while work:
            start = work.pop(0)
            if start not in self.regions:
                region = Region(len(self.regions), start, cuts, exits)
                self.regions[start] = region
                work.extend(target for d in region.destinations for target in d.targets())
        self._partial: Final = self._regions_with_dead()
        self._barriers: Final = self._barriers_with_results()

    def __str__(self) -> str:
        return "\n".join(str(region) + (", partial" if self.may_have_dead(region) else "") for region in self)

    def __iter__(self) -> Iterator[Region]:
        return iter(self.regions.values())

    def may_have_dead(self, region: Region) -> bool:
        """Return whether some work-items may have returned before the region starts."""
        return region in self._partial

    def loses_items(self, region: Region) -> bool:
        """Some work-items may return in the region while others go on."""
        return END in region.destinations and len(region.destinations) > 1

    def barrier_before(self, region: Region) -> Instruction | None:
        """The barrier with a result that `region` starts after."""
        return self._barriers.get(region.start)

    def tracks_live(self) -> bool:
        return any(self.loses_items(region) for region in self)

    def _barriers_with_results(self) -> dict[Block, Instruction]:
        """Start of a region -> the barrier with a result before it."""
        found: dict[Block, Instruction] = {}
        for region in self:
            for destination in region.destinations:
                barrier = destination.barrier
                if destination.start is not None and barrier is not None and barrier.type is not ty.VOID:
                    found.setdefault(destination.start, barrier)
        return found

    def _regions_with_dead(self) -> set[Region]:
        work = [r for r in self if self.loses_items(r)]
        found: set[Region] = set()
        while work:
            region = work.pop()
            for target in (t for d in region.destinations for t in d.targets()):
                following = self.regions[target]
                if following not in found:
                    found.add(following)
                    work.append(following)
        return found


def ends_work_item(block: Block) -> bool:
    """Return whether a work-item at the end of the block has returned. (One that traps never comes there.)"""
    return block.terminator.op == "ret" or any(i.callee == EXIT for i in block.instructions)
