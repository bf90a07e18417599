# SPDX-License-Identifier: Apache-2.0
"""Kernels whose threads may wait in a loop for what another thread of their warp, or block, is yet to write.

    while (atomicAdd(turn, 0) != lane);       // lane 1 waits until lane 0 has come to the end
    work();
    atomicAdd(turn, 1);
    __syncwarp();

Since Volta, each thread gets on by itself (CUDA C++ programming guide, "Independent thread scheduling"). In lock-step,
lanes that have left the loop wait for those that haven't. In a loop over threads, earlier threads have come to the next
barrier before a later one starts. Such a kernel is mapped to threads with stacks of their own.

A loop *waits* if its exit depends on atomic or volatile reads, other than those of an update by compare-and-swap that
is tried again. A *tell* is an atomic or volatile write to an object that they may read. Two parameters may be one
array. If only that would be too late, the launch has to see that they aren't, or each lock in a kernel with queues
would make it slow. A tell is *too late*

in lock-step, if no operation of the whole warp and no barrier is before it, and
    1. lanes that have left the loop come to it, where lanes leave at different times, or
    2. lanes come to it that went another way at a branch, whose paths meet only behind the loop.
   One lane alone doesn't wait for itself: so a thread that takes a lock for its block stays in lanes. Lanes that wait
   at one `mbarrier` leave together, when its phase ends.
in a loop over threads, if no barrier is between, and
    3. the loop only reads. Who takes a lock in the loop gives it back before the next thread starts. A compare-and-swap
       takes no lock if it stores what it finds, or expects another value in each thread.
    4. a thread may come to both in any order, or at a branch of theirs two go different ways to them,
    5. it is not the first thread of the block alone that comes to the tell, nor the same one that comes to the loop.
in a loop over warps in lock-step, by 3 to 5 for warps in place of threads. These then take turns, each on a stack of
its own (`regions/warp_waits.py`), whatever else they count on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import prod
from typing import Final, final

from lanewise.analysis.flow import Flow, FlowLoop
from lanewise.analysis.memory_objects import Kind, Objects, kind_of, objects_of
from lanewise.analysis.spinning import changes_memory, is_shared_read, stores_what_it_finds, waiting_reads
from lanewise.analysis.uniformity import Uniformity, is_barrier, uniformity
from lanewise.ir import effects
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import AWAIT_WARPS
from lanewise.ir.values import Value
from lanewise.workgroup.lanes.warps import mask_position
from lanewise.workgroup.lanes.warps.warp_calls import warp_size_of
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.threads.lane_levels import LaneLevels, is_masked
from lanewise.workgroup.threads.linear_values import integer_of
from lanewise.workgroup.threads.single_threads import SingleThreads
from lanewise.workgroup.threads.wait_decision import WaitDecision

_Stops = Callable[[Instruction], bool]


def waiting(kernel: Function, block: Extent | None, lock_step: bool, apart: bool) -> WaitDecision:
    """Decide for groups of `block` work-items or any. `lock_step`: the kernel's warps would be in lock-step. `apart`:
    launches may be asked for arrays that don't overlap."""

    def decide(judge: _Judge, loop: FlowLoop, reads: list[Instruction], tells: list[Instruction]) -> bool:
        if lock_step:
            return judge.is_too_late_in_lock_step(loop, [tell for tell in tells if tell.block not in loop.blocks])
        return judge.is_too_late_in_turn(loop, reads, tells, warps=False)

    return _decided(kernel, block, apart, decide)


def waiting_warps(kernel: Function, block: Extent | None, apart: bool) -> WaitDecision:
    """As `waiting`, for warps in lock-step that wait for one another."""
    if block is not None and prod(block) <= warp_size_of(kernel):
        return WaitDecision(False)

    def decide(judge: _Judge, loop: FlowLoop, reads: list[Instruction], tells: list[Instruction]) -> bool:
        return judge.is_too_late_in_turn(loop, reads, tells, warps=True)

    return _decided(kernel, block, apart, decide)


