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
branch between whose targets and their meeting they lie; phis to that of their block, and of branches that meet in it; and
what such blocks compute for use after the meeting, since lanes may have left a loop in different turns.
A value is *linear* if its bits from 5 up are the same in a warp, and those below are the lane's: then, each shift by k
has level k. Lanes that leave for code without operations of the warp don't come back, and make nothing diverge.

Limits. In code for any block size, rows of threads are taken to be whole warps, as programs that count on it take them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from lanewise.ir import effects
from lanewise.ir.dominators import post_dominators
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import BARRIERS, EXCHANGES, WARP_WAITS
from lanewise.ir.values import Constant, Value
from lanewise.workgroup.layout.local_size import Extent

WHOLE: Final = 5
"""The level of a warp."""
_REGISTER: Final = "llvm.nvvm.read.ptx.sreg."
_CASTS: Final = frozenset({"zext", "sext", "trunc", "freeze"})
_MASK: Final = 31


@final
class LaneLevels:
    """The levels of a kernel's values and blocks. `block`: its local size; None for any."""

    def __init__(self, kernel: Function, block: Extent | None) -> None:
        self._block: Final = block
        self._values: Final[dict[Value, int]] = {}
        self._blocks: Final[dict[Block, int]] = {}
        self._linear: Final[dict[Value, bool]] = {}
        self.between: Final[dict[Block, frozenset[Block]]] = {}
        """Block whose branch parts lanes of a warp -> the blocks from there to where they meet."""
        self._staying: Final = _staying(kernel)
        self._tree: Final = post_dominators(kernel, lambda b: self._staying[b])
        self._work: Final[list[Instruction]] = []
        self._find(kernel)

    def of(self, value: Value) -> int:
        return self._values.get(value, WHOLE)

    def of_block(self, block: Block) -> int:
        return self._blocks.get(block, WHOLE)

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
                (k for k in range(WHOLE) for g in range(0, 32, 1 << k) if bits >> g << g == bits and not bits >> g >> (1 << k)),
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
        cut = _integer(value.operands[1])
        return cut is not None and cut & _MASK == _MASK >> level << level and self._is_linear(value.operands[0])

    # -- the fixed point ---------------------------------------------------------------------------------------

    def _find(self, kernel: Function) -> None:
        for instruction in kernel.instructions():
            level = self._made(instruction)
            if level < WHOLE:
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
        if len(staying) < 2 or level == WHOLE:
            return
        meeting = self._tree.immediate(block)
        between = self.between.get(block)
        if between is None:
            between = self.between[block] = _reachable(staying, meeting)
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
            return WHOLE
        divergence = effects.divergence(instruction)
        if divergence == "uniform":
            return WHOLE
        if divergence == "varying" or op == "load" and instruction.is_volatile:
            return 0
        if op in ("lshr", "ashr", "udiv", "and", "icmp") and len(instruction.operands) == 2:
            by_bits = self._by_bits(instruction)
            if by_bits is not None:
                return by_bits
        return min((self.of(o) for o in instruction.operands if isinstance(o, Instruction)), default=WHOLE)

    def _called(self, call: Instruction) -> int:
        name = call.callee
        if name.startswith(_REGISTER):
            return self._register(name.removeprefix(_REGISTER))
        if name.startswith("llvm.nvvm.shfl.sync.idx."):
            lane, segments = call.arguments[2:4]
            cut = _integer(segments)
            if cut is not None and cut & _MASK == _MASK and isinstance(segments, Constant):
                width = (~(cut >> 8) & _MASK) + 1
                return min(self.of(lane), width.bit_length() - 1) if width & (width - 1) == 0 else 0
            return 0
        divergence = effects.divergence(call)
        if divergence in ("uniform", "warp"):
            return WHOLE
        if divergence == "varying":
            return 0
        return min((self.of(o) for o in call.arguments if isinstance(o, Instruction)), default=WHOLE)

    def _register(self, name: str) -> int:
        if name.startswith("tid."):
            if self._block is not None and self._block["xyz".index(name[-1])] == 1:
                return WHOLE
            inner = [None, self._extent(1), self._extent(2)]["xyz".index(name[-1])]
            if name == "tid.x":
                return 0
            return WHOLE if inner is None or inner % 32 == 0 else (inner & -inner).bit_length() - 1
        return 0 if name == "laneid" or name.startswith("lanemask") else WHOLE

    def _is_extent(self, value: Value, axis: int) -> bool:
        """Return whether a value is the number of threads along an axis."""
        if isinstance(value, Instruction) and value.op in ("zext", "sext"):
            return self._is_extent(value.operands[0], axis)
        if isinstance(value, Instruction):
            return value.callee == f"{_REGISTER}ntid.{'xyz'[axis]}"
        return self._block is not None and _integer(value) == self._block[axis]

    def _is_place(self, value: Value, axis: int) -> bool:
        """Return whether a value is the thread's place along x, or its number in a row, or in a plane of them:
        place along this axis, and the number of threads along it times the same of the next axis."""
        if not isinstance(value, Instruction):
            return False
        if value.op in ("zext", "sext"):
            return self._is_place(value.operands[0], axis)
        if value.callee == f"{_REGISTER}tid.{'xyz'[axis]}":
            return axis == 2 or self._block is None or self._block[axis + 1 :] == (1, 1)[axis:]
        if value.op != "add" or axis == 2:
            return False
        for place, rows in (value.operands, value.operands[::-1]):
            if isinstance(place, Instruction) and self._is_register(place, f"tid.{'xyz'[axis]}"):
                return self._is_times(rows, axis)
        return False

    def _is_register(self, value: Value, name: str) -> bool:
        if isinstance(value, Instruction) and value.op in ("zext", "sext"):
            return self._is_register(value.operands[0], name)
        return isinstance(value, Instruction) and value.callee == _REGISTER + name

    def _is_times(self, value: Value, axis: int) -> bool:
        """Return whether a value is the place along the axes after this one, times the threads along it."""
        if isinstance(value, Instruction) and value.op in ("zext", "sext"):
            return self._is_times(value.operands[0], axis)
        if not isinstance(value, Instruction) or value.op not in ("mul", "shl"):
            return False
        a, b = value.operands
        if value.op == "shl":
            by = _integer(b)
            fits = by is not None and self._block is not None and 1 << by == self._block[axis]
            return fits and self._is_place(a, axis + 1)
        return any(self._is_extent(n, axis) and self._is_place(m, axis + 1) for n, m in ((a, b), (b, a)))

    def _extent(self, axes: int) -> int | None:
        """Threads along the first axes together; None: any."""
        if self._block is None:
            return None
        return self._block[0] if axes == 1 else self._block[0] * self._block[1]

    # -- bits of lanes -----------------------------------------------------------------------------------------

    def _by_bits(self, instruction: Instruction) -> int | None:
        """The level of what depends on high bits of a linear value alone; None for other values."""
        value, known = instruction.operands[0], _integer(instruction.operands[1])
        if known is None or not self._is_linear(value):
            return None
        match instruction.op:
            case "lshr" | "ashr":
                return min(known, WHOLE)
            case "udiv":
                return min((known & -known).bit_length() - 1, WHOLE) if known > 0 else None
            case "and":
                return _level_of(known)
            case _:
                if instruction.predicate in ("eq", "ne"):
                    return None
                above = instruction.predicate in ("ugt", "sgt", "ule", "sle")  # x > 15 is x >= 16
                return _level_of(known + above)

    def _is_linear(self, value: Value) -> bool:
        known = self._linear.get(value)
        if known is None:
            self._linear[value] = False  # for a phi that depends on itself
            known = self._linear[value] = isinstance(value, Instruction) and self._looks_linear(value)
        return known

    def _looks_linear(self, value: Instruction) -> bool:
        if self._is_place(value, 0):
            return True
        if value.op == "call":
            if value.callee == _REGISTER + "tid.x":
                block = self._block
                return block is None or block[0] % 32 == 0 or block[1] * block[2] == 1
            return value.callee == _REGISTER + "laneid"
        if value.op in _CASTS:
            return value.op != "trunc" and self._is_linear(value.operands[0]) or (
                value.op == "trunc" and value.type.bits >= 32 and self._is_linear(value.operands[0])
            )
        if value.op == "and":
            cut = _integer(value.operands[1])
            return cut is not None and cut & _MASK == _MASK and self._is_linear(value.operands[0])
        if value.op in ("add", "or"):
            a, b = value.operands
            return (self._is_linear(a) and self._is_whole(b)) or (self._is_linear(b) and self._is_whole(a))
        return False

    def _is_whole(self, value: Value) -> bool:
        """Return whether a value is the same multiple of 32 in all lanes of a warp."""
        known = _integer(value)
        if known is not None:
            return known & _MASK == 0
        if not isinstance(value, Instruction) or self._level_so_far(value) < WHOLE:
            return False
        return self._is_multiple(value)

    def _level_so_far(self, value: Instruction) -> int:
        """The level of what only depends on registers, which is known before others are."""
        if value.op == "call":
            return self._called(value) if value.callee.startswith(_REGISTER) else 0
        if value.op in ("mul", "shl", "add", *_CASTS):
            return min(self._level_so_far(o) for o in value.operands if isinstance(o, Instruction)) if any(
                isinstance(o, Instruction) for o in value.operands
            ) else WHOLE
        return 0

    def _is_multiple(self, value: Value) -> bool:
        """Return whether a value is a multiple of 32."""
        known = _integer(value)
        if known is not None:
            return known & _MASK == 0
        if not isinstance(value, Instruction):
            return False
        if value.op == "call" and value.callee == _REGISTER + "ntid.x":
            block = self._block
            return block is None or block[0] % 32 == 0 or block[1] * block[2] == 1
        if value.op == "shl":
            by = _integer(value.operands[1])
            return by is not None and by >= WHOLE
        if value.op == "mul":
            return any(map(self._is_multiple, value.operands))
        if value.op in _CASTS:
            return self._is_multiple(value.operands[0])
        return value.op == "add" and all(map(self._is_multiple, value.operands))


def is_masked(instruction: Instruction) -> bool:
    """Return whether an instruction is an operation of the lanes of a mask."""
    return instruction.op == "call" and instruction.callee in EXCHANGES and ".sync" in instruction.callee


def _staying(kernel: Function) -> dict[Block, tuple[Block, ...]]:
    """The successors of each block after which lanes may meet again, or all if there are none."""
    ahead: set[Block] = set()
    work = [
        block
        for block in kernel.blocks
        if any(is_masked(i) or i.callee in BARRIERS or i.callee in WARP_WAITS for i in block.instructions if i.op == "call")
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


def _reachable(starts: Iterable[Block], stop: Block | None) -> frozenset[Block]:
    found: set[Block] = set()
    work = [b for b in starts if b is not stop]
    while work:
        block = work.pop()
        if block not in found:
            found.add(block)
            work.extend(s for s in block.successors if s is not stop)
    return frozenset(found)


def _level_of(number: int) -> int:
    """The number of zeros at the end of a number, at most 5."""
    return WHOLE if number & _MASK == 0 else (number & -number).bit_length() - 1


def _integer(value: Value) -> int | None:
    return value.integer if isinstance(value, Constant) and value.kind in ("int", "zeroinitializer") else None
