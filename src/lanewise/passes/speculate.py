# SPDX-License-Identifier: Apache-2.0
"""speculate: computes before a divergent branch what only one of its arms needs.

Why
    A warp whose threads take both edges of a branch executes both arms. So it costs nothing to do an arm's arithmetic
    before the branch. Arms after each other may then share it, and an arm with nothing left in it becomes a select. For
    sm_80, a particle's forces within a radius take 5 % fewer instructions, and an option's price, with its logarithm of
    what may be 0, 3 %.

Before
    define ptx_kernel void @f(ptr %out, ptr %a) {
    entry:
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %odd = trunc i32 %t to i1
      br i1 %odd, label %arm, label %join
    arm:
      %i = zext i32 %t to i64
      %p = getelementptr inbounds float, ptr %a, i64 %i
      %v = load float, ptr %p, align 4
      br label %join
    join:
      %w = phi float [ %v, %arm ], [ 0.0, %entry ]
      store float %w, ptr %out, align 4
      ret void
    }
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

After
    define ptx_kernel void @f(ptr %out, ptr %a) {
    entry:
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %odd = trunc i32 %t to i1
      %i = zext i32 %t to i64
      %p = getelementptr inbounds float, ptr %a, i64 %i
      br i1 %odd, label %arm, label %join
    arm:
      %v = load float, ptr %p, align 4
      br label %join
    join:
      %w = phi float [ %v, %arm ], [ 0.0, %entry ]
      store float %w, ptr %out, align 4
      ret void
    }
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

Needs
    1. A branch of a kernel whose condition may differ between the threads of a block, and which all of them come to.
       All threads of a warp skip the arm of another one together, and what is hoisted out of it is wasted. A branch in
       a divergent arm stays, since that arm would get longer.
    2. An arm is one block, entered by this branch alone. From it control goes to where the other edge leads, or the
       other arm, and there is more than the end of the thread: a guard around all of a kernel has nothing to share.
    3. What is hoisted touches no memory, can't trap, and is the same for any set of threads.
    4. Its operands are known before the branch.
    5. No attribute of a call makes a wrong argument or result undefined: a result may now be poison that nobody uses.

Method
    gpucc, section 3.5. All that can be hoisted is, or nothing. If nothing is left in the arms, the phis after them
    become selects. Otherwise code generation would sink into an arm again what was hoisted.

When not
    Unless it is enabled by name: for sm_90 the gain is 2 %, and `md` takes 42 registers in place of 32. More than 12
    operations to hoist, or more than 5 that stay in an arm: few operations hoisted out of a long arm are executed by
    threads that don't need them, and make no branch go away. Arms with loops in them. A branch with one short arm and
    one long one, of which most warps execute one alone.

Neighbours
    LLVM's speculative-execution runs within its optimiser, too, and again at code generation, with a limit of 7. It
    hoists out of uniform branches as well, which saves 1 % where they become predicates (`max_pool`), and before loops
    are cleared of what doesn't change in them, which saves 3 % (`scan`). So it stays on; with a limit of 20 it
    lengthens one kernel by 9 % (`rope`), since it doesn't ask which arms are executed apart. Runs before
    `reassociate-pointer-arithmetic`, which finds addresses that share terms.
    69 functions of that pass's own tests, as kernels with divergent branches and a store after the arms: the same is
    hoisted in 59, nothing by both in 6, more here in 2 (both arms of one, `ldexp`), and less in 2, by calls that the
    IR's table of intrinsics lacks (`arithmetic.fence`, `fptrunc.round`). As they are, 61 are left alone, since their
    branches are uniform, or guard all that the function does (1, 2).
"""

from typing import Final

from lanewise.analysis.uniformity import Uniformity, uniformity
from lanewise.ir import effects
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction, Metadata

MOST_HOISTED: Final = 12
"""Operations that are hoisted out of the arms of a branch, at most. From 9 on, `md` becomes straight-line code, from 11
on the conditions of `hotspot`; 20 hoists nothing more in the suite."""
MOST_LEFT: Final = 5
"""Operations that may stay in an arm, as LLVM's pass has it."""


