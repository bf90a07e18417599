# SPDX-License-Identifier: Apache-2.0
"""The mask of each block of lane code, and the values of its phis.

At joins, both are in memory (`Slot`), as are values that leave divergent loops. Each edge adds the work-items that take
it, or stores their values; a block loads them at its start. LLVM makes phis of that. A mask needs no slot if it is that
of one edge, or of the block that all its work-items have come from. (LLVM's VPlan has the terms block mask and edge
mask.)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from lanewise.analysis.flow import Flow, FlowLoop
from lanewise.analysis.influence import exits_meet
from lanewise.analysis.shapes import Shape, combined, normal
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.workgroup.lanes.analysis.order import Level
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask, Slot
from lanewise.workgroup.lanes.values.lane_values import LaneValue, ones, zeros


@final
class BlockMasks:
    """The masks and phis of all blocks; `entry_mask` is the mask of the first."""

    def __init__(self, code: LaneCode, entry_mask: Mask) -> None:
        self.code: Final = code
        self.flow: Final[Flow] = code.divergence.flow
        self._divergence: Final = code.divergence
        self.of_block: Final[dict[Block, Mask]] = {self.flow.entry: entry_mask}
        self.of_edge: Final[dict[tuple[Block, Block], Mask]] = {}
        conditions = self._divergence.conditions()
        if entry_mask is not None:
            conditions.append(entry_mask.shape)
        self._mask_shape: Final[Shape] = normal(combined(conditions), code.extent)
        self._mask_slots: Final[dict[Block, Slot]] = {}
        self._phi_slots: Final[dict[Instruction, Slot]] = {}
        self.together: FlowLoop | None = None
        """The loop that is being emitted for all work-items, without masks."""
        self._leaving: Final = self._values_that_leave()
        self._after_exits: Final = frozenset[Block]().union(
            *(exits_meet(self.flow, loop) for loop in self._divergence.divergent_loops)
        )

    def enter(self, block: Block) -> None:
        """Load the mask and the phis at the start of a block."""
        if block not in self.of_block:
            self.of_block[block] = self.mask_at(block)
        elif self.is_divergent_header(block) and self.together is None:
            slot = self.mask_slot(block)
            self.of_block[block] = slot.load(self.code)
            slot.fill(lambda part: zeros(part), self.code)
        for phi in block.phis:
            if phi not in self._divergence.given:
                self.code.known[phi] = self.phi_slot(phi).load(self.code)

    def reset(self, level: Level) -> None:
        """Clear the masks and phis of a level, to whose blocks no work-item has come yet. Values that have left an
        inner loop are kept if the level is that of a divergent loop, which some work-items may have left with them."""
        around = self.flow.loops_around(level.root) if level.loop else []
        keep = any(loop in self._divergence.divergent_loops for loop in around)
        for node in level.nodes:
            inner = None if keep else level.inner(node)
            for value in self._leaving.get(inner, ()) if inner else ():
                self._left_slot(value).forget(self.code)
            if node is level.root:
                continue
            if self.has_mask_slot(node):
                self.mask_slot(node).fill(lambda part: zeros(part), self.code)
            for phi in node.phis:
                if self._is_blended(node):
                    self.phi_slot(phi).forget(self.code)

    def mask_at(self, block: Block) -> Mask:
        if block not in self._divergence.masked:
            return None
        same = self.same_mask(block)
        if same is not None:
            return self.of_block[same]
        if self.has_mask_slot(block):
            return self.mask_slot(block).load(self.code)
        (before,) = self.entering(block)
        return self.of_edge[before, block]

    def mask_before(self, node: Block) -> Mask:
        """The mask of a node that comes next, before it is entered."""
        if self.has_mask_slot(node):
            return self.mask_slot(node).load(self.code)
        before = self.entering(node)
        return self.of_edge.get((before[0], node))

    def same_mask(self, block: Block) -> Block | None:
        """The block that dominates this one, if all its work-items go on to this one."""
        above = self.flow.tree.immediate(block)
        if above is None or self.flow.post.immediate(above) is not block or self.is_divergent_header(block):
            return None
        if self.flow.loop_of(above) is not self.flow.loop_of(block):
            return None
        header = self.flow.loop_of(above)
        if header is not None and header.header in self.flow.between(above):
            return None
        return above

    def has_mask_slot(self, block: Block) -> bool:
        if block not in self._divergence.masked or block is self.flow.end:
            return False
        if self.is_divergent_header(block):
            return True
        if self.same_mask(block) is not None:
            return False
        before = self.entering(block)
        return len(before) > 1 or bool(self._divergence.leaves(before[0], block))

    def mask_slot(self, block: Block) -> Slot:
        known = self._mask_slots.get(block)
        if known is None:
            known = self._mask_slots[block] = Slot(self.code, ty.I1, self._mask_shape, f"{block.name}.mask")
        return known

    def entering(self, block: Block) -> list[Block]:
        """Predecessors, but not the latches of a loop that starts here."""
        return [b for b in self.flow.predecessors[block] if not self.flow.is_back_edge(b, block)]

    def latches(self, header: Block) -> list[Block]:
        return [b for b in self.flow.predecessors[header] if self.flow.is_back_edge(b, header)]

    def is_divergent_header(self, block: Block) -> bool:
        loop = self.flow.loop_of(block)
        return loop is not None and loop.header is block and loop in self._divergence.divergent_loops

    def phi_slot(self, phi: Instruction) -> Slot:
        known = self._phi_slots.get(phi)
        if known is None:
            shape = self._divergence.at_definition(phi)
            known = self._phi_slots[phi] = Slot(self.code, phi.type, shape, phi.name or "phi")
        return known

    def _is_blended(self, block: Block) -> bool:
        """Return whether the phis of a block get the values of several paths, one after the other."""
        if block in self._divergence.joins or block in self._after_exits:
            return True
        return any(self._divergence.leaves(before, block) for before in self.entering(block))

    def blends_at_exit(self, loop: FlowLoop, source: Block) -> bool:
        """Return whether values leave a divergent loop with the work-items that leave it from a block."""
        values = self._leaving.get(loop, ())
        targets = [s for s in self.flow.successors[source] if s not in loop.blocks and s is not self.flow.end]
        return any(self.flow.tree.dominates(value.parent, source) for value in values) or any(t.phis for t in targets)

    def take_edge(self, source: Block, target: Block, mask: Mask) -> None:
        """Do what an edge does for the work-items in `mask`, which take it: masks and phis of its target."""
        code = self.code
        self.of_edge[source, target] = mask
        for loop in self._divergence.leaves(source, target):
            for value in self._leaving.get(loop, ()):
                if self.flow.tree.dominates(value.parent, source):
                    self._blend(self._left_slot(value), code.known[value], mask)
        if target is self.flow.end:
            return
        back = self.flow.is_back_edge(source, target)
        blended = self._is_blended(target) and (not back or len(self.latches(target)) > 1)
        if back and any(self._divergence.leaves(latch, target) for latch in self.latches(target)):
            blended = True  # lanes go on to the header one after the other: a `continue` out of an inner loop
        stored: list[tuple[Slot, LaneValue]] = []
        for phi in target.phis:
            if phi in self._divergence.given:
                continue
            value = next(v for v, before in phi.incoming() if before is source)
            stored.append((self.phi_slot(phi), code.use(value, source)))
        for slot, lane_value in stored:
            if blended:
                self._blend(slot, lane_value, mask)
            else:
                slot.store(lane_value, code)
        if self.has_mask_slot(target) and self.together is None:
            slot = self.mask_slot(target)
            if mask is None:
                slot.fill(lambda part: ones(part), code)
            else:
                slot.store(code.either(slot.load(code), mask), code)

    def _blend(self, slot: Slot, lane_value: LaneValue, mask: Mask) -> None:
        if mask is None:
            slot.store(lane_value, self.code)
        else:
            slot.blend(lane_value, mask, self.code)

    def _values_that_leave(self) -> dict[FlowLoop, list[Instruction]]:
        """Divergent loop -> values that it defines, as the innermost divergent loop around them, and that code after it
        uses."""
        found: dict[FlowLoop, list[Instruction]] = {}
        if not self._divergence.divergent_loops:
            return found
        for block in self.flow.order:
            if block is self.flow.end:
                continue
            around = self.flow.loops_around(block)
            loop = next((one for one in around if one in self._divergence.divergent_loops), None)
            if loop is None:
                continue
            for value in block.instructions:
                if value not in self._divergence.given and any(
                    use not in loop.blocks for use in self._uses(value) if use in self.flow.predecessors
                ):
                    found.setdefault(loop, []).append(value)
        return found

    def _uses(self, value: Instruction) -> Iterable[Block]:
        for user in value.users:
            if user.block is None:
                continue
            if user.op == "phi":
                yield from (before for incoming, before in user.incoming() if incoming is value)
            else:
                yield user.block

    def _left_slot(self, value: Instruction) -> Slot:
        known = self.code.left.get(value)
        if known is None:
            shape = self._divergence.behind_loops(value)
            known = self.code.left[value] = Slot(self.code, value.type, shape, f"{value.name or 'value'}.left")
        return known
