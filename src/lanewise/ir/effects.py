# SPDX-License-Identifier: Apache-2.0
"""Effects of an instruction on memory and control, and the divergence of its result. All come out of the tables of
operations and intrinsics.

Terms
    access     a load, store, atomicrmw or cmpxchg
    copy       a call of memcpy, memmove or memset
    marker     a debug record, or an intrinsic that means nothing to execution
    unknown    a call of anything but an intrinsic of the table: of a function, through a pointer, of assembly

An unknown call may do whatever is asked for. Callers that know the function look into it first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import Intrinsic, intrinsic_of
from lanewise.ir.layout import size_of
from lanewise.ir.ops import OPS, Divergence, Op
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value

_COPIES: Final = ("llvm.memcpy", "llvm.memmove", "llvm.memset")
_POINTER: Final = {"load": 0, "store": 1, "atomicrmw": 0, "cmpxchg": 0}
"""Access -> number of the operand that is its pointer."""
ACCESSES: Final = frozenset(_POINTER)


def reads(instruction: Instruction) -> bool:
    """May read memory."""
    row = _row(instruction)
    return _is_unknown(instruction, row) or (row is not None and row.reads)


def writes(instruction: Instruction) -> bool:
    """May change memory, or do something else that is seen from outside."""
    row = _row(instruction)
    return _is_unknown(instruction, row) or (row is not None and row.writes)


def touches_memory(instruction: Instruction) -> bool:
    """May read memory, or change it or anything else that is seen from outside."""
    row = _row(instruction)
    return _is_unknown(instruction, row) or (row is not None and (row.reads or row.writes))


def may_not_return(instruction: Instruction) -> bool:
    """May end the work-item or the program, so that what comes after it is not executed."""
    row = _row(instruction)
    return _is_unknown(instruction, row) or (isinstance(row, Intrinsic) and row.ends)


def is_pure(instruction: Instruction) -> bool:
    """May be executed anywhere its operands are known, any number of times: it touches no memory, makes none, can't
    fail, and is the same for any set of work-items."""
    row = _row(instruction)
    if row is None or row.reads or row.writes:
        return False
    if isinstance(row, Op):
        return not (row.traps or row.form in ("memory", "terminator"))
    return not (row.convergent or row.ignorable)


def is_marker(instruction: Instruction) -> bool:
    """Means nothing to execution: a debug record, a hint, an assumption."""
    if instruction.is_debug_record:
        return True
    row = _row(instruction)
    return isinstance(row, Intrinsic) and row.ignorable


def is_copy(instruction: Instruction) -> bool:
    """A call (target, source or byte, length, volatile) of memcpy, memmove or memset."""
    return instruction.callee.startswith(_COPIES)


def is_ordered(instruction: Instruction) -> bool:
    """A fence, an atomic access or a volatile one: other work-items may be meant to see when it is done."""
    ordered = instruction.op in ("fence", "atomicrmw", "cmpxchg") or instruction.ordering is not None
    return ordered or instruction.is_volatile


def orders(instruction: Instruction) -> bool:
    """May order what different work-items read and write: an ordered access, a volatile copy, a barrier, an operation
    of the warp, or an unknown call."""
    if instruction.op != "call":
        return is_ordered(instruction)
    if is_copy(instruction):
        return _is_true(instruction.arguments[-1])
    return reads(instruction) and writes(instruction)


def divergence(instruction: Instruction) -> Divergence:
    """The divergence of the result. Two work-items may see different values in an ordered load."""
    if instruction.op == "load" and is_ordered(instruction):
        return "varying"
    row = _row(instruction)
    if row is None:
        return "varying" if instruction.op == "call" else "uniform"
    return row.divergence


def member_mask(call: Instruction) -> Value | None:
    """The argument that says which work-items of the warp take part in an operation of it; None if none does."""
    row = intrinsic_of(call.callee)
    return None if row is None or row.members is None else call.arguments[row.members]


def pointer_operand(access: Instruction) -> Value:
    """The address that an access loads from or stores to."""
    return access.operands[_POINTER[access.op]]


def set_pointer_operand(access: Instruction, pointer: Value) -> None:
    """Let an access be at another address. A value that it stores stays, also where that is the old address."""
    access.set_operand(_POINTER[access.op], pointer)


def accessed_type(access: Instruction) -> Type:
    """The type of what an access loads, stores or compares."""
    if access.op == "load":
        return access.type
    return access.operands[0 if access.op == "store" else 1].type


def access_size(access: Instruction, types: Mapping[str, Type | None]) -> int:
    """Bytes that an access touches."""
    return size_of(accessed_type(access), types)


def _row(instruction: Instruction) -> Op | Intrinsic | None:
    """The row of the tables: None for a debug record and for an unknown call."""
    if instruction.op == "call":
        return intrinsic_of(instruction.callee)
    return OPS.get(instruction.op)


def _is_unknown(instruction: Instruction, row: Op | Intrinsic | None) -> bool:
    return row is None and instruction.op == "call"


def _is_true(value: Value) -> bool:
    return not isinstance(value, Constant) or bool(value.integer)