def run(function: Function) -> bool:
    """Hoist out of the arms of a kernel; see above. Returns whether anything changed."""
    if not function.is_kernel:  # 1
        return False
    changed = False
    while _hoist(function):  # a select may be the condition of a branch further down
        changed = True
    return changed


def _hoist(function: Function) -> bool:
    branches = [block for block in function.blocks if _is_conditional(block.terminator) and _arms(block)]
    if not branches:
        return False
    same = uniformity(function)
    return sum([_speculate(block, same) for block in branches]) > 0


def _is_conditional(branch: Instruction) -> bool:
    return branch.op == "br" and len(branch.operands) == 3


def _arms(block: Block) -> list[Block]:
    one, other = block.successors
    goals = {
        arm: arm.successors[0]
        for arm in (one, other)
        if one is not other and arm is not block and arm.predecessors == [block] and not _ends(arm)
    }
    if len(goals) == 2 and goals[one] is goals[other]:
        return [one, other]
    return [arm for arm, goal in goals.items() if goal is (other if arm is one else one)]  # 2


def _ends(arm: Block) -> bool:
    """True for an arm after which nothing comes but the end."""
    return len(arm.successors) != 1 or len(arm.successors[0].instructions) == 1  # 2


def _speculate(block: Block, same: Uniformity) -> bool:
    if same.is_uniform(block.terminator.operands[0]) or block in same.divergent_blocks:  # 1
        return False
    hoisted: list[Instruction] = []
    for arm in _arms(block):
        found = _hoistable(arm)
        left = sum(not effects.is_marker(each) for each in arm.instructions) - len(found) - 1
        if left > MOST_LEFT:
            return False
        hoisted += found
    if not 0 < len(hoisted) <= MOST_HOISTED:
        return False
    place = len(block.instructions) - 1
    for number, instruction in enumerate(hoisted):
        instruction.parent.instructions.remove(instruction)
        block.insert(place + number, instruction)
    _fold(block)
    return True


def _fold(block: Block) -> None:
    """Make selects of a branch whose arms have nothing left in them."""
    branch = block.terminator
    test = branch.operands[0]
    one, other = block.successors
    arms = _arms(block)
    if any(len(arm.instructions) > 1 for arm in arms):
        return
    join = arms[0].successors[0]
    before = {side: side if side in arms else block for side in (one, other)}
    for phi in join.phis:
        values = {place: value for value, place in phi.incoming()}
        a, b = values[before[one]], values[before[other]]
        if a is not b:
            made = Instruction("select", phi.type, (test, a, b), metadata=_place(phi))
            a = block.insert(len(block.instructions) - 1, made)
        kept = [(value, place) for value, place in phi.incoming() if place not in before.values()]
        phi.drop_operands()
        for value, place in [*kept, (a, block)]:
            phi.append_operand(value)
            phi.append_operand(place)
        if not kept:
            phi.replace_all_uses(a)
            phi.erase()
    branch.drop_operands()
    branch.append_operand(join)
    for arm in arms:
        arm.terminator.drop_operands()
        block.parent.blocks.remove(arm)


def _place(instruction: Instruction) -> Metadata:
    return tuple(each for each in instruction.metadata if each[0] == "!dbg")


def _hoistable(arm: Block) -> list[Instruction]:
    stays: set[object] = set()
    found: list[Instruction] = []
    for instruction in arm.instructions:
        if _may_be_anywhere(instruction) and stays.isdisjoint(instruction.operands):  # 4
            found.append(instruction)
        else:
            stays.add(instruction)
    return found


def _may_be_anywhere(instruction: Instruction) -> bool:
    if instruction.op == "phi" or instruction.is_terminator or not effects.is_pure(instruction):  # 3
        return False
    if instruction.call is None:
        return True
    words = (*instruction.call.prefix, *(word for each in instruction.call.arguments for word in each))
    return not words and "#" not in instruction.call.suffix  # 5
