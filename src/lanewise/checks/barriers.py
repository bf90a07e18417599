# SPDX-License-Identifier: Apache-2.0
"""check-barriers: tells of barriers and operations of the warp in code that work-items part for.

Before
    define ptx_kernel void @k(ptr %p, i32 %i) {
    entry:
      %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
      %some = icmp ult i32 %lane, 16
      br i1 %some, label %then, label %after
    then:
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      br label %after
    after:
      store i32 %i, ptr %p, align 4
      ret void
    }
    declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

After
    define ptx_kernel void @k(ptr %p, i32 %i, i64 %dynamic.size, ptr %report) {
    entry:
      %0 = alloca i32, align 4
      store i32 0, ptr %0, align 4
      %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
      %some = icmp ult i32 %lane, 16
      br i1 %some, label %then, label %after
    then:
      %1 = load i32, ptr %0, align 4
      call void @__lw_check_meeting(ptr %report, i32 0, i32 0, i32 0, i32 %1)
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      br label %after
    after:
      %2 = load i32, ptr %0, align 4
      %3 = add i32 %2, 1
      store i32 %3, ptr %0, align 4
      store i32 %i, ptr %p, align 4
      %4 = load i32, ptr %0, align 4
      call void @__lw_check_meeting(ptr %report, i32 0, i32 2, i32 0, i32 %4)
      call void @__lw_check_meeting(ptr %report, i32 0, i32 3, i32 0, i32 0)
      ret void
    }

Method
    1. Only kernels with a barrier, or an operation with a mask, in a block that not all work-items reach together are
       changed (`analysis/uniformity.py`). In all others, who doesn't come to a barrier has returned.
    2. Each work-item tells the runtime core before it waits at any barrier, before such an operation, and before it
       ends. The core knows when nobody is left to come (`runtime/core/meeting_checks.c`).
    3. Who has ended may have returned early, which is right since Volta, or have passed the barrier by: it has come to
       the code behind it, which all paths lead to and which does something, once more than those that wait. So visits
       of that code are counted.
    4. A mask that lacks the lane that executes the operation is found by a test.

Source: CUDA C++ Programming Guide, "Synchronization Functions": a barrier waits for all threads that haven't exited,
and is allowed in conditional code if the condition is the same for all; "Warp Shuffle Functions": each thread of the
mask that hasn't exited executes the same operation with the same mask. OpenCL C 1.2, 6.12.8: a barrier is executed by
all work-items of the group.

When not
    Kernels with barriers of some warps. The runtime core tells of those that can't be completed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from lanewise.analysis.uniformity import is_barrier, uniformity
from lanewise.checks.accesses import KernelAccesses
from lanewise.checks.fault import MEETING_TYPE
from lanewise.checks.guard import TestBefore
from lanewise.checks.inserting import InsertBefore, InsertBehind
from lanewise.checks.parts import BARRIERS
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.check_report import COUNTS, ENDS, JOINS, LACKS, SLOTS, STRICT, WAITS
from lanewise.ir.dominators import post_dominators
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import CHECK_MEETING, EXCHANGES, PARTIAL_BARRIERS, intrinsic_of
from lanewise.ir.values import Constant, Value, i32

_MASKED: Final = ("bar.warp.sync", "shfl.sync", "vote.", "match.", "redux.sync")
_LANE: Final = "llvm.nvvm.read.ptx.sreg.laneid"
_EXIT: Final = "llvm.nvvm.exit"


@final
class BarrierChecks:
    """Checks the barriers of one kernel, and its operations of the warp."""

    def __init__(self, accesses: KernelAccesses, *, is_strict: bool = False) -> None:
        self._of: Final = accesses
        self._kernel: Final = accesses.kernel
        self._strict: Final = STRICT if is_strict else 0
        self._counters: Final[dict[Block, Instruction]] = {}
        self._operations: Final[list[str]] = []

    def run(self) -> None:
        instructions = list(self._kernel.instructions())
        masked = [each for each in instructions if mask_of(each) is not None]
        barriers = [each for each in instructions if is_barrier(each)]
        if not masked and not barriers:
            return
        apart = self._apart()
        ends = [each for each in instructions if each.op == "ret" or each.callee == _EXIT]
        if any(each.callee in PARTIAL_BARRIERS for each in instructions):
            barriers = []
        if not any(each.parent in apart for each in barriers) and not (self._strict and len(self._kernel.blocks) > 1):
            barriers = []
        watched = [each for each in (*barriers, *masked) if each.parent in apart]
        if watched or (self._strict and barriers):
            self._watch(watched, barriers, ends)
        for operation in masked:
            self._test_mask(operation)

    def _apart(self) -> set[Block]:
        """The blocks that not all work-items reach together, or that some may have gone past."""
        facts = uniformity(self._kernel)
        behind = post_dominators(self._kernel)
        found = set(facts.divergent_blocks)
        for block in self._kernel.blocks:
            condition = block.terminator.operands[0] if len(set(block.successors)) > 1 else None
            if condition in facts.varying and _following(block, behind.immediate) is not None:
                found |= _between(block, behind.immediate(block))
        return found

    def _watch(self, watched: list[Instruction], barriers: list[Instruction], ends: list[Instruction]) -> None:
        behind = post_dominators(self._kernel)
        following = {each: _following(each.parent, behind.immediate) for each in watched}
        slots: dict[Block, int] = {}
        for block in following.values():
            if block is not None and len(slots) < SLOTS - 1:
                slots.setdefault(block, len(slots))
        for block in slots:
            self._count(block)
        for meeting in dict.fromkeys((*watched, *barriers)):
            self._arrive(meeting, following.get(meeting), slots)
        for end in ends:
            self._end(end, slots)

    def _count(self, block: Block) -> None:
        """Count the visits of a block."""
        entry = self._kernel.entry
        counter = Instruction("alloca", ty.PTR, (), source_type=ty.I32, align=4)
        entry.insert(0, counter)
        with InsertBehind(counter) as build:
            build.store(i32(0), counter, align=4)
        self._counters[block] = counter
        first = next(each for each in block.instructions if each.op != "phi")
        with InsertBefore(first) as build:
            build.store(build.binary("add", build.load(ty.I32, counter, align=4), i32(1)), counter, align=4)

    def _arrive(self, meeting: Instruction, following: Block | None, slots: dict[Block, int]) -> None:
        mask = mask_of(meeting)
        what = "barrier" if mask is None else "operation of the warp"
        flags = WAITS | self._strict if mask is None else self._operation(meeting.callee) << 16 | JOINS
        slot = SLOTS - 1 if following not in slots else slots[following]
        with self._kernel.at_place_of(meeting), InsertBefore(meeting) as build:
            count: Value = i32(0)
            if following in self._counters:
                count = build.load(ty.I32, self._counters[following], align=4)
            self._call(build, self._of.value_site(meeting, what, BARRIERS), flags | slot << 8, mask or i32(0), count)

    def _end(self, end: Instruction, slots: dict[Block, int]) -> None:
        with self._kernel.at_place_of(end), InsertBefore(end) as build:
            for block, slot in slots.items():
                count = build.load(ty.I32, self._counters[block], align=4)
                self._call(build, i32(0), COUNTS | slot << 8, i32(0), count)
            self._call(build, i32(0), ENDS, i32(0), i32(0))

    def _call(self, build: Builder, site: Value, flags: int, mask: Value, count: Value) -> None:
        function = self._of.module.declare(CHECK_MEETING, MEETING_TYPE)
        build.call_function(function, (self._of.report, site, i32(flags), mask, count))

    def _operation(self, name: str) -> int:
        """A number for operations of this name."""
        if name not in self._operations:
            self._operations.append(name)
        return 1 + self._operations.index(name)

    def _test_mask(self, operation: Instruction) -> None:
        """Test whether a mask has the lane that executes the operation."""
        mask = mask_of(operation)
        assert mask is not None
        if isinstance(mask, Constant) and mask.kind == "int" and mask.integer == -1:
            return
        site = self._of.value_site(operation, "operation of the warp", BARRIERS)
        with self._kernel.at_place_of(operation):
            check = TestBefore(self._of.module, operation)
            lane = check.before.call_function(self._of.module.declare(_LANE, ty.function(ty.I32, ())), ())
            own = check.before.binary("and", check.before.binary("lshr", mask, lane), i32(1))
            check.test(check.before.compare("ne", own, i32(0)))
            wide = check.otherwise.cast("zext", mask, ty.I64)
            check.tell(self._of.report, site, i32(LACKS), wide)


def mask_of(call: Instruction) -> Value | None:
    """The mask of an operation of the warp that has one."""
    name = call.callee.removeprefix("llvm.nvvm.")
    if call.callee not in EXCHANGES or not name.startswith(_MASKED) or ".sync" not in name:
        return None
    return call.arguments[1 if name.startswith("redux") else 0]


def _between(block: Block, until: Block | None) -> set[Block]:
    """The blocks on paths from the end of a block to another one, which is not among them."""
    found: set[Block] = set()
    work = list(block.successors)
    while work:
        each = work.pop()
        if each is not until and each not in found:
            found.add(each)
            work += each.successors
    return found


def _following(block: Block, behind: Callable[[Block], Block | None]) -> Block | None:
    """The next block that all paths from a block lead to and that does something, or chooses between blocks of which
    one does. It doesn't choose whether the first block comes again."""
    after = behind(block)
    while after is not None:
        chosen = _between(after, behind(after))
        choices = {after} if block in chosen else {after, *chosen}
        if any(_does_something(each) for choice in choices for each in choice.instructions):
            return after
        after = behind(after)
    return None


def _does_something(instruction: Instruction) -> bool:
    if instruction.callee == _EXIT or instruction.is_terminator:
        return False
    row = intrinsic_of(instruction.callee) if instruction.op == "call" else None
    return effects.writes(instruction) and not (row is not None and row.ignorable)
