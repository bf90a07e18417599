# SPDX-License-Identifier: Apache-2.0
"""The mapping of regions to lanes: which widths and how many chunks, for one kernel and local size."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final, final

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.flow import Flow
from lanewise.ir.builder import Builder
from lanewise.workgroup.lanes.budget import Budget, TooLarge, cheaper
from lanewise.workgroup.lanes.choice import (
    chosen_axis,
    chosen_chunks,
    is_better_as_loop,
    pressure_of,
    updates_rows,
    work_of,
)
from lanewise.workgroup.lanes.costs import costs_of
from lanewise.workgroup.lanes.plan import Plan, fill_lines, make_plan, make_plan_of_warps
from lanewise.workgroup.lanes.refusal import cannot
from lanewise.workgroup.lanes.spinning import spins
from lanewise.workgroup.lanes.units import Target, Units
from lanewise.workgroup.lanes.walks import ELEMENTS, unroll_walks
from lanewise.workgroup.local_size import Extent
from lanewise.workgroup.loop_nest import LoopNest
from lanewise.workgroup.mapping import Mapping
from lanewise.workgroup.processor import Processor

if TYPE_CHECKING:
    from lanewise.workgroup.group import Group

TRIAL_CHUNKS: Final = 4
"""With which the axis is chosen."""


@final
class LaneMapping:
    """Maps the regions of one kernel."""

    def __init__(
        self, block: Extent | None, mapping: Mapping, warps: bool, required: bool, processor: Processor, size: int
    ) -> None:
        self.warps: Final = warps
        """Units are warps."""
        self.required: Final = required
        """There are operations of the warp, which no loop does."""
        self._block: Final = block
        self._width: Final = mapping.width or processor.lanes
        self._processor: Final = processor
        self._chunks: Final = mapping.chunks
        self._forced: Final = mapping.kind == "lanes"
        self.budget: Final = Budget(None if self._forced or required else size)

    def takes(self, in_step: bool) -> bool:
        """True if a region, whose warps are to be in step or not, is to become lanes."""
        return self._block is not None or self.warps or in_step

    def map(self, nest: LoopNest, before: Builder, group: Group, in_step: bool = False) -> tuple[Builder, list[str]]:
        """Put the code of a region's work-items into the function, entered from `before`; gives where control is behind
        it, what was done, and what that costs. `in_step`: each warp makes one access after the other. CannotMap leaves
        code that does the same as before."""
        if self._block is not None and prod(self._block) == 1 and not self.warps:
            cannot("groups of one work-item")
        flow = Flow(nest.first, nest.last, lambda block: dict.fromkeys(block.successors) or [nest.last])
        if not self.warps and spins(flow):
            cannot("a loop that waits for an atomic or volatile read")
        lowering = group.lowering
        external = lowering.symbols.external
        budget = Budget(None) if in_step else self.budget  # warps in step can't become loops
        target = Target(
            group.function, lowering.frame, external, group.module.types, group.streams, budget,
            self._processor.truncating_stores,
        )  # fmt: skip
        plan, reasons = self._plan(nest, target, in_step)
        units = Units(nest, target, plan, self.warps, in_step)
        analysed = units.divergence(plan.extent, {}, None)
        costs = costs_of(analysed, group.module, lowering.frame.arena)
        if unroll_walks(nest, analysed):
            reasons.append(f"loops along rows by {ELEMENTS} elements")
        if group.shapes is not None:
            group.shapes.append(units.divergence(plan.extent, {}, None).table())
        done, remark = self._emitted(nest, target, plan, reasons, before, in_step)
        return done, [remark, *costs]

    def _emitted(
        self, nest: LoopNest, target: Target, planned: Plan, reasons: list[str], before: Builder, in_step: bool
    ) -> tuple[Builder, str]:
        """The first of the plans whose code is not too large. TooLarge where there is none."""
        refusal: TooLarge | None = None
        for plan, twice in cheaper(planned, self.warps or in_step):
            try:
                done = Units(nest, target, plan, self.warps, in_step, twice).emit(before)
            except TooLarge as reason:
                refusal = reason
                continue
            if refusal is not None:
                reasons.append(f"{'one chunk' if twice else 'one version'}, because of {refusal}")
            return done, "; ".join([str(plan), *reasons])
        assert refusal is not None
        raise refusal

    def _plan(self, nest: LoopNest, target: Target, in_step: bool) -> tuple[Plan, list[str]]:
        """The plan of a region, and why it is not the usual one."""

        def plan_for(width: int, chunks: int, axis: str) -> Plan:
            if in_step:
                return make_plan_of_warps(self._block, width, chunks)
            return make_plan(self._block, width, chunks, self.warps, axis)

        def analysed(plan: Plan) -> Divergence:
            return Units(nest, target, plan, self.warps, in_step).divergence(plan.extent, {}, None)

        width, chunks, updates = self._width, self._chunks, False
        reasons: list[str] = []
        if self.warps:
            return plan_for(width, 1, "x"), ["a warp at a time"]
        work = work_of(analysed(plan_for(width, 1, "x")))
        if not self._forced and not in_step and is_better_as_loop(work):
            cannot("loops that hardly do anything but gather")
        if not self._forced and work.walks_along_rows and width > self._processor.rows:
            width = self._processor.rows
            reasons.append("narrow, since each lane walks along memory of its own")
        along_x, along_y = (plan_for(width, chunks or TRIAL_CHUNKS, axis) for axis in "xy")
        axis = "x" if along_x == along_y else chosen_axis(analysed, along_x, along_y)
        if chunks is None:
            trial = analysed(along_x if axis == "x" else along_y)
            pressure = pressure_of(trial)
            size = sum(len(block.instructions) for block in nest.item_blocks())
            updates = updates_rows(trial)
            chunks = chosen_chunks(work, pressure, size, min(64, max(16, 4 * width)), updates)
            if work.waits_for_memory:
                reasons.append("one chunk, since its loops gather")
            elif axis == "y" and along_x.extent.chunks == along_y.extent.chunks:
                reasons.append("chunks along y share loads")
        plan = plan_for(width, chunks, axis)
        return (plan if self._forced or in_step else fill_lines(plan, self._block, updates)), reasons


def lane_mapping(
    mapping: Mapping,
    block: Extent | None,
    warps: bool,
    required: bool,
    processor: Processor,
    in_step: bool,
    size: int,
) -> LaneMapping | None:
    """The mapping to lanes; None where loops are wanted. `in_step`: some regions are not to be loops even if
    the local size isn't known.
    `size`: instructions of the kernel."""
    if mapping.kind == "loop" or (block is None and not (warps or in_step)):
        return None
    return LaneMapping(block, mapping, warps, required, processor, size)