def _decided(
    kernel: Function,
    block: Extent | None,
    apart: bool,
    too_late: Callable[[_Judge, FlowLoop, list[Instruction], list[Instruction]], bool],
) -> WaitDecision:
    tells = [i for i in kernel.instructions() if _tells(i)]
    if not tells or not any(is_shared_read(i) for i in kernel.instructions()):
        return WaitDecision(False)
    end = Block("end")
    flow = Flow(kernel.blocks[0], end, lambda b: dict.fromkeys(b.successors) or [end])
    loops = [(loop, reads) for loop in flow.loops if (reads := waiting_reads(flow, loop, retries=False))]
    if not loops:
        return WaitDecision(False)
    judge = _Judge(kernel, flow, block)
    assumed: set[Value] = set()
    for loop, reads in loops:
        awaited = _objects(reads)
        if too_late(judge, loop, list(reads), [tell for tell in tells if _may_meet(awaited, _objects([tell]))]):
            return WaitDecision(True)
        if too_late(judge, loop, list(reads), [tell for tell in tells if _may_be_one(awaited, _objects([tell]))]):
            assumed |= awaited
    if assumed and not apart:
        return WaitDecision(True)
    return WaitDecision(False, frozenset(n for n, each in enumerate(kernel.arguments) if each in assumed))


def _tells(instruction: Instruction) -> bool:
    if instruction.op == "store":
        return effects.is_ordered(instruction)
    changes = instruction.op in ("atomicrmw", "cmpxchg") and changes_memory(instruction)
    return changes and not stores_what_it_finds(instruction)


def _takes(read: Instruction, facts: Uniformity) -> bool:
    """Return whether a read may take a lock."""
    if not changes_memory(read) or stores_what_it_finds(read):
        return False
    return read.op != "cmpxchg" or facts.is_uniform(read.operands[1])


def _objects(accesses: Iterable[Instruction]) -> Objects:
    return frozenset[Value]().union(*(objects_of(effects.pointer_operand(access)) for access in accesses))


def _may_meet(a: Objects, b: Objects) -> bool:
    return bool(a & b) or any(kind_of(each) is Kind.UNKNOWN for each in a | b)


def _may_be_one(a: Objects, b: Objects) -> bool:
    """As `_may_meet`, where any two parameters may be one array."""
    return _may_meet(a, b) or all(any(kind_of(each) is Kind.PARAMETER for each in objects) for objects in (a, b))


