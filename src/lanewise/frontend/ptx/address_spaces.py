# SPDX-License-Identifier: Apache-2.0
"""Pointers and their spaces: those to shared memory keep it, since their addresses are offsets; all others are generic.

Source: PTX ISA 9.0, 5.1 "State Spaces".
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.values import Constant, Global, Value

POINTER_TO_SHARED: Final = ty.pointer(SHARED)


def generic(pointer: Value) -> Value:
    """A pointer without an address space, unless it is to shared memory, whose addresses are offsets."""
    if pointer.type.addrspace in (0, SHARED):
        return pointer
    assert isinstance(pointer, Global)
    return Constant(ty.PTR, "expr", operands=(pointer,), opcode="addrspacecast")
