# SPDX-License-Identifier: Apache-2.0
"""Instructions that order accesses of work-items: in a work-group, and those of two work-groups.

Barriers order the work-items of a group, whole operations of a warp those of the warp; both are counted. Nothing else
is followed: after an instruction that may order accesses otherwise, they are taken as ordered.

Those of two groups take a release by the one and an acquire by the other (PTX ISA, "Memory Consistency Model", "Release
and acquire patterns"): a fence before an atomic write, and an atomic read of it before a fence, both of a scope beyond
the group, or accesses that have such an order of their own. What a work-item has acquired is handed on to others by a
barrier or an operation of the warp, since causality order is transitive; by itself such an operation orders those alone
that take part in it. As in CUDA's samples, a barrier may stand in place of the reader's fence. So a group may be
ordered with others after a fence, and after an atomic read if there is a fence in the kernel.
"""

from collections.abc import Set
from typing import Final, final

from lanewise.analysis.flow import Flow
from lanewise.analysis.spinning import changes_memory, waiting_reads
from lanewise.ir import effects
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import BARRIERS, EXCHANGES, PARTIAL_BARRIERS

_GRID_BARRIER: Final = "__lw_grid_sync"
_FENCES: Final = "llvm.nvvm.membar."
_NARROW_FENCE: Final = "llvm.nvvm.membar.cta"
_NARROW: Final = ("block", "workgroup", "singlethread")
_RELAXED: Final = ("unordered", "monotonic")


def is_barrier(instruction: Instruction) -> bool:
    """True for a barrier of the whole work-group, or of the grid."""
    return instruction.callee in BARRIERS or instruction.callee == _GRID_BARRIER


def is_of_whole_warp(operation: Instruction) -> bool:
    """True for an operation of a warp that all of its lanes are to take part in."""
    mask = effects.member_mask(operation)
    if mask is None and ".sync" in operation.callee:
        mask = operation.arguments[0]
    return mask is None or (getattr(mask, "kind", "") == "int" and getattr(mask, "integer", 0) == -1)


def may_order_in_group(instruction: Instruction) -> bool:
    """True for a fence, a barrier of some warps, an operation of some lanes, assembly, and an atomic access that
    acquires or releases."""
    name = instruction.callee
    if name in PARTIAL_BARRIERS or name in EXCHANGES or instruction.op == "fence" or name.startswith(_FENCES):
        return True
    return _is_ordered_access(instruction) or _is_assembly(instruction)


@final
class GroupOrder:
    """Instructions that may order accesses of a kernel with those of other work-groups. `in_group`: accesses to memory
    that no other group has, shared or private."""

    def __init__(self, kernel: Function, in_group: Set[Instruction]) -> None:
        self._in_group: Final = in_group
        self._releases: Final = any(self._is_wide_fence(i) for block in kernel.blocks for i in block.instructions)

    def may_order(self, instruction: Instruction) -> bool:
        """True if what comes after an instruction may be ordered with what another work-group does."""
        learns = self._releases and instruction not in self._in_group and _may_learn(instruction)
        return learns or self._is_wide_fence(instruction)

    def _is_wide_fence(self, instruction: Instruction) -> bool:
        """True for what orders accesses beyond the work-group by itself: a fence, an atomic access with an order,
        synchronisation of the grid, assembly."""
        name = instruction.callee
        if name == _GRID_BARRIER or _is_assembly(instruction):
            return True
        if name.startswith(_FENCES):
            return name != _NARROW_FENCE
        is_ordered_access = _is_ordered_access(instruction) and instruction not in self._in_group
        return (instruction.op == "fence" or is_ordered_access) and _is_wide(instruction)


def reads_that_wait(kernel: Function) -> tuple[Instruction, ...]:
    """Reads in loops that go on until the value is the one that is waited for, such as a flag of another group."""
    end = Block(None, kernel)
    flow = Flow(kernel.entry, end, lambda block: dict.fromkeys(block.successors) or [end])
    reads = dict.fromkeys(read for loop in flow.loops for read in waiting_reads(flow, loop))
    return tuple(read for read in reads if not changes_memory(read))


def _may_learn(instruction: Instruction) -> bool:
    """True for an access that may read what another group has released: an atomic or volatile one. The kernel learns
    nothing by a value that it doesn't use."""
    if instruction.op == "store" or instruction.op not in effects.ACCESSES or not instruction.users:
        return False
    is_atomic = instruction.op in ("atomicrmw", "cmpxchg") or instruction.ordering is not None
    return (is_atomic and _is_wide(instruction)) or (not is_atomic and instruction.is_volatile)


def _is_ordered_access(instruction: Instruction) -> bool:
    ordering = instruction.ordering
    return instruction.op != "fence" and ordering is not None and ordering.success not in _RELAXED


def _is_wide(instruction: Instruction) -> bool:
    ordering = instruction.ordering
    return ordering is None or not any(name in ordering.scope for name in _NARROW)


def _is_assembly(instruction: Instruction) -> bool:
    return instruction.op == "call" and getattr(instruction.operands[0], "kind", "") == "asm"
