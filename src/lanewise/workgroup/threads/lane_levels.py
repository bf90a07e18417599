# SPDX-License-Identifier: Apache-2.0
"""Levels: the groups of neighbouring lanes that share a value, or that come to a block together.

Level k means groups of 2^k lanes, aligned to their size: all lanes of such a group that execute an instruction together
compute the same value, or take the same branches up to a block. 5 is the whole warp, 0 a lane alone.

    %lane = and i32 %tid, 31          0
    %half = lshr i32 %lane, 4         4
    %odd = and i32 %lane, 1           0
    %high = icmp ugt i32 %lane, 15    4: a comparison with a multiple of 16
    %votes = call i32 @llvm.nvvm.vote.ballot.sync(...)    5

Method. All levels are 5 at first, and fall: values to the least level of their operands; blocks to the level of each
branch between whose targets and their meeting they lie; phis to that of their block, and of branches that meet in it;
and what such blocks compute for use after the meeting, since lanes may have left a loop in different turns.
`linear_values.py` has the values in which the number of the lane is. Lanes that leave for code without operations of
the warp don't come back, and make nothing diverge.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.ir import effects
from lanewise.ir.dominators import post_dominators
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import BARRIERS, EXCHANGES, WARP_WAITS
from lanewise.ir.reached_blocks import reached_blocks
from lanewise.ir.values import Constant, Value
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.threads.linear_values import MASK, WHOLE, LinearValues, integer_of


@final
class LaneLevels:
    """The levels of a kernel's values and blocks. `block`: its local size; None for any. `whole`: that of a warp."""

    def __init__(self, kernel: Function, block: Extent | None, whole: int = WHOLE) -> None:
        self.whole: Final = whole
        self._linear: Final = LinearValues(block, whole)
        self._values: Final[dict[Value, int]] = {}
        self._blocks: Final[dict[Block, int]] = {}
        self.between: Final[dict[Block, frozenset[Block]]] = {}
        """Block whose branch parts lanes of a warp -> the blocks from there to where they meet."""
        self._staying: Final = _staying(kernel)
        self._tree: Final = post_dominators(kernel, lambda b: self._staying[b])
        self._work: Final[list[Instruction]] = []
        self._find(kernel)

    def of(self, value: Value) -> int:
        return self._values.get(value, self.whole)

    def of_block(self, block: Block) -> int:
        return self._blocks.get(block, self.whole)

    def staying(self, block: Block) -> tuple[Block, ...]:
        """Successors after which there may be operations of the warp, if some have them."""
        return self._staying[block]

    def branches_before(self, block: Block) -> list[Block]:
        """Branches that part the lanes of a warp, and between whose targets and their meeting, or at it, `block` is."""
        return [b for b, between in self.between.items() if block in between or block is self._tree.immediate(b)]

    def own_group(self, mask: Value) -> int | None:
        """The level of the groups of which a mask names but the lane's own; None if that isn't known."""
        if isinstance(mask, Constant) and mask.kind == "int":
            bits = mask.integer & 0xFFFFFFFF
            return next(
                (
                    k
                    for k in range(WHOLE)
                    for g in range(0, 32, 1 << k)
                    if bits >> g << g == bits and not bits >> g >> (1 << k)
                ),
                None,
            )
        if isinstance(mask, Instruction) and mask.op == "shl":
            base, by = mask.operands
            if isinstance(base, Constant) and base.kind == "int":
                bits = base.integer & 0xFFFFFFFF
                return next((k for k in range(WHOLE) if not bits >> (1 << k) and self._starts_group(by, k)), None)
        return None

    def _starts_group(self, value: Value, level: int) -> bool:
        """Return whether a value is the first lane of the lane's group, modulo 32."""
        if isinstance(value, Instruction) and value.op in ("zext", "trunc"):
            return self._starts_group(value.operands[0], level)
        if not isinstance(value, Instruction) or value.op != "and":
            return False
        cut = integer_of(value.operands[1])
        return cut is not None and cut & MASK == MASK >> level << level and self._linear.is_linear(value.operands[0])

    # -- the fixed point ---------------------------------------------------------------------------------------

    def _find(self, kernel: Function) -> None:
        for instruction in kernel.instructions():
            level = self._made(instruction)
            if level < self.whole:
                self._lower(instruction, level)
        while self._work:
            instruction = self._work.pop()
            for user in instruction.users:
                if user.is_terminator:
                    self._part(user.parent)
                else:
                    self._lower(user, self._made(user))

    def _lower(self, value: Instruction, level: int) -> None:
        if level < self.of(value):
            self._values[value] = level
            self._work.append(value)

    def _part(self, block: Block) -> None:
        """The branch at the end of `block` parts the lanes of a warp."""
        level = self.of(block.terminator.operands[0])
        staying = self._staying[block]
        if len(staying) < 2 or level == self.whole:
            return
        meeting = self._tree.immediate(block)
        between = self.between.get(block)
        if between is None:
            between = self.between[block] = frozenset(reached_blocks(staying, meeting))
        for each in between:
            if level < self.of_block(each):
                self._blocks[each] = level
            for instruction in each.instructions:
                if instruction.op == "phi" or any(user.parent not in between for user in instruction.users):
                    self._lower(instruction, level)
        for phi in meeting.phis if meeting is not None else ():
            if len({id(value) for value, _ in phi.incoming()}) > 1:
                self._lower(phi, level)

    def _made(self, instruction: Instruction) -> int:
        """The level of a value by its operands."""
        op = instruction.op
        if op == "call":
            return self._called(instruction)
        if instruction.is_terminator or instruction.is_debug_record:
            return self.whole
        divergence = effects.divergence(instruction)
        if divergence == "uniform":
            return self.whole
        if divergence == "varying" or (op == "load" and instruction.is_volatile):
            return 0
        if op in ("lshr", "ashr", "udiv", "sdiv", "and", "icmp") and len(instruction.operands) == 2:
            by_bits = self._linear.level_by_bits(instruction)
            if by_bits is not None:
                return by_bits
        return min((self.of(o) for o in instruction.operands if isinstance(o, Instruction)), default=self.whole)

    def _called(self, call: Instruction) -> int:
        name = call.callee
        register = self._linear.register_level(name)
        if register is not None:
            return register
        if name.startswith("llvm.nvvm.shfl.sync.idx."):
            lane, segments = call.arguments[2:4]
            cut = integer_of(segments)
            if cut is not None and cut & MASK == MASK and isinstance(segments, Constant):
                width = (~(cut >> 8) & MASK) + 1
                return min(self.of(lane), width.bit_length() - 1) if width & (width - 1) == 0 else 0
            return 0
        divergence = effects.divergence(call)
        if divergence in ("uniform", "warp"):
            return self.whole
        if divergence == "varying":
            return 0
        return min((self.of(o) for o in call.arguments if isinstance(o, Instruction)), default=self.whole)


def is_masked(instruction: Instruction) -> bool:
    """Return whether an instruction is an operation of the lanes of a mask."""
    return instruction.op == "call" and instruction.callee in EXCHANGES and ".sync" in instruction.callee


def _staying(kernel: Function) -> dict[Block, tuple[Block, ...]]:
    """The successors of each block after which lanes may meet again, or all if there are none."""
    ahead: set[Block] = set()
    work = [
        block
        for block in kernel.blocks
        if any(
            is_masked(i) or i.callee in BARRIERS or i.callee in WARP_WAITS for i in block.instructions if i.op == "call"
        )
    ]
    while work:
        block = work.pop()
        if block not in ahead:
            ahead.add(block)
            work.extend(block.predecessors)
    found: dict[Block, tuple[Block, ...]] = {}
    for block in kernel.blocks:
        successors = tuple(dict.fromkeys(block.successors))
        found[block] = tuple(s for s in successors if s in ahead) or successors
    return found
