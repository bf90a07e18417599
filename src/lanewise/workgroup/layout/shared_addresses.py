# SPDX-License-Identifier: Apache-2.0
"""Addresses of shared memory as numbers.

On a GPU such a number is an offset that fits 32 bits, and programs count on it (`__cvta_generic_to_shared`), while here
a pointer to shared memory is an address like any other. So the start of the arena is subtracted where a pointer
becomes a number, and added where a number becomes a pointer. Source: PTX ISA manual, clause `cvta`.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanewise.ir import types as ty
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.builder import Builder
from lanewise.ir.types import Type
from lanewise.ir.values import Value


def converts_shared_address(op: str, operands: Sequence[Value], to: Type) -> bool:
    """Return whether an operation makes a pointer to shared memory a number, or the other way round."""
    match op:
        case "ptrtoint" | "ptrtoaddr":
            pointer = operands[0].type
        case "inttoptr":
            pointer = to
        case _:
            return False
    return pointer.is_pointer and pointer.addrspace == SHARED


def convert_shared_address(op: str, value: Value, to: Type, arena: Value, build: Builder) -> Value:
    """The number of a pointer to shared memory, or the pointer of a number."""
    if op == "inttoptr":
        wide = build.cast("zext", value, ty.I64) if value.type.bits < 64 else value
        return build.address(ty.I8, arena, [wide])
    start = build.cast("ptrtoint", arena, ty.I64)
    number = build.binary("sub", build.cast("ptrtoint", value, ty.I64), start)
    return number if to.bits == 64 else build.cast("trunc", number, to)
