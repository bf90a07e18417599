# SPDX-License-Identifier: Apache-2.0
"""The mapping of regions to lanes: which widths and how many chunks, for one kernel and local size."""

from math import prod
from typing import Final, NamedTuple, final

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.spinning import spins
from lanewise.ir.builder import Builder
from lanewise.workgroup.items.item_code import ItemCode
from lanewise.workgroup.items.leading_items import leading_items
from lanewise.workgroup.items.refusal import cannot
from lanewise.workgroup.lanes.analysis.budget import Budget, TooLarge, cheaper
from lanewise.workgroup.lanes.analysis.cost_model import (
    STRAIGHT_CHUNKS,
    LoopWork,
    branches_on_place,
    chosen_axis,
    chosen_chunks,
    is_better_as_loop,
    leading_gather,
    most_rows,
    pressure_of,
    updates_rows,
    work_of,
)
from lanewise.workgroup.lanes.analysis.ids import RegionAnalyses
from lanewise.workgroup.lanes.analysis.mapping_costs import (
    NO_COST,
    Prediction,
    has_own_exits,
    predicted,
    takes_vectors_apart,
)
from lanewise.workgroup.lanes.analysis.plan import Plan, fill_lines, make_plan, make_plan_of_warps, share_masks
from lanewise.workgroup.lanes.analysis.remarks import costs_of
from lanewise.workgroup.lanes.analysis.row_loops import ELEMENTS, unroll_row_loops
from lanewise.workgroup.lanes.control.units import LaneTarget, Units
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.mapping import LANES, LOOP, Mapping
from lanewise.workgroup.processor import Processor

TRIAL_CHUNKS: Final = 4
"""Chunks of the plans by which the axis is chosen."""


class LaneOptions(NamedTuple):
    """The launches and the processor that lanes are made for, and the mapping that was asked for."""

    mapping: Mapping
    block: Extent | None
    processor: Processor
    explain: bool
    """Keep tables of shapes."""


