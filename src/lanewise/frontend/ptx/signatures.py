# SPDX-License-Identifier: Apache-2.0
"""Types of functions in terms of the kernel IR's.

A scalar is passed as a value, an array (a structure by value) as a pointer: of kernels `byval`, of functions plain,
since a function only reads its parameters. Functions take numbers of floating point as integers, since who calls one by
its address may not know better.

Source: PTX ISA 9.0, 5.1.6 "Parameter State Space".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanewise.frontend.ptx.ptx_types import TYPES, bits_of
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.types import Type
from lanewise.ptx.language.statements import Declaration

SYSTEM_CALLS: Final = {
    "vprintf": ty.function(ty.I32, (ty.PTR, ty.PTR)),
    "malloc": ty.function(ty.PTR, (ty.I64,)),
    "free": ty.function(ty.VOID, (ty.PTR,)),
    "__assertfail": ty.function(ty.VOID, (ty.PTR, ty.PTR, ty.I32, ty.PTR, ty.I64)),
}
"""Functions that every device provides (CUDA C++ Programming Guide, "Formatted Output", "Assertion" and others)."""


def is_array(declaration: Declaration) -> bool:
    """True for `.b8 p[16]`, a structure."""
    return bool(declaration.declarators[0].dimensions)


def of_one(declaration: Declaration, name: str) -> Declaration:
    """The declaration of one of its names."""
    own = next(each for each in declaration.declarators if each.name == name)
    return Declaration(
        declaration.space, declaration.type, (own,), alignment=declaration.alignment, vector=declaration.vector,
        start=declaration.start,
    )  # fmt: skip


def element_of(declaration: Declaration) -> Type:
    """The type of a variable, or of the elements of an array."""
    type_ = TYPES.get(declaration.type)
    if type_ is None:
        raise RefusedError(f"a variable of type .{declaration.type} is not supported", declaration.start)
    if type_.is_vector:
        type_ = ty.integer(bits_of(type_))
    return type_ if declaration.vector is None else ty.array(declaration.vector, type_)


def type_of(declaration: Declaration) -> Type:
    """The type of a variable's memory."""
    type_ = element_of(declaration)
    for count in reversed(declaration.declarators[0].dimensions):
        type_ = ty.array(count or 0, type_)
    return type_


def function_type(results: Sequence[Declaration], parameters: Sequence[Declaration]) -> Type:
    """The type of a function that is called."""
    given = tuple(ty.PTR if is_array(each) else _passed(each) for each in parameters)
    if not results:
        return ty.function(ty.VOID, given)
    returned = tuple(type_of(each) if is_array(each) else _passed(each) for each in results)
    return ty.function(returned[0] if len(returned) == 1 else ty.struct(returned), given)


def _passed(declaration: Declaration) -> Type:
    """The type of a scalar that is passed: one in a register may be a predicate."""
    type_ = element_of(declaration)
    return type_ if type_.kind == "array" else ty.integer(bits_of(type_))
