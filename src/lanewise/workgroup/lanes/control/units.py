# SPDX-License-Identifier: Apache-2.0
"""The loops over the units of a group, and the versions of the code of a unit.

    for each unit:
        if all its work-items exist, and (checks) take the same paths:        the fast version, without masks for these
        else, for each chunk:                                                 the version with masks, of one chunk

Only the versions that a kernel and a local size need are made. In kernels with warp operations, both have all chunks.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple, final

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.shapes import EXACT, VARYING, Shape, normal
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, Value, i32
from lanewise.workgroup.items.item_code import ItemCode
from lanewise.workgroup.items.refusal import CannotMap
from lanewise.workgroup.lanes.analysis.budget import Budget
from lanewise.workgroup.lanes.analysis.checks import next_check
from lanewise.workgroup.lanes.analysis.ids import RegionAnalyses
from lanewise.workgroup.lanes.analysis.nontemporal import NontemporalArrays
from lanewise.workgroup.lanes.analysis.plan import WARP, Plan
from lanewise.workgroup.lanes.control.control_flow import Control
from lanewise.workgroup.lanes.control.demote_to_stack import demote_to_stack
from lanewise.workgroup.lanes.memory.pending import PendingAccesses
from lanewise.workgroup.lanes.values.division import divided_place
from lanewise.workgroup.lanes.values.lane_code import External, LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue
from lanewise.workgroup.layout.frame import Frame
from lanewise.workgroup.layout.own_counters import OwnCounters
from lanewise.workgroup.layout.warp_meetings import meet
from lanewise.workgroup.processor import Processor

MAX_CHECKS: Final = 3
"""Most branches that the fast version checks."""

_NO_WRAP: Final = ("nuw", "nsw")


class LaneTarget(NamedTuple):
    """The function that lane code goes into, with the means to make it."""

    function: Function
    frame: Frame
    external: External
    module: Module
    nontemporal: NontemporalArrays | None
    processor: Processor
    budget: Budget
    counters: OwnCounters


class UnitStart(NamedTuple):
    """The first work-item of a unit or chunk: along x, y and z, or (linear) in order, i32."""

    x: Value
    y: Value
    z: Value
    linear: Value | None = None


@final
class Units:
    """The units of one region's work-items, whose code is `item`. `twice`: also make a fast version."""

    def __init__(
        self, item: ItemCode, analyses: RegionAnalyses, target: LaneTarget, plan: Plan, warps: int,
        in_step: bool = False, twice: bool = True,
    ) -> None:  # fmt: skip
        """`warps`: a unit is a warp of that size, and there may be operations of warps, if it isn't 0. `in_step`: a
        unit is whole warps."""
        self.item: Final = item
        self._analyses: Final = analyses
        self.target: Final = target
        self.plan: Final = plan
        self.warps: Final = warps
        self.in_step: Final = in_step or warps > 0
        self.twice: Final = twice
        self.blocks: Final[list[Block]] = []

    def emit(self, before: Builder) -> Builder:
        """Put the code into the function, entered from `before`. Returns the place after all units. CannotMap leaves
        everything as it was."""
        try:
            done = self._emit()
        except CannotMap:
            for block in self.blocks:
                for instruction in block.instructions:
                    instruction.drop_operands()
            raise
        before.branch(self.blocks[0])
        demote_to_stack(self.blocks, self.target.frame.entry)
        self.target.function.blocks += self.blocks
        self.target.budget.spend(self.size)
        return done

    # -- loops -------------------------------------------------------------------------------------------------

    def _emit(self) -> Builder:
        function = self.target.function
        first = self._block("units")
        build = Builder(first)
        frame_block = self.target.frame.block
        closing: list[Callable[[Builder], Builder]] = []

        def loop(count: Value, step: int, name: str) -> Value:
            """Start a loop, and return its index."""
            nonlocal build
            if isinstance(count, Constant) and count.integer <= step:
                return i32(0)
            head = self._block(f"{name}.units")
            build.branch(head)
            entry = build.block
            build = Builder(head)
            index = build.phi(ty.I32, [(i32(0), entry)], name)

            def close(inner: Builder) -> Builder:
                following = inner.binary("add", index, i32(step), flags=_NO_WRAP)
                index.append_operand(following)
                index.append_operand(inner.block)
                out = self._block(f"{name}.units.done")
                inner.branch_if(inner.compare("ult", following, count), head, out)
                return Builder(out)

            closing.append(close)
            return index

        lanes, rows, chunks = self.plan.extent
        if self.target.frame.own_warp is not None:
            place = self._place_of_warp(build, self.target.frame.own_warp)
        elif self.plan.axis == "linear":
            total = frame_block.work_items
            narrow = i32(total.integer) if isinstance(total, Constant) else self._trunc_at_entry(total)
            place = UnitStart(i32(0), i32(0), i32(0), loop(narrow, lanes * chunks, "linear"))
        else:
            z = loop(frame_block.extent(2), 1, "z")
            y = loop(frame_block.extent(1), rows * (chunks if self.plan.axis == "y" else 1), "y")
            x = loop(frame_block.extent(0), lanes * (chunks if self.plan.axis == "x" else 1), "x")
            place = UnitStart(x, y, z)
        build = self._unit(build, place)
        for close in reversed(closing):
            build = close(build)
        done = Block("lanes.done", function)
        build.branch(done)
        self.blocks.append(done)
        return Builder(done)

    def _place_of_warp(self, build: Builder, warp: Value) -> UnitStart:
        """The start of one warp, the only one that this call of the function is for."""
        linear = build.binary("mul", warp, i32(self.warps or WARP), flags=_NO_WRAP)
        if self.plan.axis == "linear":
            return UnitStart(i32(0), i32(0), i32(0), linear)
        block = self.target.frame.block
        row, x = (build.binary(op, linear, block.extent(0)) for op in ("udiv", "urem"))
        z, y = (build.binary(op, row, block.extent(1)) for op in ("udiv", "urem"))
        return UnitStart(x, y, z)

    def _trunc_at_entry(self, value: Value) -> Value:
        return self.target.frame.entry.cast("trunc", value, ty.I32)

    def _block(self, name: str) -> Block:
        block = Block(name, self.target.function)
        self.blocks.append(block)
        return block

    # -- one unit ----------------------------------------------------------------------------------------------

    def _unit(self, build: Builder, place: UnitStart) -> Builder:
        whole = self._always_whole()
        some_whole = whole or (self.twice and self._ever_whole())
        done = Block("unit.done", self.target.function)
        careful = Block("unit.masked", self.target.function)
        needs_careful = not whole
        if some_whole:
            if not whole:
                fast_start = self._block("unit.whole")
                build.branch_if(self._is_whole(build, place), fast_start, careful)
                build = Builder(fast_start)
            checks: dict[Block, Block] = {}
            divergence = self._analyses.under(self.plan, frozenset(checks))
            while self.twice and len(checks) < MAX_CHECKS and (found := next_check(divergence)) is not None:
                checks[found[0]] = found[1]
                divergence = self._analyses.under(self.plan, frozenset(checks))
            if checks and self.target.counters.are_used:
                end = self._version_that_counts(build, divergence, place, checks, careful)
            else:
                end = self._version(build, divergence, place, self.plan, None, checks, careful)
            Builder(end).branch(done)
            needs_careful = needs_careful or bool(checks)
        else:
            build.branch(careful)
        if needs_careful:
            self.blocks.append(careful)
            self._careful(Builder(careful), place, whole).branch(done)
        self.blocks.append(done)
        return Builder(done)

    def _version_that_counts(
        self, build: Builder, divergence: Divergence, place: UnitStart, checks: dict[Block, Block], careful: Block
    ) -> Block:
        """The fast version. What it has counted doesn't count where it leaves the unit to the careful one."""
        first = self._block("unit.checked")
        given_up = Block("unit.given.up", self.target.function)
        self.target.counters.start()
        end = self._version(Builder(first), divergence, place, self.plan, None, checks, given_up)
        self.blocks.append(given_up)
        self.target.counters.restore(build, Builder(given_up))
        build.branch(first)
        Builder(given_up).branch(careful)
        return end

    def _careful(self, build: Builder, place: UnitStart, whole: bool) -> Builder:
        """Emit the unit chunk by chunk, or warp by warp, with masks."""
        plan = self.plan
        together = (self.warps or WARP) // plan.extent.width if self.in_step else 1
        if plan.extent.chunks <= together:
            return self._masked(build, place, plan, whole)
        head = self._block("chunk")
        entering = build.block
        build.branch(head)
        build = Builder(head)
        chunk = build.phi(ty.I32, [(i32(0), entering)], "chunk")
        step = plan.extent.width if plan.axis != "y" else plan.extent.rows
        offset = build.binary("mul", chunk, i32(step), flags=_NO_WRAP)
        x, y, z, linear = place
        if plan.axis == "x":
            x = build.binary("add", x, offset, flags=_NO_WRAP)
        elif plan.axis == "y":
            y = build.binary("add", y, offset, flags=_NO_WRAP)
        else:
            assert linear is not None
            linear = build.binary("add", linear, offset, flags=_NO_WRAP)
        build = self._masked(build, UnitStart(x, y, z, linear), plan.of_chunks(together), whole)
        following = build.binary("add", chunk, i32(together), flags=_NO_WRAP)
        chunk.append_operand(following)
        chunk.append_operand(build.block)
        done = self._block("chunks.done")
        build.branch_if(build.compare("ult", following, i32(plan.extent.chunks)), head, done)
        return Builder(done)

    def _masked(self, build: Builder, place: UnitStart, plan: Plan, whole: bool) -> Builder:
        """The version with masks, for the work-items that exist."""
        if whole:
            divergence = self._analyses.under(plan)
            return Builder(self._version(build, divergence, place, plan, None, {}, None))
        shape = normal(VARYING, plan.extent)
        divergence = self._analyses.under(plan, masked=shape)
        code = self._code(divergence)
        start = code.new_block("exists")
        build.branch(start)
        code.begin(start)
        try:
            self._give(code, place, plan)
            mask = self._existing(code, place, plan)
            some, nobody = code.new_block("some"), code.new_block("nobody")
            code.build.branch_if(code.any_of(mask), some, nobody)
            code.begin(some)
            code.begin(Control(code, self._pending(), mask, {}, None).emit())
            code.build.branch(nobody)
            code.begin(nobody)
            code.drop_unused()
        finally:
            self.blocks.extend(code.blocks)
        return Builder(nobody)

    def _version(
        self, build: Builder, divergence: Divergence, place: UnitStart, plan: Plan, mask: Mask,
        checks: dict[Block, Block], otherwise: Block | None,
    ) -> Block:  # fmt: skip
        code = self._code(divergence)
        start = code.new_block("unit")
        build.branch(start)
        code.begin(start)
        try:
            self._give(code, place, plan)
            end = Control(code, self._pending(), mask, checks, otherwise).emit()
            code.begin(end)
            code.drop_unused()
        finally:
            self.blocks.extend(code.blocks)
        return end

    def _pending(self) -> PendingAccesses:
        return PendingAccesses(self.target.module.types, self.target.nontemporal)

    def _code(self, divergence: Divergence) -> LaneCode:
        target, before = self.target, self.size
        return LaneCode(
            target.function, target.frame.entry, target.external, divergence, target.frame.arena, self.warps > 0,
            lambda size: target.budget.check(before + size), target.processor,
            partial(meet, target.frame),
            target.counters.add,
            target.frame.service,
        )  # fmt: skip

    @property
    def size(self) -> int:
        """Number of instructions of the code so far."""
        return sum(len(block.instructions) for block in self.blocks)

    # -- ids ---------------------------------------------------------------------------------------------------

    def _give(self, code: LaneCode, place: UnitStart, plan: Plan) -> None:
        """Set the ids of the unit's work-items."""
        shapes = code.divergence.given
        x, y, z = self.item.indices
        linear = self.item.ids.linear
        if plan.axis != "linear":
            for index, base in zip((x, y, z), place[:3], strict=True):
                if index is not None:
                    code.known[index] = LaneValue(ty.I32, shapes[index], (base,))
            return
        assert place.linear is not None
        wide = code.build.cast("zext", place.linear, ty.I64)
        shape = normal(Shape(1, 0, plan.extent.lanes, EXACT, plan.extent.lanes), plan.extent)
        if linear in shapes:
            code.known[linear] = LaneValue(ty.I64, shape, (wide,))
        narrow = LaneValue(ty.I32, shape, (place.linear,))
        axes = [index for index in (x, y, z) if index is not None]
        if all(shapes[index].lane == 1 for index in axes):
            for index in axes:
                code.known[index] = narrow
            return
        block, varying = self.target.frame.block, normal(VARYING, plan.extent)
        rows, column = divided_place(code, narrow, block.extent(0), varying)
        plane, row = divided_place(code, rows, block.extent(1), varying)
        for index, lane_value in ((x, column), (y, row), (z, plane)):
            if index is not None:
                code.known[index] = lane_value

    # -- units that are not whole ------------------------------------------------------------------------------

    def _always_whole(self) -> bool:
        known = self.target.frame.block.known
        if known is None:
            return False
        lanes, _, chunks = self.plan.extent
        if self.plan.axis == "linear":
            return known[0] * known[1] * known[2] % (lanes * chunks) == 0
        return known[0] % (lanes * (chunks if self.plan.axis == "x" else 1)) == 0

    def _ever_whole(self) -> bool:
        known = self.target.frame.block.known
        if known is None:
            return True
        lanes, _, chunks = self.plan.extent
        if self.plan.axis == "linear":
            return known[0] * known[1] * known[2] >= lanes * chunks
        return known[0] >= lanes * (chunks if self.plan.axis == "x" else 1)

    def _is_whole(self, build: Builder, place: UnitStart) -> Value:
        block = self.target.frame.block
        lanes, _, chunks = self.plan.extent
        if self.plan.axis == "linear":
            assert place.linear is not None
            total = block.work_items
            narrow = i32(total.integer) if isinstance(total, Constant) else build.cast("trunc", total, ty.I32)
            return build.compare("ule", build.binary("add", place.linear, i32(lanes * chunks)), narrow)
        size = lanes * (chunks if self.plan.axis == "x" else 1)
        return build.compare("ule", build.binary("add", place.x, i32(size)), block.extent(0))

    def _existing(self, code: LaneCode, place: UnitStart, plan: Plan) -> LaneValue:
        """The work-items of a chunk, or of the chunks of a warp, that exist."""
        block = self.target.frame.block
        if plan.axis == "linear":
            assert place.linear is not None
            total = block.work_items
            end = i32(total.integer) if isinstance(total, Constant) else code.build.cast("trunc", total, ty.I32)
            base = place.linear
        else:
            end, base = block.extent(0), place.x
        ids = LaneValue(ty.I32, normal(Shape(1, 0, plan.extent.lanes if plan.axis != "y" else 0), plan.extent), (base,))
        shape = normal(VARYING if plan.axis != "y" else Shape(None, None, 0), plan.extent)
        return code.mapped(ty.I1, shape, [ids, LaneValue.uniform(end)], lambda p: code.build.compare("ult", p[0], p[1]))
