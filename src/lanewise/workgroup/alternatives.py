# SPDX-License-Identifier: Apache-2.0
"""Kernels that may run by either of two mappings, work-group by work-group: nobody can tell from the results.

Lanes and a loop over work-items give the same bits where each work-item's results are its own, but for the signs and
payloads of NaNs. Observable is what
depends on the order of the work-items of a group:

    results of atomic operations    the value before, which tells who came first
    sums of floating-point numbers  by atomic operations: rounding depends on the order
    fast mathematics                flags that let LLVM reassociate or approximate: each mapping does it its own way
    printf, traps, assertions       the order of the lines; who is told of
    warps, volatile accesses        mappings disagree on what runs in lock-step
    loops that wait                 mappings disagree on who can wait for whom

Kernels with any of these keep one mapping. So do those with counters (profiles), checks, code for debugging or calls of
functions that aren't inlined, since all of these call functions of the runtime core.
"""

from typing import Final

from lanewise.ir import effects
from lanewise.ir.counters import VARIABLE
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module

_SUMS: Final = frozenset({"add", "sub"})
_IN_ANY_ORDER: Final = (_SUMS, *(frozenset({op}) for op in ("and", "or", "xor", "max", "min", "umax", "umin")))
"""Atomic operations that together leave the same in memory in any order."""
_INEXACT: Final = frozenset({"fast", "reassoc", "arcp", "afn"})


def has_same_results(source: Module, kernel: Function) -> bool:
    """Return whether a kernel's results don't depend on the order of its work-items, as far as they don't race."""
    instructions = [i for i in kernel.instructions() if not i.is_debug_record]
    atomic = {i.predicate for i in instructions if i.op == "atomicrmw"}
    alike = not atomic or any(atomic <= group for group in _IN_ANY_ORDER)
    return alike and VARIABLE not in source.symbols and not is_inexact(kernel) and all(map(_is_alike, instructions))


def is_inexact(kernel: Function) -> bool:
    """Return whether a kernel has operations of fast mathematics."""
    return not all(_INEXACT.isdisjoint(instruction.flags) for instruction in kernel.instructions())


def _is_alike(instruction: Instruction) -> bool:
    """Return whether an instruction does the same in any order of work-items."""
    if instruction.op == "atomicrmw":  # volatile, too, by the signatures of OpenCL C
        return not instruction.users
    if instruction.is_volatile or instruction.op == "cmpxchg":
        return False
    if instruction.op in ("load", "store"):
        return instruction.ordering is None
    if instruction.op == "call":
        return instruction.callee.startswith("llvm.") and not effects.may_not_return(instruction)
    return True