@final
class LaneMapper:
    """The mapping of one kernel's regions to lanes. `warps`: units are warps of that size, if it isn't 0. `required`:
    see `RegionMapper`."""

    def __init__(self, target: LaneTarget, options: LaneOptions, warps: int, required: bool) -> None:
        mapping, self._block, self._processor, self._explain = options
        self.warps: Final = warps
        self.required: Final = required
        self.shapes: Final[list[str]] = []
        """The table of shapes of each region in lanes, if they are kept."""
        self._refusals = 0
        """Regions that could become lanes, but are predicted to be slower."""
        self._refused_cost: Prediction = NO_COST
        self._mapped = 0
        """Regions that have become lanes."""
        self._mapped_cost: Prediction = NO_COST
        """The cost of these where the mapping leaves a choice."""
        self._against_model: Final = mapping.against_model
        self._target: Final = target
        self._budget_in_step: Final = Budget(target.budget.size)
        """Apart from that of the other regions, which have another choice."""
        self._width: Final = mapping.width or self._processor.lanes
        self._chunks: Final = mapping.chunks
        self._forced: Final = mapping.kind == "lanes"

    @property
    def other_mapping(self) -> str:
        """The mapping that was not chosen, "loop" or "lanes"; empty if there was no choice. Where some regions have
        become lanes and others haven't, it maps those anew that the model is unsure of, or if that decides nothing,
        those that are predicted to take longer."""
        if not self._mapped or not self._refusals:
            return LOOP if self._mapped else LANES if self._refusals else ""
        if self._is_unsure_of_mapped != self._is_unsure_of_refused:
            return LOOP if self._is_unsure_of_mapped else LANES
        return LOOP if self._mapped_cost.lanes > self._refused_cost.loop else LANES

    @property
    def is_unsure(self) -> bool:
        """True if the model of costs can't tell whether regions are faster by the other mapping, or has been
        overruled."""
        return self._is_unsure_of_mapped or self._is_unsure_of_refused

    @property
    def _is_unsure_of_mapped(self) -> bool:
        return self._mapped > 0 and (self._mapped_cost.is_unsure or self._mapped_cost.prefers_loop)

    @property
    def _is_unsure_of_refused(self) -> bool:
        return self._refusals > 0 and (self._refused_cost.is_unsure or not self._refused_cost.prefers_loop)

    @property
    def declined_all(self) -> bool:
        """True if no region has become lanes, and some could have."""
        return not self._mapped and self._refusals > 0

    def takes(self, in_step: bool) -> bool:
        """Return whether a region is to become lanes. `in_step`: its warps are to run in step."""
        return self._block is not None or self.warps > 0 or in_step

    def map(self, item: ItemCode, before: Builder, in_step: bool) -> tuple[Builder, list[str]]:
        """See `RegionMapper`."""
        if self._block is not None and prod(self._block) == 1 and not self.warps:
            cannot("groups of one work-item")
        analyses = RegionAnalyses(item, self._target.module.types)
        if not self.warps and spins(analyses.flow()):
            cannot("a loop that waits for an atomic or volatile read")
        target = self._target._replace(budget=self._budget_in_step) if in_step else self._target
        plan, prediction, reasons = self._plan(item, analyses, in_step)
        analysed = analyses.under(plan)
        costs = costs_of(analysed, target.module, target.frame.arena)
        if unroll_row_loops(item, analysed):
            reasons.append(f"loops along rows by {ELEMENTS} elements")
            analyses.forget()
        if self._explain:
            self.shapes.append(analyses.under(plan).table())
        done, remark = self._emitted(item, analyses, target, plan, reasons, before, in_step)
        self._mapped += 1
        self._mapped_cost = self._mapped_cost.plus(prediction or NO_COST)
        return done, [remark, *costs]

    def _emitted(
        self, item: ItemCode, analyses: RegionAnalyses, target: LaneTarget, planned: Plan, reasons: list[str],
        before: Builder, in_step: bool,
    ) -> tuple[Builder, str]:  # fmt: skip
        """Emit the first of the plans whose code is not too large. TooLarge if there is none. Lock-step is
        lost in a loop: where warps have it, they get the last plan, however large its code is."""
        refusal: TooLarge | None = None
        lock_step = self.warps > 0 or in_step
        for plan, twice in cheaper(planned, lock_step):
            if lock_step and not twice:
                target = target._replace(budget=Budget(None))
            try:
                done = Units(item, analyses, target, plan, self.warps, in_step, twice).emit(before)
            except TooLarge as reason:
                refusal = reason
                continue
            if refusal is not None:
                reasons.append(f"{'one chunk' if twice else 'one version'}, because of {refusal}")
            return done, "; ".join([str(plan), *reasons])
        assert refusal is not None
        raise refusal

    def _compare(self, item: ItemCode, code: Divergence, work: LoopWork, prediction: Prediction) -> None:
        """Decline a region that is better as a loop over work-items. `code` is that of one chunk."""
        reason = ""
        if is_better_as_loop(work):
            reason = "loops that hardly do anything but gather"
        elif has_own_exits(code) and prediction.prefers_loop:
            reason = f"loops left at different times, in lanes predicted to take {prediction.ratio:.1f} times as long"
        elif takes_vectors_apart(code) and prediction.prefers_loop:
            reason = f"vectors taken apart, in lanes predicted to take {prediction.ratio:.1f} times as long"
        elif leading_items(item) is not None and leading_gather(code):
            reason = "code of the first work-items that hardly does anything but gather"
        if reason:
            self._refusals += 1
            self._refused_cost = self._refused_cost.plus(prediction)
            cannot(reason)

    def _plan(
        self, item: ItemCode, analyses: RegionAnalyses, in_step: bool
    ) -> tuple[Plan, Prediction | None, list[str]]:
        """The plan of a region, its cost where the mapping leaves a choice, and reasons why it is not the usual one."""

        def plan_for(width: int, chunks: int, axis: str) -> Plan:
            if in_step:
                return make_plan_of_warps(self._block, width, chunks, whole=False)
            if self.warps:
                return make_plan_of_warps(self._block, width, 1, self.warps, whole=self.required)
            return make_plan(self._block, width, chunks, 0, axis)

        width, chunks, updates = self._width, self._chunks, False
        reasons: list[str] = []
        if self.warps:
            return plan_for(width, 1, "x"), None, ["a warp at a time"]
        one_chunk = analyses.under(plan_for(width, 1, "x"))
        work = work_of(one_chunk)
        prediction = None
        if not self._forced and not in_step:
            prediction = predicted(one_chunk, self._processor.lanes)
            if work.waits_for_memory:
                prediction = prediction.with_unknown_waits()
            if not self._against_model:
                self._compare(item, one_chunk, work, prediction)
        if not self._forced and work.goes_along_rows and width > (most := most_rows(work, self._processor.rows)):
            width = most
            reasons.append("narrow, since each lane walks along memory of its own")
        along_x, along_y = (plan_for(width, chunks or TRIAL_CHUNKS, axis) for axis in "xy")
        axis = "x" if along_x == along_y else chosen_axis(analyses.under, along_x, along_y)
        if chunks is None:
            trial = analyses.under(along_x if axis == "x" else along_y)
            pressure = pressure_of(trial)
            size = sum(len(block.instructions) for block in item.blocks())
            updates = updates_rows(trial)
            chunks = chosen_chunks(work, pressure, size, min(64, max(16, 4 * width)), updates)
            if has_own_exits(one_chunk):
                chunks = min(chunks, STRAIGHT_CHUNKS)
            if work.waits_for_memory and not work.chained:
                reasons.append("one chunk, since its loops gather")
            elif axis == "y" and along_x.extent.chunks == along_y.extent.chunks:
                reasons.append("chunks along y share loads")
        if prediction is not None and has_own_exits(one_chunk):
            reasons.append(f"predicted to take {prediction.ratio:.2f} of the time of a loop over work-items")
        plan = plan_for(width, chunks, axis)
        if self._forced or in_step:
            return plan, prediction, reasons
        plan = fill_lines(plan, self._block, updates)
        if not self._processor.masked_stores and branches_on_place(one_chunk, self._target.frame.arena):
            plan = share_masks(plan, self._block)
        return plan, prediction, reasons


def wants_lanes(mapping: Mapping, block: Extent | None, in_step: bool) -> bool:
    """Return whether some regions of a kernel are to become lanes. `in_step`: some warps are to run in step, for which
    there is lane code even if the local size isn't known."""
    return mapping.kind != "loop" and (block is not None or in_step)
