# SPDX-License-Identifier: Apache-2.0
"""Whether code orders what different work-items read and write, so that one may see what another has stored."""

from __future__ import annotations

from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import intrinsic_of
from lanewise.ir.values import Constant, Value

COPIES: Final = ("llvm.memcpy", "llvm.memmove", "llvm.memset")
"""Intrinsics that read and write only what they are handed."""


def orders(function: Function) -> bool:
    """A function, or one that it calls, has a barrier, a fence, an operation of the warp, an atomic or volatile access,
    or does what nobody knows."""
    seen: dict[Function, None] = {function: None}
    work = [function]
    while work:
        for instruction in work.pop().instructions():
            callee = instruction.operands[0] if instruction.op == "call" else None
            if isinstance(callee, Function) and callee.blocks:
                if callee not in seen:
                    seen[callee] = None
                    work.append(callee)
            elif _orders_by_itself(instruction):
                return True
    return False


def _orders_by_itself(instruction: Instruction) -> bool:
    if instruction.op == "call":
        row = intrinsic_of(instruction.callee)
        if row is None:
            return True
        if row.name.startswith(COPIES):
            return _is_true(instruction.arguments[-1])  # volatile
        return row.reads and row.writes and not row.ignorable
    ordered = instruction.op in ("fence", "atomicrmw", "cmpxchg") or instruction.ordering is not None
    return ordered or instruction.is_volatile


def _is_true(value: Value) -> bool:
    return not isinstance(value, Constant) or bool(value.integer)
