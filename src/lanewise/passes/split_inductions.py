# SPDX-License-Identifier: Apache-2.0
"""split-inductions: takes a counter apart into where each work-item starts and a count that all share.

Why
    Compilers make of `in[(tile + threadIdx.y) * n + x]`, with `tile` the counter of a loop, an index that starts at a
    value of each thread's own and grows by `16 * n`. In a loop with barriers such an index is kept in memory for each
    work-item, from one region to the next. Of a value from memory nothing is known, and neighbours gather. Its start
    can be computed again, and the count is kept once for all.

Before
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
    define ptx_kernel void @f(ptr %p, i32 %n) {
    entry:
      %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      br label %loop
    loop:
      %k = phi i32 [ 0, %entry ], [ %more, %loop ]
      %i = phi i32 [ %x, %entry ], [ %next, %loop ]
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %q = getelementptr i32, ptr %p, i32 %i
      store i32 0, ptr %q, align 4
      %next = add i32 %i, %n
      %more = add i32 %k, 1
      %done = icmp eq i32 %more, %n
      br i1 %done, label %end, label %loop
    end:
      ret void
    }

After
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
    define ptx_kernel void @f(ptr %p, i32 %n) {
    entry:
      %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      br label %loop
    loop:
      %k = phi i32 [ 0, %entry ], [ %more, %loop ]
      %i.count = phi i32 [ 0, %entry ], [ %i.count.next, %loop ]
      %i = add i32 %x, %i.count
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %q = getelementptr i32, ptr %p, i32 %i
      store i32 0, ptr %q, align 4
      %i.count.next = add i32 %i.count, %n
      %more = add i32 %k, 1
      %done = icmp eq i32 %more, %n
      br i1 %done, label %end, label %loop
    end:
      ret void
    }

Needs
    1. A loop with a barrier, whose header all work-items reach together.
    2. An integer of 32 or 64 bits, or a pointer, that varies and is no uniform value already.
    3. In each iteration one or several sums in a row add to the counter what is uniform.
    4. Within the loop, a pointer moves by indices of 64 bits, all of elements of one type.

Method
    The counter becomes the sum of its start and a new counter that starts at 0 and grows by the same. Sums of integers
    are those modulo their size, so the new ones carry no flags. A pointer that moves several times per iteration, as in
    `a += 4 * n; ...; a += 4 * n;`, becomes several sums of the new counter, each where the pointer's own is.

When not
    Without a barrier, the counter is in a register, and lanes know its steps. A counter that moves in a loop within the
    loop, which has no barrier of its own, is left alone.

Neighbours
    Runs when LLVM has simplified the kernel, since it would join the two counters again, and before the work-group
    function, whose regions end at barriers.
"""

from typing import NamedTuple

from lanewise.analysis.uniformity import Uniformity, has_barrier, uniformity
from lanewise.ir import types as ty
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.loops import Loop, find_loops
from lanewise.ir.values import Value, int_constant


class _Counter(NamedTuple):
    """A phi, the block before the loop, and the sums that lead to what it gets from each iteration, last one first. Its
    start is what it has from that block when it is split: before, that may be a counter which isn't split yet."""

    phi: Instruction
    before: Block
    sums: list[Instruction]
    latch: Block


def run(function: Function) -> bool:
    """Split the counters of a kernel's loops; see above. Returns whether anything changed."""
    if not function.blocks:
        return False
    loops = [loop for loop in find_loops(function).loops if any(map(has_barrier, loop.blocks))]
    if not any(_is_number(phi) for loop in loops for phi in loop.header.phis):
        return False
    facts = uniformity(function)
    counters = [c for loop in loops for phi in loop.header.phis if (c := _counter(phi, loop, facts)) is not None]
    for counter in counters:
        _split(counter, facts)
    return bool(counters)


def _is_number(phi: Instruction) -> bool:
    return phi.type in (ty.I32, ty.I64) or phi.type.is_pointer


def _counter(phi: Instruction, loop: Loop, facts: Uniformity) -> _Counter | None:
    if loop.header in facts.divergent_blocks or len(loop.latches) != 1:  # 1
        return None
    if not _is_number(phi) or facts.is_uniform(phi):  # 2
        return None
    incoming = {block in loop.blocks: (value, block) for value, block in phi.incoming()}
    if len(phi.operands) != 4 or len(incoming) != 2:
        return None
    (_, before), (total, latch) = incoming[False], incoming[True]
    sums = _sums(phi, total, loop, facts)
    if not sums or len({total.source_type for total in sums}) != 1:  # 4
        return None
    return _Counter(phi, before, sums, latch)


def _sums(phi: Instruction, total: Value, loop: Loop, facts: Uniformity) -> list[Instruction]:
    """The sums that lead from the counter to `total`, last one first; empty where there is anything else."""
    sums: list[Instruction] = []
    while total is not phi:
        if not isinstance(total, Instruction) or total.op == "phi" or total.block not in loop.blocks:  # 3
            return []
        parts = _parts(total, facts)
        if parts is None or not facts.is_uniform(parts.step):  # 3
            return []
        sums.append(total)
        total = parts.counter
    return sums


class _Parts(NamedTuple):
    counter: Value
    step: Value


def _parts(total: Instruction, facts: Uniformity) -> _Parts | None:
    """The operands of a sum: what varies, and what is added to it."""
    if total.op == "getelementptr" and len(total.operands) == 2:
        return _Parts(*total.operands) if total.operands[1].type is ty.I64 else None  # 4
    if total.op != "add":
        return None
    one, other = total.operands
    return _Parts(other, one) if facts.is_uniform(one) else _Parts(one, other)


def _split(counter: _Counter, facts: Uniformity) -> None:
    phi, header = counter.phi, counter.phi.parent
    first = counter.sums[-1]
    steps = {total: parts.step for total in counter.sums if (parts := _parts(total, facts)) is not None}
    type_ = steps[first].type
    name = phi.name or ""
    count = Instruction("phi", type_, (int_constant(type_, 0), counter.before), name=f"{name}.count" if name else None)
    header.insert(header.instructions.index(phi), count)
    following: Instruction = count
    for total in reversed(counter.sums):
        following = Instruction(
            "add",
            type_,
            (following, steps[total]),
            name=f"{name}.count.next" if name and total is counter.sums[0] else None,
        )
        block = total.parent
        block.insert(block.instructions.index(total), following)
    count.append_operand(following)
    count.append_operand(counter.latch)
    operands = (next(value for value, block in phi.incoming() if block is counter.before), count)
    if phi.type.is_pointer:
        value = Instruction("getelementptr", phi.type, operands, name=phi.name, source_type=first.source_type)
    else:
        value = Instruction("add", phi.type, operands, name=phi.name)
    header.insert(len(header.phis), value)
    phi.replace_all_uses(value)
    phi.erase()
    for total in counter.sums:
        if not total.users:
            total.erase()
