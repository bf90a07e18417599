# SPDX-License-Identifier: Apache-2.0
"""Objects in memory that a pointer of a kernel may point into, and objects that never overlap.

An object is named by a value: a shared variable, an array in local memory that is an argument (an address computed from
`LOCAL_ARGUMENTS` and the argument alone), a private variable, a parameter that is a pointer, or a variable of the
module. Any other address (loaded from memory, made from a number, the result of a call) may point anywhere.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeGuard

from lanewise.analysis.origins import DERIVED
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import GlobalVariable
from lanewise.ir.values import Argument, Constant, Value

LOCAL_ARGUMENTS: Final = "__lw_local"
"""The variable that arguments in local memory are parts of (`frontend/opencl/kernels.py`). They don't overlap."""


Objects = frozenset[Value]


class Kind(Enum):
    SHARED = "shared variable, or part of dynamic shared memory"
    PRIVATE = "private variable"
    PARAMETER = "memory of the host that a parameter points to"
    VARIABLE = "variable of the module"
    UNKNOWN = "anything"


def objects_of(pointer: Value) -> Objects:
    """All objects that a pointer may point into, also through choices between pointers."""
    found: set[Value] = set()
    seen: set[Value] = set()
    work = [pointer]
    while work:
        value = work.pop()
        if value in seen:
            continue
        seen.add(value)
        if _is_local_argument(value):
            found.add(value)
        elif _is_part(value):
            work.append(value.operands[0])
        elif isinstance(value, Instruction) and value.op == "select":
            work += value.operands[1:]
        elif isinstance(value, Instruction) and value.op == "phi":
            work += [incoming for incoming, _ in value.incoming()]
        else:
            found.add(value)
    return frozenset(found)


def kind_of(object_: Value) -> Kind:
    if isinstance(object_, GlobalVariable):
        return Kind.SHARED if object_.type.addrspace == SHARED else Kind.VARIABLE
    if isinstance(object_, Argument) and object_.type.is_pointer:
        return Kind.SHARED if object_.type.addrspace == SHARED else Kind.PARAMETER
    if isinstance(object_, Instruction) and object_.op == "alloca":
        return Kind.PRIVATE
    return Kind.SHARED if _is_local_argument(object_) else Kind.UNKNOWN


def are_apart(a: Value, b: Value) -> bool:
    """True if two objects have no byte in common in any launch."""
    kinds = {kind_of(a), kind_of(b)}
    if Kind.UNKNOWN in kinds or a is b:
        return False
    if kinds == {Kind.PARAMETER}:
        return _is_noalias(a) or _is_noalias(b)
    if kinds == {Kind.SHARED}:
        return not (_is_dynamic(a) and _is_dynamic(b))
    return kinds != {Kind.PARAMETER, Kind.VARIABLE}


def _is_part(value: Value) -> TypeGuard[Instruction | Constant]:
    """True if `value` is an address in the object that its first operand points to."""
    if isinstance(value, Constant):
        return value.kind == "expr" and value.type.is_pointer
    return isinstance(value, Instruction) and value.op in DERIVED


def _is_noalias(object_: Value) -> bool:
    return isinstance(object_, Argument) and "noalias" in object_.attributes


def _is_dynamic(object_: Value) -> bool:
    """True for shared memory whose size only the launch says. All such variables start at the same address."""
    return not _is_local_argument(object_) and not (
        isinstance(object_, GlobalVariable) and object_.initializer is not None
    )


def _is_local_argument(value: Value) -> bool:
    if not isinstance(value, Instruction) or value.op != "getelementptr":
        return False
    base, *indices = value.operands
    return isinstance(base, GlobalVariable) and base.name == LOCAL_ARGUMENTS and isinstance(indices[0], Argument)
