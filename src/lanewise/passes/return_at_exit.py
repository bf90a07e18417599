# SPDX-License-Identifier: Apache-2.0
"""return-at-exit: ends a thread by a return, once the function that ends it is a part of the kernel.

Why
    PTX's `exit` ends the thread, wherever it is. Within a kernel that is what a return does, and regions, masks and
    exit edges know returns.

Before
    declare void @llvm.nvvm.exit()
    define ptx_kernel void @f(i1 %c) {
    entry:
      br i1 %c, label %leave, label %stay
    leave:
      call void @llvm.nvvm.exit()
      unreachable
    stay:
      ret void
    }

After
    declare void @llvm.nvvm.exit()
    define ptx_kernel void @f(i1 %c) {
    entry:
      br i1 %c, label %leave, label %stay
    leave:
      ret void
    stay:
      ret void
    }

Needs
    1. The function is a kernel: a return elsewhere goes to the caller.
    2. The call is that of `exit`.

Method
    All that follows the call goes, and with it its block's edges.

When not
    In a function that is not inlined `exit` stays, and the CPU device refuses it by name.

Neighbours
    Runs when all calls are inlined.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction

_EXIT: Final = "llvm.nvvm.exit"


def run(function: Function) -> bool:
    """Return from a kernel where it exits; see above. Returns whether anything changed."""
    if not function.is_kernel:  # 1
        return False
    changed = False
    for block in function.blocks:
        place = next((n for n, i in enumerate(block.instructions) if i.callee == _EXIT), None)  # 2
        if place is not None:
            _end(block, place)
            changed = True
    return changed


def _end(block: Block, place: int) -> None:
    for successor in set(block.successors):
        for phi in successor.phis:
            _forget(phi, block)
    for instruction in block.instructions[place:]:
        instruction.drop_operands()
    del block.instructions[place:]
    block.append(Instruction("ret", ty.VOID))


def _forget(phi: Instruction, before: Block) -> None:
    kept = [part for value, block in phi.incoming() if block is not before for part in (value, block)]
    phi.drop_operands()
    for part in kept:
        phi.append_operand(part)