@final
class _Judge:
    def __init__(self, kernel: Function, flow: Flow, block: Extent | None) -> None:
        self._kernel: Final = kernel
        self._flow: Final = flow
        self._levels: Final = LaneLevels(kernel, block, warp_size_of(kernel).bit_length() - 1)
        self._single: Final = SingleThreads(kernel, flow, self._levels, block)

    def is_too_late_in_lock_step(self, loop: FlowLoop, tells: list[Instruction]) -> bool:
        if not tells:
            return False
        alone, apart = self._single.of_warp(loop.header), self._leave_apart(loop)
        exits = {s for b in loop.blocks for s in self._flow.successors[b] if s not in loop.blocks}
        later: set[Block] = set()
        if apart and not alone:  # 1
            later |= _reached(exits, None, _gathers)
        for branch, target in self._other_ways(loop):  # 2
            if not apart and target in exits and _looks(branch):
                continue  # the first turn of the loop
            later |= _reached([target], loop.header, _gathers)
        return any(self._comes(tell, later, _gathers) and not self._is_same(loop, tell) for tell in tells)

    def is_too_late_in_turn(
        self, loop: FlowLoop, reads: list[Instruction], tells: list[Instruction], *, warps: bool
    ) -> bool:
        """`warps`: warps in lock-step take turns, not threads."""
        facts = uniformity(self._kernel)
        if any(_takes(read, facts) for read in reads):  # 3
            return False
        passed = self._is_of_early_warp if warps else self._is_of_early_thread
        tells = [tell for tell in tells if not passed(loop, tell)]  # 5
        if not tells:
            return False
        after = _reached([loop.header], None, is_barrier)  # 4
        if any(self._comes(tell, after, is_barrier) for tell in tells):
            return True
        if any(loop.header in _behind(tell, is_barrier) for tell in tells):
            return True
        for branch in self._flow.order:
            targets = self._flow.successors[branch]
            if len(targets) < 2 or facts.is_uniform(branch.terminator.operands[0]):
                continue
            reached = [_reached([target], None, is_barrier) for target in targets]
            for here in (blocks for blocks in reached if loop.header in blocks):
                others = set[Block]().union(*(blocks for blocks in reached if blocks is not here))
                if any(self._comes(tell, others, is_barrier) for tell in tells):
                    return True
        return False

    def _leave_apart(self, loop: FlowLoop) -> bool:
        """Return whether lanes of a warp may leave a loop at different times. At one `mbarrier` they wait for one
        phase to end."""
        turns = [i for b in loop.blocks for i in b.instructions if i.op == "call" and i.callee == AWAIT_WARPS]
        reads = waiting_reads(self._flow, loop)
        if turns and all(self._levels.of(effects.pointer_operand(read)) == self._levels.whole for read in reads):
            return False
        return any(self._parts(b) for b in loop.blocks if not self._stays(b, loop))

    def _parts(self, branch: Block) -> bool:
        """Return whether lanes of a warp may go different ways at a branch."""
        levels = self._levels
        return len(self._flow.successors[branch]) > 1 and levels.of(branch.terminator.operands[0]) < levels.whole

    def _stays(self, branch: Block, loop: FlowLoop) -> bool:
        return all(s in loop.blocks for s in branch.successors)

    def _other_ways(self, loop: FlowLoop) -> Iterator[tuple[Block, Block]]:
        """Branches and their targets that lanes take while others come to the loop, before they meet."""
        for branch in self._flow.order:
            if branch in loop.blocks or not self._parts(branch):
                continue
            meeting = self._flow.post.immediate(branch)
            targets = self._flow.successors[branch]
            here = [t for t in targets if t is not meeting and loop.header in _reached([t], meeting, _never)]
            yield from ((branch, t) for t in targets if here and here != [t])

    def _comes(self, tell: Instruction, blocks: set[Block], stops: _Stops) -> bool:
        """Return whether whoever comes to the beginning of one of `blocks` may come to a tell in it."""
        before = tell.parent.instructions
        return tell.parent in blocks and not any(stops(i) for i in before[: before.index(tell)])

    def _is_same(self, loop: FlowLoop, tell: Instruction) -> bool:
        """Return whether one and the same thread comes to the loop and to a tell."""
        thread = self._single.of_block(loop.header)
        return thread is not None and thread == self._single.of_block(tell.parent)

    def _is_of_early_thread(self, loop: FlowLoop, tell: Instruction) -> bool:
        return self._is_same(loop, tell) or self._is_first(tell)

    def _is_of_early_warp(self, loop: FlowLoop, tell: Instruction) -> bool:
        """Return whether only the first warp of the block comes to a tell, or the one that comes to the loop."""
        warp = self._single.warp_of_block(tell.parent)
        return warp is not None and (warp == 0 or warp == self._single.warp_of_block(loop.header))

    def _is_first(self, tell: Instruction) -> bool:
        """Return whether only the first thread of its block comes to a tell."""
        thread = self._single.of_block(tell.parent)
        return thread is not None and all(to == 0 for _, to in thread)


def _gathers(instruction: Instruction) -> bool:
    """Return whether all lanes of a warp come to an instruction before any goes on."""
    if is_barrier(instruction):
        return True
    if not is_masked(instruction):
        return False
    position = mask_position(instruction.callee)
    mask = None if position is None else instruction.arguments[position]
    known = None if mask is None else integer_of(mask)
    return mask is not None and known is not None and ~known % (1 << mask.type.bits) == 0


def _looks(branch: Block) -> bool:
    """Return whether a branch decides by what its block has read of memory that others change."""
    work = [branch.terminator.operands[0]]
    while work:
        value = work.pop()
        if isinstance(value, Instruction) and value.parent is branch and value.op != "phi":
            if is_shared_read(value):
                return True
            work += value.operands
    return False


def _never(_instruction: Instruction) -> bool:
    return False


def _reached(starts: Iterable[Block], stop: Block | None, stops: _Stops) -> set[Block]:
    """The blocks that paths from the beginning of `starts` come to, before `stop` and before an instruction that
    `stops`."""
    found: set[Block] = set()
    work = [b for b in starts if b is not stop]
    while work:
        block = work.pop()
        if block not in found:
            found.add(block)
            if not any(stops(i) for i in block.instructions):
                work.extend(s for s in block.successors if s is not stop)
    return found


def _behind(tell: Instruction, stops: _Stops) -> set[Block]:
    """The blocks that paths from a tell come to, before an instruction that `stops`."""
    code = tell.parent.instructions
    if any(stops(i) for i in code[code.index(tell) :]):
        return set()
    return _reached(tell.parent.successors, None, stops)
