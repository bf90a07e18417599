# SPDX-License-Identifier: Apache-2.0
"""Control flow of lane code: partial linearisation with masks.

    a uniform branch      stays a branch
    a divergent branch    its arms run one after the other, each for the work-items that take it (a mask)
    a divergent loop      runs while any work-item is in it
    a masked block        is skipped if no work-item is active, provided that is worth a test

Method: Moll and Hack, "Partial Control-Flow Linearization" (2018). Blocks of a level (see `order.py`) are laid out in
order. After a divergent branch the first of its targets comes next. The others are pending: control goes on to them
from there, in order. Each arm of a uniform branch goes to the first of its target and the pending nodes. Loops are laid
out as one node. Back edges, and exit edges of a divergent loop, lead to the end of its body. That goes on to the next
iteration while the mask of the header, the work-items that want one, is not empty.

`block_masks.py` has the masks of blocks and the values of phis.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.analysis.flow import Flow, FlowLoop
from lanewise.analysis.shapes import combined, normal
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value, int_constant
from lanewise.workgroup.items.refusal import cannot
from lanewise.workgroup.lanes.analysis.fault_branches import FaultBranch, fault_branch
from lanewise.workgroup.lanes.analysis.order import Level
from lanewise.workgroup.lanes.control import branch_weights
from lanewise.workgroup.lanes.control.agreement import all_agree, some_may_agree
from lanewise.workgroup.lanes.control.block_masks import BlockMasks
from lanewise.workgroup.lanes.control.instructions import emit_instruction
from lanewise.workgroup.lanes.control.late_exits import ITERATIONS, exit_from, may_test_exits
from lanewise.workgroup.lanes.control.tested_steps import carried_in_step, steps_hold
from lanewise.workgroup.lanes.memory.pending import PendingAccesses
from lanewise.workgroup.lanes.memory.prefetch import prefetch
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask, Slot
from lanewise.workgroup.lanes.values.lane_values import LaneValue, ones, zeros

MAX_TWICE: Final = 800
"""Most instructions of a loop, times chunks, to be made twice: without masks and with them."""
MIN_SKIPPED: Final = 24
"""Least cost of masked code that is worth a test whether any work-item needs it."""


@final
class Control:
    """The code of all blocks. `checks`: branch on which all work-items are taken to agree -> its expected successor. If
    they don't, the code goes to `otherwise`."""

    def __init__(
        self, code: LaneCode, pending: PendingAccesses, entry_mask: Mask, checks: dict[Block, Block],
        otherwise: Block | None,
    ) -> None:  # fmt: skip
        self.code: Final = code
        self.pending: Final = pending
        self.flow: Final[Flow] = code.divergence.flow
        self._divergence: Final = code.divergence
        self._checks: Final = checks
        self._otherwise: Final = otherwise
        self._masks: Final = BlockMasks(code, entry_mask)
        self._nonempty: Final[dict[Block, bool]] = {self.flow.entry: True}
        self._levels: Final[dict[FlowLoop | None, Level]] = {}
        self._starts: Final[dict[Block, Block]] = {}
        self._late: FlowLoop | None = None
        """The loop that is being emitted for later iterations."""

    def emit(self) -> Block:
        """Emit all code from the place where `code` builds. Returns the block that all paths lead to, which is empty
        yet."""
        if self.flow.irreducible:
            cannot("control flow that no loops make (irreducible)")
        end = self._starts[self.flow.end] = self.code.new_block("lanes.end")
        first = self._start(self.flow.entry)
        self.code.build.branch(first)
        self._emit_level(None)
        return end

    # -- levels ------------------------------------------------------------------------------------------------

    def _emit_level(self, loop: FlowLoop | None) -> None:
        level = self._levels[loop] = Level(self.flow, loop)
        for node in level.nodes:
            self.code.begin(self._start(node))
            inner = level.inner(node)
            if inner is not None:
                self._emit_loop(inner, level)
                continue
            self._masks.enter(node)
            if node is level.root and self._masks.together is None:
                self._masks.reset(level)
            mask = self._masks.of_block[node]
            self.code.nonempty = mask is None or self._nonempty[node]
            for instruction in node.instructions:
                if instruction.is_terminator:
                    prefetch(self.code, self.pending)
                    self._leave(node, mask, level)
                elif (
                    instruction.op != "phi"
                    and not instruction.is_debug_record
                    and instruction not in self._divergence.given
                ):
                    emit_instruction(self.code, self.pending, instruction, node, mask)
                    self.code.check_size()

    def _emit_loop(self, loop: FlowLoop, outer: Level) -> None:
        code = self.code
        before = code.build
        divergent = loop in self._divergence.divergent_loops
        mask = self._masks.mask_at(loop.header)
        header = code.new_block(f"{loop.header.name}.loop")
        done = code.new_block(f"{loop.header.name}.left")
        rounds = self._rounds(loop) if divergent else None
        if divergent and self._may_stay_together(loop):
            self._emit_together(loop, header, done)
        else:
            before.branch(header)
        self._starts[loop.header] = header
        self._masks.of_block[loop.header] = mask
        self._emit_level(loop)
        end = self._levels[loop].end
        if end in self._starts:
            code.begin(self._starts[end])
            if not divergent:
                code.build.branch(header)
            elif rounds is not None:
                self._emit_late(loop, header, done, rounds)
            else:
                self._go_round(loop, header, done)
        if divergent:
            code.begin(done)
        self._starts[loop.header] = before.block
        if divergent:
            code.nonempty = False
            targets: set[Block] = set()
            for source in loop.blocks:
                for target in self.flow.successors[source]:
                    if target not in loop.blocks:
                        targets.add(self._node(target, outer))
            self._go(outer.pending_after(loop.header) | targets, outer)

    def _go_round(self, loop: FlowLoop, again: Block, done: Block) -> None:
        """Emit the end of the body of a divergent loop: on to the next iteration if any work-item wants one."""
        self.code.build.branch_if(self.code.any_of(self._masks.mask_slot(loop.header).load(self.code)), again, done)

    def _rounds(self, loop: FlowLoop) -> Value | None:
        """Memory for the number of iterations of a divergent loop, which is 0; None if later ones are as others."""
        if not may_test_exits(self._divergence, loop, self._masks):
            return None
        rounds = self.code.entry.alloca(ty.I32, f"{loop.header.name}.rounds")
        self.code.build.store(int_constant(ty.I32, 0), rounds)
        return rounds

    def _emit_late(self, loop: FlowLoop, header: Block, done: Block, rounds: Value) -> None:
        """Emit the end of the body of a divergent loop, and the loop once more for later iterations, which test whether
        any work-item leaves (`late_exits.py`)."""
        code = self.code
        mask = self._masks.of_block[loop.header]
        more, late = code.new_block(f"{loop.header.name}.more"), code.new_block(f"{loop.header.name}.late")
        self._go_round(loop, more, done)
        code.begin(more)
        counted = code.build.binary("add", code.build.load(ty.I32, rounds), int_constant(ty.I32, 1))
        code.build.store(counted, rounds)
        early = code.build.compare("ult", counted, int_constant(ty.I32, ITERATIONS))
        code.build.branch_if(early, header, late)
        self._forget(loop)
        self._starts[loop.header] = late
        self._masks.of_block[loop.header] = mask
        self._late = loop
        self._emit_level(loop)
        self._late = None
        code.begin(self._starts[self._levels[loop].end])
        self._go_round(loop, late, done)

    def _leave_rarely(self, block: Block, mask: Mask, masks: dict[Block, LaneValue], out: Block) -> None:
        """Emit a divergent branch whose target `out` is outside of the loop, for hardly any work-item: most times for
        none. `masks`: the work-items that take each edge."""
        code = self.code
        (stay,) = (successor for successor in masks if successor is not out)
        staying = Slot(code, ty.I1, masks[stay].shape, f"{block.name}.staying")
        if mask is None:
            staying.fill(ones, code)
        else:
            staying.store(mask, code)
        some, on = code.new_block(f"{block.name}.some"), code.new_block(f"{block.name}.on")
        code.build.branch_if(code.any_of(masks[out]), some, on, branch_weights.FIRST_IS_UNUSUAL)
        code.begin(some)
        self._masks.take_edge(block, out, masks[out])
        staying.store(masks[stay], code)
        code.build.branch(on)
        code.begin(on)
        self._masks.take_edge(block, stay, staying.load(code))

    def _forget(self, loop: FlowLoop) -> None:
        """Forget the code of a loop, which is to be made once more."""
        for block in loop.blocks:
            self._masks.of_block.pop(block, None)
            self._starts.pop(block, None)
            self._nonempty.pop(block, None)
            self.code.forget(block)
            self.pending.forget(block)
        self._nonempty[loop.header] = True

    # -- loops that all work-items are in --------------------------------------------------------------------------

    def _may_stay_together(self, loop: FlowLoop) -> bool:
        """Return whether a loop is to be run without masks as long as no work-item leaves: all work-items of the unit
        come to it, and it ends by one divergent branch at the end of its body."""
        masks = self._masks
        latches = masks.latches(loop.header)
        inside = [block for block in loop.blocks if self._divergence.is_divergent(block)]
        exits = [source for source in loop.blocks for t in self.flow.successors[source] if t not in loop.blocks]
        size = sum(len(block.instructions) for block in loop.blocks)
        return (
            len(latches) == 1
            and inside == latches
            and exits == latches
            and latches[0].terminator.op == "br"
            and not any(inner.parent is loop for inner in self.flow.loops)
            and all(self._masks.of_edge.get((b, loop.header), self) is None for b in self._masks.entering(loop.header))
            and size * self.code.extent.chunks <= MAX_TWICE
        )

    def _emit_together(self, loop: FlowLoop, masked: Block, done: Block) -> None:
        """Emit the loop for all work-items. When the first ones leave, the others go on in the loop with masks, at
        `masked`; if all leave at once, they go to `done`."""
        code = self.code
        start = code.new_block(f"{loop.header.name}.together")
        (latch,) = self._masks.latches(loop.header)
        phis = carried_in_step(code, loop, latch)
        if phis:
            first = {phi: self._masks.phi_slot(phi).load(code) for phi in loop.header.phis if phi in phis}
            code.build.branch_if(steps_hold(code, first), start, masked)
        else:
            code.build.branch(start)
        code.in_step = phis
        self._masks.together = loop
        self._starts[loop.header] = start
        self._masks.of_block.update(dict.fromkeys(loop.blocks))
        self._emit_level(loop)
        self._masks.together = None
        code.in_step = set()
        (out,) = (s for s in self.flow.successors[latch] if s is not loop.header)
        slot = self._masks.mask_slot(loop.header)
        slot.fill(lambda part: zeros(part), code)
        masks = self._edge_masks(latch, None)
        for target in (out, loop.header):
            self._masks.take_edge(latch, target, masks[target])
        code.build.branch_if(code.any_of(slot.load(code)), masked, done)
        self._forget(loop)

    def _stay_together(self, block: Block) -> None:
        """Emit the end of the body of such a loop: the next iteration, if all work-items want it. A counter by the
        stride of the grid tells that by one comparison of scalars, in place of one of vectors per chunk."""
        code = self.code
        assert self._masks.together is not None
        header = self._masks.together.header
        agreed = all_agree(code, block.terminator.operands[0], block, block.terminator.operands[1] is header)
        again, parting = code.new_block(f"{header.name}.all"), code.new_block(f"{header.name}.parting")
        code.build.branch_if(agreed, again, parting)
        code.begin(again)
        stored = [
            (self._masks.phi_slot(phi), code.use(value, block))
            for phi in header.phis
            for value, before in phi.incoming()
            if before is block
        ]
        for slot, lane_value in stored:
            slot.store(lane_value, code)
        code.build.branch(self._starts[header])
        code.begin(parting)

    def _start(self, node: Block) -> Block:
        known = self._starts.get(node)
        if known is None:
            known = self._starts[node] = self.code.new_block(f"{node.name}.lanes")
        return known

    # -- successors --------------------------------------------------------------------------------------------

    def _leave(self, block: Block, mask: Mask, level: Level) -> None:
        code = self.code
        successors = self.flow.successors[block]
        pending = level.pending_after(block) - {block}
        if self._masks.together is not None and self._divergence.is_divergent(block):
            self._stay_together(block)
        elif len(successors) == 1 and block not in self._checks:
            self._masks.take_edge(block, successors[0], mask)
            self._go_along(block, successors[0], pending, level)
        elif block in self._checks:
            self._check(block, pending, level)
        elif self._divergence.is_divergent(block):
            if (branch := fault_branch(block, self.flow)) is not None:
                self._access_together(block, branch, mask, pending, level)
            masks = self._edge_masks(block, mask)
            out = None if self._late is None else exit_from(self.flow, block, self._late)
            if out is not None:
                self._leave_rarely(block, mask, masks, out)
            else:
                for successor in successors:
                    self._masks.take_edge(block, successor, masks[successor])
            code.nonempty = code.nonempty and len(successors) == 1
            self._go(pending | {self._node(s, level) for s in successors}, level)
        else:
            self._uniform_branch(block, mask, pending, level)

    def _check(self, block: Block, pending: set[Block], level: Level) -> None:
        """Emit a branch on which all work-items must agree; else the unit is done otherwise."""
        code = self.code
        arm = self._checks[block]
        condition, wanted = block.terminator.operands[0], block.terminator.operands[1] is arm
        everyone, not_all, nobody = (code.new_block(f"{block.name}.{who}") for who in ("all", "not.all", "none"))
        code.build.branch_if(all_agree(code, condition, block, wanted), everyone, not_all)
        code.begin(not_all)
        assert self._otherwise is not None
        code.build.branch_if(
            some_may_agree(code, condition, block, wanted), self._otherwise, nobody, branch_weights.FIRST_IS_RARE
        )
        (other,) = (s for s in self.flow.successors[block] if s is not arm)
        for begin, target in ((everyone, arm), (nobody, other)):
            code.begin(begin)
            self._masks.take_edge(block, target, None)
            self._go_along(block, target, pending, level)

    def _access_together(
        self, block: Block, branch: FaultBranch, mask: Mask, pending: set[Block], level: Level
    ) -> None:
        """Emit an access for all work-items, in case that it is right for all. Code goes on where it isn't."""
        code, access, rest = self.code, branch.access, branch.rest
        if mask is None:
            right = all_agree(code, block.terminator.operands[0], block, branch.wanted)
        else:
            condition = code.use(block.terminator.operands[0], block)
            wrong = code.any_of(code.both(mask, condition, not branch.wanted))
            right = code.build.binary("xor", wrong, int_constant(ty.I1, 1))
        together, apart = code.new_block(f"{access.name}.all"), code.new_block(f"{block.name}.faults")
        code.build.branch_if(right, together, apart, branch_weights.SECOND_IS_RARE)
        nonempty = code.nonempty
        code.begin(together)
        self._masks.of_block[access] = mask
        for instruction in access.instructions:
            if not instruction.is_terminator and not instruction.is_debug_record:
                emit_instruction(code, self.pending, instruction, access, mask)
        self._masks.take_edge(access, rest, mask)
        self._go_along(access, rest, pending, level)
        self._masks.of_block.pop(access)
        code.forget(access)
        self.pending.forget(access)
        code.begin(apart)
        code.nonempty = nonempty

    def _uniform_branch(self, block: Block, mask: Mask, pending: set[Block], level: Level) -> None:
        code = self.code
        terminator = block.terminator
        condition = code.scalar(code.use(terminator.operands[0], block))
        if mask is not None and not code.nonempty:  # if no work-item is active, it may be poison
            condition = code.build.emit(Instruction("freeze", condition.type, (condition,)))
        arms = {s: code.new_block(f"{block.name}.to") for s in self.flow.successors[block]}
        operands: list[Value] = [condition]
        for operand in terminator.operands[1:]:
            if isinstance(operand, Block):
                target = operand if operand in arms else self.flow.end
                operands.append(arms[target])
            else:
                operands.append(operand)
        nonempty = code.nonempty
        code.build.emit(Instruction(terminator.op, ty.VOID, operands))
        for successor, arm in arms.items():
            code.begin(arm)
            code.nonempty = nonempty
            self._masks.take_edge(block, successor, mask)
            self._go_along(block, successor, pending, level)

    def _edge_masks(self, block: Block, mask: Mask) -> dict[Block, LaneValue]:
        """The work-items that take each edge of a divergent branch."""
        code = self.code
        terminator = block.terminator
        condition = code.use(terminator.operands[0], block)
        found: dict[Block, LaneValue] = {}

        def add(target: Value, arm: LaneValue) -> None:
            assert isinstance(target, Block)
            if target not in self.flow.successors[block]:
                target = self.flow.end
            found[target] = arm if target not in found else code.either(found[target], arm)

        if terminator.op == "br":
            add(terminator.operands[1], code.both(mask, condition, True))
            add(terminator.operands[2], code.both(mask, condition, False))
            return found
        others: LaneValue | None = None
        for value, target in zip(terminator.operands[2::2], terminator.operands[3::2], strict=True):
            shape = normal(combined([condition.shape]), code.extent)
            case = LaneValue.uniform(value)
            equal = code.mapped(ty.I1, shape, [condition, case], lambda p: code.build.compare("eq", p[0], p[1]))
            add(target, code.both(mask, equal, True))
            others = equal if others is None else code.either(others, equal)
        if others is None:
            cannot("a switch without cases that is divergent")
        add(terminator.operands[1], code.both(mask, others, False))
        return found

    def _node(self, target: Block, level: Level) -> Block:
        """The node for a target in a level: the target itself, or the end of the loop for the next iteration and for
        exit edges."""
        loop = level.loop
        if loop is not None and (target is loop.header or target not in loop.blocks):
            return level.end
        return target

    def _go_along(self, source: Block, target: Block, pending: set[Block], level: Level) -> None:
        """Go on after an edge that all work-items of the mask take."""
        loop = level.loop
        while loop is not None and target not in loop.blocks and loop not in self._divergence.divergent_loops:
            if pending:
                cannot("a loop left while others wait in it")
            header, loop = loop.header, loop.parent
            level = self._levels[loop]
            pending = level.pending_after(header) - {header}
        self._go(pending | {self._node(target, level)}, level, single=source)

    def _go(self, nodes: set[Block], level: Level, single: Block | None = None) -> None:
        """Go on to the first of `nodes`, with the others pending, or past it if no work-item is active there."""
        code = self.code
        order = sorted(nodes, key=level.number.__getitem__)
        first, rest = order[0], set(order[1:])
        start = self._start(first)
        nonempty = False
        if rest and self._is_worth_test(first, level):
            mask = self._masks.mask_before(first)
            if mask is not None:
                nonempty = True
                past = code.new_block("nobody")
                code.build.branch_if(code.any_of(mask), start, past)
                code.begin(past)
                code.nonempty = False
                self._go(rest, level)
            else:
                code.build.branch(start)
        else:
            nonempty = code.nonempty and single is not None and not rest
            code.build.branch(start)
        if self._masks.same_mask(first) is not None:
            above = self._masks.same_mask(first)
            assert above is not None
            nonempty = self._nonempty.get(above, False)
        self._nonempty[first] = self._nonempty.get(first, True) and nonempty
        level.add_pending(first, rest)

    def _is_worth_test(self, node: Block, level: Level) -> bool:
        if (
            self._masks.together is not None
            or node is level.end
            or node not in self._divergence.masked
            or self._masks.same_mask(node) is not None
        ):
            return False
        return level.cost(node) >= MIN_SKIPPED
