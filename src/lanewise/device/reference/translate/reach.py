# SPDX-License-Identifier: Apache-2.0
"""The functions that a kernel may call, and the subset that may wait for other work-items."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lanewise.device.reference.run.warp import WARP_SIZE, WIDE_SIZE
from lanewise.ir.address_spaces import GENERIC, SHARED
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import intrinsic_of, is_wide
from lanewise.ir.module import Module, constants_in
from lanewise.ir.values import Constant, Global, Value

GRID_SYNC_FUNCTION: Final = "__lw_grid_sync"
"""The function that the headers call to wait for all groups of the grid, in one work-item per group."""


class Reach:
    """The defined functions that `kernel` may call, itself first.

    Any function whose address the module takes may be the target of a call through a pointer."""

    def __init__(self, module: Module, kernel: Function) -> None:
        self._callees: Final[dict[Function, list[Function]]] = {}
        self.by_address: tuple[Function, ...] = ()
        """Functions that may be called through a pointer."""
        queue = [kernel]
        while queue:
            function = queue.pop()
            if function in self._callees:
                continue
            callees = _defined(function)
            if any(is_indirect(i) for i in function.instructions() if i.op == "call"):
                self.by_address = self.by_address or addressed_functions(module)
                callees += self.by_address
            self._callees[function] = callees
            queue += callees
        self.functions: Final = [kernel, *(f for f in module.functions if f in self._callees and f is not kernel)]
        self._waiting: Final = self._find_waiting()

    def waits(self, function: Function) -> bool:
        """True if a call of the function may have to wait for other work-items."""
        return function in self._waiting

    @property
    def meets_grid(self) -> bool:
        """True if one of the functions waits for the grid."""
        return any(i.callee == GRID_SYNC_FUNCTION for f in self.functions for i in f.instructions())

    @property
    def warp_size(self) -> int:
        """The number of lanes of a warp: twice the usual one if the functions have operations of such warps."""
        wide = any(is_wide(i.callee) for f in self.functions for i in f.instructions())
        return WIDE_SIZE if wide else WARP_SIZE

    @property
    def waits_by_address(self) -> bool:
        """True if calls through pointers may have to wait. All possible targets are then treated alike."""
        return any(f in self._waiting for f in self.by_address)

    def _find_waiting(self) -> set[Function]:
        waiting = {f for f in self._callees if any(is_meeting(i) for i in f.instructions())}
        grown = True
        while grown:
            if not waiting.isdisjoint(self.by_address):
                waiting.update(self.by_address)
            more = {f for f, callees in self._callees.items() if not waiting.isdisjoint(callees)} - waiting
            waiting |= more
            grown = bool(more)
        return waiting


def is_indirect(call: Instruction) -> bool:
    """True if a call goes through a pointer that is not a constant name."""
    target = call.operands[0]
    return not isinstance(target, Global) and getattr(target, "kind", "") != "asm"


def is_meeting(instruction: Instruction) -> bool:
    """True for a barrier of the group or the grid, an operation of the warp, or an access in lock-step."""
    if instruction.callee == GRID_SYNC_FUNCTION or may_be_in_lock_step(instruction):
        return True
    row = intrinsic_of(instruction.callee)
    return row is not None and row.convergent


def may_be_in_lock_step(instruction: Instruction) -> bool:
    """True for a volatile access that may be of shared memory."""
    in_question = instruction.op in ("load", "store") and instruction.is_volatile
    return in_question and may_be_shared(instruction.operands[-1])


def may_be_shared(pointer: Value) -> bool:
    """True if an address may be in shared memory, judging by its type and origin."""
    is_private = isinstance(pointer, Instruction) and pointer.op == "alloca"
    return pointer.type.addrspace in (GENERIC, SHARED) and not is_private


def is_in_shared(pointer: Value) -> bool:
    """True if an address is in shared memory wherever it is in its object, or is no known one."""
    while isinstance(pointer, Instruction | Constant) and pointer.operands and _keeps_object(pointer):
        pointer = pointer.operands[0]
    return pointer.type.addrspace == SHARED


def _keeps_object(pointer: Instruction | Constant) -> bool:
    op = pointer.op if isinstance(pointer, Instruction) else pointer.opcode
    return op in ("getelementptr", "addrspacecast")


def _defined(function: Function) -> list[Function]:
    called = (i.operands[0] for i in function.instructions() if i.op == "call")
    return [c for c in called if isinstance(c, Function) and c.blocks]


def addressed_functions(module: Module) -> tuple[Function, ...]:
    """Defined functions whose address is an operand or part of an initialiser, in the order of the module."""
    found: set[Value] = set()
    for variable in module.variables:
        if variable.initializer is not None:
            found.update(constants_in(variable.initializer))
    for function in module.functions:
        for instruction in function.instructions():
            operands = instruction.arguments if instruction.op == "call" else instruction.operands
            found.update(_globals_in(operands))
    return tuple(f for f in module.functions if f.blocks and f in found)


def _globals_in(operands: Iterable[Value]) -> Iterable[Value]:
    for operand in operands:
        for value in constants_in(operand):
            if isinstance(value, Global):
                yield value
