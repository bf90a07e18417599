# SPDX-License-Identifier: Apache-2.0
"""Denormals of single precision as zeros of their sign, in functions that ask for it.

An operation that computes takes them for zeros and gives zeros in their place; one that moves, negates or takes the
absolute value keeps them. Source: LLVM Language Reference, "denormal-fp-math-f32"; PTX ISA, ".ftz".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from lanewise.device.reference.arithmetic.indeterminate import Value
from lanewise.ir import types as ty
from lanewise.ir.types import Type

_LEAST_NORMAL: Final = 2.0**-126
COMPUTING: Final = frozenset({
    "fadd", "fsub", "fmul", "fdiv", "frem", "fcmp", "fptrunc", "fpext", "fptosi", "fptoui",
})  # fmt: skip
"""Instructions that compute."""
_KEEPING: Final = ("fabs.", "copysign.", "is.fpclass.")


def computes(intrinsic: str) -> bool:
    """True if an intrinsic, named without `llvm.`, computes."""
    return not intrinsic.startswith(_KEEPING)


def flushing(compute: Callable[..., Value], result: Type, operands: Sequence[Type]) -> Callable[..., Value]:
    """`compute` between zeros in place of denormals. It is `compute` itself if no type is of single precision."""
    concerned = [each.scalar is ty.FLOAT for each in operands]
    if not any(concerned) and result.scalar is not ty.FLOAT:
        return compute
    flushes_result = result.scalar is ty.FLOAT

    def run(*values: Value) -> Value:
        given = (_flushed(value) if at else value for value, at in zip(values, concerned, strict=True))
        made = compute(*given)
        return _flushed(made) if flushes_result else made

    return run


def _flushed(value: Value) -> Value:
    if value.__class__ is tuple:
        return tuple(map(_flushed, value))
    if value.__class__ is float and abs(value) < _LEAST_NORMAL:
        return math.copysign(0.0, value)
    return value
