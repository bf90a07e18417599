# SPDX-License-Identifier: Apache-2.0
"""drop-noalias: drops `noalias` of parameters that work-items exchange values through.

Why
    `__restrict__` promises that nothing but the pointer reaches what is written through it, for all work-items of a
    kernel together: each has the same pointer. LLVM takes `noalias` for one work-item alone, in which a barrier, that
    the pointer is not handed to, changes nothing behind it (BasicAliasAnalysis). So it takes what a work-item has
    loaded before a barrier, or stored, for what is there behind the barrier, whatever others have stored meanwhile.

Before
    define void @f(ptr noalias %out, ptr noalias %in, i64 %i) {
      store i32 1, ptr %out, align 4
      call void @llvm.nvvm.barrier0()
      %p = getelementptr i32, ptr %out, i64 %i
      %x = load i32, ptr %in, align 4
      store i32 %x, ptr %p, align 4
      ret void
    }
    declare void @llvm.nvvm.barrier0()

After
    define void @f(ptr %out, ptr noalias %in, i64 %i) {
      store i32 1, ptr %out, align 4
      call void @llvm.nvvm.barrier0()
      %p = getelementptr i32, ptr %out, i64 %i
      %x = load i32, ptr %in, align 4
      store i32 %x, ptr %p, align 4
      ret void
    }
    declare void @llvm.nvvm.barrier0()

Needs
    1. A parameter that is `noalias`.
    2. The function, or one that it calls, orders accesses of different work-items: a barrier, a fence, an operation of
       the warp, an atomic or volatile access, or anything that is not known.
    3. Something may be written through the parameter. What is only read, nobody changes.

Method
    The pointer is followed through address computations, through variables that it is kept in, and into functions that
    it is handed to. Where it goes anywhere else, it counts as written through.

When not
    Where nothing orders accesses, what another work-item stores can't be looked for without a data race.

Neighbours
    Runs before functions are inlined: inlining turns `noalias` into metadata of accesses and calls.
"""

from __future__ import annotations

from typing import Final

from lanewise.analysis.ordering import orders
from lanewise.analysis.origins import DERIVED
from lanewise.ir import effects
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Argument, Value

_WORD: Final = "noalias"
_FOLLOWED: Final = DERIVED | {"phi", "select"}


def run(function: Function) -> bool:
    """Drop `noalias` of a function's parameters; see above. Gives whether anything changed."""
    promised = [a for a in function.arguments if a.type.is_pointer and _WORD in a.attributes]  # 1
    if not promised or not function.blocks or not orders(function):  # 2
        return False
    written = [argument for argument in promised if _may_be_written(argument)]  # 3
    for argument in written:
        argument.attributes = tuple(word for word in argument.attributes if word != _WORD)
    return bool(written)


def _may_be_written(argument: Argument) -> bool:
    """Something may be written through a parameter."""
    seen: set[Value] = {argument}
    work: list[Value] = [argument]
    while work:
        pointer = work.pop()
        for user in pointer.users:
            further = _followed(pointer, user)
            if further is None:
                return True
            work += [value for value in further if value not in seen]
            seen.update(further)
    return False


def _followed(pointer: Value, user: Instruction) -> list[Value] | None:
    """The pointers that a use of one makes of it; None where the use may write, or is not known."""
    if user.op in ("load", "icmp") or user.is_debug_record:
        return []
    if user.op in _FOLLOWED:
        return [user]
    if user.op == "store" and user.operands[0] is pointer and user.operands[1] is not pointer:
        return _kept_in(user.operands[1])
    if user.op != "call":
        return None
    callee = user.operands[0]
    places = [number for number, value in enumerate(user.arguments) if value is pointer]
    if isinstance(callee, Function) and callee.blocks and len(callee.arguments) == len(user.arguments):
        return [callee.arguments[number] for number in places]
    if user.type.scalar.is_pointer:  # the pointer in another form, perhaps
        return None
    return [] if not effects.writes(user) or (effects.is_copy(user) and places == [1]) else None


def _kept_in(variable: Value) -> list[Value] | None:
    """Loads from a variable that a pointer is kept in; None if more is done with it."""
    if not isinstance(variable, Instruction) or variable.op != "alloca":
        return None
    for user in variable.users:
        is_kept = user.op == "store" and user.operands[1] is variable
        if user.op != "load" and not effects.is_marker(user) and not is_kept:
            return None
    return [user for user in variable.users if user.op == "load"]
