# SPDX-License-Identifier: Apache-2.0
"""Puts every barrier at the end of a block of its own, so that regions are made of whole blocks.

Before
    define void @f(ptr %p, ptr %q) {
    b:
      %x = load float, ptr %p
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      store float %x, ptr %q
      ret void
    }

    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

After
    define void @f(ptr %p, ptr %q) {
    b:
      %x = load float, ptr %p
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      br label %b.after

    b.after:
      store float %x, ptr %q
      ret void
    }

    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

A block that ends in a barrier is one whose last instruction but the branch is a barrier; the branch is
unconditional and its target has no phis.
"""

from __future__ import annotations

from lanewise.analysis.uniformity import Uniformity, is_barrier, uniformity
from lanewise.errors import CompileError
from lanewise.ir import types as ty
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.values import i32

GROUP_BARRIER = "llvm.nvvm.barrier.cta.sync.aligned.all"
WARP_BARRIER = "llvm.nvvm.bar.warp.sync"


def isolate_barriers(kernel: Function) -> None:
    """Split blocks after their barriers, the last one first: so each instruction moves once."""
    blocks: list[Block] = []
    for block in kernel.blocks:
        barriers = [index for index, instruction in enumerate(block.instructions) if is_barrier(instruction)]
        parts = [_split(block, index) for index in reversed(barriers)]
        for number, part in enumerate(reversed(parts), 1):
            part.name = block.name and f"{block.name}.after{'' if number == 1 else number}"
        blocks += [block, *reversed(parts)]
    kernel.blocks = blocks


def barrier_of(block: Block) -> Instruction | None:
    """The barrier that `block` ends in, or None. Only after `isolate_barriers`."""
    if len(block.instructions) >= 2 and is_barrier(block.instructions[-2]):
        return block.instructions[-2]
    return None


def widen_warp_barriers(module: Module, kernel: Function) -> None:
    """Make each `__syncwarp` that all work-items reach together a barrier of the group, which is stricter.

    CompileError if only some reach it: that needs warps in lock-step, which a loop over work-items doesn't have.
    """
    calls = [i for i in kernel.instructions() if i.callee == WARP_BARRIER]
    if not calls:
        return
    facts: Uniformity = uniformity(kernel)
    if GROUP_BARRIER not in module.symbols:
        module.add(Function(GROUP_BARRIER, ty.function(ty.VOID, (ty.I32,)), []))
    for call in calls:
        if call.parent in facts.divergent_blocks:
            raise CompileError(
                f'kernel {kernel.symbol}: __syncwarp() in divergent control flow needs a warp, which mapping="loop" '
                "has not on the CPU device"
            )
        call.set_operand(0, module.function(GROUP_BARRIER))
        call.set_operand(1, i32(0))


def _split(block: Block, index: int) -> Block:
    """Move what follows instruction `index` of `block` to a new block, and branch there."""
    rest = Block(None, block.parent)
    moved = block.instructions[index + 1 :]
    del block.instructions[index + 1 :]
    for instruction in moved:
        rest.append(instruction)
    for successor in rest.successors:
        for phi in successor.phis:
            phi.replace_operand(block, rest)
    block.append(Instruction("br", ty.VOID, (rest,)))
    return rest


def fold_single_phis(function: Function) -> None:
    """Replace phis of one incoming value (loop-closed form leaves many) by the value."""
    for block in function.blocks:
        for phi in block.phis:
            incoming = list(phi.incoming())
            if len(incoming) == 1 and incoming[0][0] is not phi:
                phi.replace_all_uses(incoming[0][0])
                phi.erase()
