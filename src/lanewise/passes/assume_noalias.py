# SPDX-License-Identifier: Apache-2.0
"""assume-noalias: declares pointers that a kernel writes through, in loops, to reach what no other pointer reaches.

Why
    In `for (k = 0; k < n; ++k) c[i] += a[i * n + k] * b[k];` nothing says that `c` is not part of `a`. So each
    iteration stores, and what it loads it can't have loaded before. Few programs write `__restrict__`, and next to all
    hand in arrays of their own. Whether they do, the launch sees; where not, it runs code that was made without this
    pass.

Before
    define ptx_kernel void @k(ptr %c, ptr %a, i64 %n) {
    entry:
      br label %loop
    loop:
      %i = phi i64 [ 0, %entry ], [ %next, %loop ]
      %p = getelementptr float, ptr %a, i64 %i
      %x = load float, ptr %p, align 4
      %y = load float, ptr %c, align 4
      %sum = fadd float %x, %y
      store float %sum, ptr %c, align 4
      %next = add i64 %i, 1
      %done = icmp eq i64 %next, %n
      br i1 %done, label %end, label %loop
    end:
      ret void
    }

After
    define ptx_kernel void @k(ptr noalias %c, ptr %a, i64 %n) {
    entry:
      br label %loop
    loop:
      %i = phi i64 [ 0, %entry ], [ %next, %loop ]
      %p = getelementptr float, ptr %a, i64 %i
      %x = load float, ptr %p, align 4
      %y = load float, ptr %c, align 4
      %sum = fadd float %x, %y
      store float %sum, ptr %c, align 4
      %next = add i64 %i, 1
      %done = icmp eq i64 %next, %n
      br i1 %done, label %end, label %loop
    end:
      ret void
    }

Needs
    1. A parameter of the kernel, a pointer that is not `noalias` yet, that something is stored through.
    2. A loop that stores through parameters, and in which some address stays the same: there LLVM's loop-invariant code
       motion has something to do.
    3. All memory that the kernel accesses is reached from parameters, its own variables, or variables that no array
       overlaps: those in shared or constant memory. A pointer that was loaded from memory may lead anywhere, and
       numbers that are made of pointers may lead from one to another.
    4. Nothing orders accesses of different work-items (`analysis/ordering.py`). There LLVM would not believe in
       barriers, see `drop_noalias.py`.

Method
    All such parameters are declared. The launch is to see that the array behind each overlaps none behind another
    pointer.

When not
    Where two arrays overlap; the code without this pass is right for all.

Neighbours
    Runs on the simplified kernel, which is then simplified again. Stores that leave a loop also let lanes walk along
    rows there (`workgroup/lanes/analysis/row_loops.py`).
"""

from __future__ import annotations

from typing import Final

from lanewise.analysis.ordering import orders
from lanewise.analysis.origins import DERIVED, origins, parameters_behind
from lanewise.ir import effects
from lanewise.ir.address_spaces import CONSTANT, SHARED
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.loops import Loop, find_loops
from lanewise.ir.module import GlobalVariable
from lanewise.ir.values import Argument, Value

_WORD: Final = "noalias"


def run(kernel: Function) -> bool:
    """Declare parameters of a kernel apart from others; see above. Gives whether anything changed."""
    if not kernel.is_kernel or not kernel.blocks:
        return False
    if not any(map(_moves_something, find_loops(kernel).loops)):  # 2
        return False
    if not _reaches_only_known(kernel):  # 3
        return False
    if orders(kernel):  # 4
        return False
    declared = [argument for argument in _written(kernel) if _WORD not in argument.attributes]  # 1
    for argument in declared:
        argument.attributes = (_WORD, *argument.attributes)
    return bool(declared)


def _moves_something(loop: Loop) -> bool:
    """It stores through a parameter, and accesses an address that stays the same and others may reach."""
    accesses = [i for block in loop.blocks for i in block.instructions if i.op in ("load", "store")]
    stores = any(i.op == "store" and parameters_behind(i.operands[1]) for i in accesses)
    addresses = [effects.pointer_operand(i) for i in accesses]
    return stores and any(_stays(address, loop) and not _is_own(address) for address in addresses)


def _is_own(address: Value) -> bool:
    return all(isinstance(origin, Instruction) and origin.op == "alloca" for origin in origins(address))


def _stays(address: Value, loop: Loop) -> bool:
    if not isinstance(address, Instruction) or address.block not in loop.blocks:
        return True
    return address.op in DERIVED and all(_stays(operand, loop) for operand in address.operands)


def _written(kernel: Function) -> list[Argument]:
    """The parameters that something may be written through, in their order."""
    found: set[Value] = set()
    for instruction in kernel.instructions():
        if instruction.op == "store":
            found.update(parameters_behind(instruction.operands[1]))
        elif effects.is_copy(instruction):
            found.update(parameters_behind(instruction.arguments[0]))
    return [argument for argument in kernel.arguments if argument in found]


def _reaches_only_known(kernel: Function) -> bool:
    """All that the kernel reads and writes is known to be of something that no array overlaps, or of a parameter."""
    for instruction in kernel.instructions():
        if instruction.op in ("load", "store"):
            reached = [effects.pointer_operand(instruction)]
        elif instruction.op == "ptrtoint":
            return False
        elif instruction.op == "call":
            if effects.is_copy(instruction):
                reached = [value for value in instruction.arguments[:2] if value.type.is_pointer]
            elif effects.touches_memory(instruction):
                return False
            else:
                continue
        else:
            continue
        if not all(_is_known(origin) for address in reached for origin in origins(address)):
            return False
    return True


def _is_known(origin: Value) -> bool:
    if isinstance(origin, Instruction):
        return origin.op == "alloca"
    if isinstance(origin, GlobalVariable):
        return origin.is_constant or origin.type.addrspace in (SHARED, CONSTANT)
    return isinstance(origin, Argument)
