# SPDX-License-Identifier: Apache-2.0
"""Values that live from one region to another, and how each gets there (pocl-2014, section 4.7).

A value of the kernel that a region uses, but does not define before the use on every path through it, is live-in. It
comes in one of these ways:

    rematerialised  it is cheap to compute from what is at hand (ids, arguments, uniform values), so it is not saved
    uniform         one slot per group, loaded before the work-items run; LLVM turns these slots into registers
    varying         one element per work-item in an array, loaded when the work-item starts the region
    late            one element per work-item, loaded at each use, since the region may define the value between its
                    start and the use. (Uniform values of this kind are saved as varying ones.)

Wherever a saved value is defined, it is stored to its slot. A phi at the start of a region gets its value through a
slot of its own, its entrance, which is written when the region before it ends. If that were the slot of the value, the
store for the next iteration would destroy what code after the loop still needs.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, final

from lanewise.analysis.dataflow import solve
from lanewise.analysis.uniformity import Uniformity
from lanewise.ir import effects
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value
from lanewise.workgroup.regions.regions import Region, RegionGraph

MAX_REMATERIALISED: Final = 8
"""Most instructions for rematerialising a value, in place of a load and a store."""
_IDS: Final = frozenset(f"llvm.nvvm.read.ptx.sreg.tid.{axis}" for axis in "xyz")
"""The ids of a work-item, which every region has at hand."""


class LiveIns(NamedTuple):
    """The live-ins of one region: values that are loaded at its start, in order of first use, and those loaded late."""

    early: tuple[Instruction, ...]
    late: frozenset[Instruction]


@final
class LiveValues:
    """`slots`: values that are saved. `entrances`: phis at starts. Each is saved once per group, or once per work-item
    in an array."""

    def __init__(self, graph: RegionGraph, facts: Uniformity) -> None:
        self._facts: Final = facts
        self._costs: Final[dict[Value, int]] = {}
        self.live_ins: Final[dict[Region, LiveIns]] = {}
        slots: dict[Instruction, None] = {}
        forced: set[Instruction] = set()
        for region in graph:
            live = _live_ins(region, self)
            self.live_ins[region] = live
            slots.update(dict.fromkeys(v for v in live.early if not self.is_rematerialised(v)))
            slots.update(dict.fromkeys(v for v in live.late if v.op != "alloca"))
            forced |= live.late
        self.slots: Final = frozenset(slots)
        starts = [region.start for region in graph]
        self.entrances: Final = tuple(phi for start in starts for phi in start.phis)
        self.forced: Final = frozenset(forced)
        """Values that some region loads late: saved per work-item even if uniform."""

    def in_array(self, value: Instruction) -> bool:
        """Return whether `value` is saved in an array, with one element per work-item."""
        return value in self.forced or not self._facts.is_uniform(value)

    def entrance_in_array(self, phi: Instruction) -> bool:
        return not self._facts.is_uniform(phi)

    def is_rematerialised(self, value: Instruction) -> bool:
        """Return whether a varying value is rematerialised in each region that needs it. So are addresses of private
        memory, which cost nothing."""
        if value.op == "alloca":
            return True
        return not self._facts.is_uniform(value) and self._cost(value) <= MAX_REMATERIALISED

    def _cost(self, value: Value) -> int:
        """Number of instructions that compute `value` from ids, arguments and uniform values; over MAX_REMATERIALISED
        for never."""
        if not isinstance(value, Instruction) or self._facts.is_uniform(value) or value.op == "alloca":
            return 0
        if value.op == "call" and value.callee in _IDS:
            return 0
        known = self._costs.get(value)
        if known is None:
            self._costs[value] = MAX_REMATERIALISED + 1  # while at it: a cycle can't be computed again
            known = MAX_REMATERIALISED + 1
            if effects.is_pure(value) and value.op not in ("phi", "freeze"):
                known = 1 + sum(self._cost(operand) for operand in value.operands)
            self._costs[value] = known
        return known

    def roots(self, value: Instruction) -> list[Instruction]:
        """The saved values that rematerialising `value` starts from."""
        found: list[Instruction] = []
        for operand in value.operands:
            if isinstance(operand, Instruction):
                found += [operand] if self._facts.is_uniform(operand) else self.roots(operand)
        return found


def _live_ins(region: Region, live_values: LiveValues) -> LiveIns:
    """The values that a region uses before it has made them on every path.

    A value comes late if the region may make it and still uses it before making it on some path after that: it is live
    where it is made.
    """
    uses = list(_uses_before_made(region))
    used: dict[Block, set[Instruction]] = {}
    for value, block in uses:
        used.setdefault(block, set()).add(value)

    def live_before(block: Block, live_after: frozenset[Instruction]) -> frozenset[Instruction]:
        return live_after.difference(block.instructions).union(used.get(block, ()))

    live = solve(tuple(reversed(region.blocks)), region.inside.__getitem__, live_before)
    late = frozenset(
        value
        for value, _ in uses
        if value.op != "alloca"
        and value.parent in region.inside
        and any(value in live[block] for block in region.inside[value.parent])
    )
    early: dict[Instruction, None] = {}
    for value, _ in uses:
        if value not in late and value not in early:
            early[value] = None
            if live_values.is_rematerialised(value):
                early.update(dict.fromkeys(live_values.roots(value)))
    return LiveIns(tuple(early), late)


def _uses_before_made(region: Region) -> Iterator[tuple[Instruction, Block]]:
    """Uses of values that the region has not made on every path to the use, with the blocks that use them."""
    for value, block in _uses(region):
        if isinstance(value, Instruction) and not region.makes_before(value, block):
            yield value, block


def _uses(region: Region) -> Iterator[tuple[Value, Block]]:
    """The operands of a region's instructions. A phi uses a value at the end of the block that it comes from."""
    for block in region.blocks:
        for instruction in block.instructions:
            if instruction.op != "phi":
                yield from ((operand, block) for operand in instruction.operands)
            elif block is not region.start:
                for value, before in instruction.incoming():
                    if block in region.inside.get(before, ()):
                        yield value, before
    for (source, successor), destination in region.leaving.items():
        for phi, value in destination.entering(source):
            if successor in (None, phi.parent):
                yield value, source
