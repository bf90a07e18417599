# SPDX-License-Identifier: Apache-2.0
"""Types of PTX in terms of the kernel IR's.

Source: PTX ISA 9.0, 5.2 "Types".
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.types import Type

HALF: Final = ty.floating("half")
BFLOAT: Final = ty.floating("bfloat")

TYPES: Final[dict[str, Type]] = {
    "pred": ty.I1,
    **{f"{kind}{bits}": ty.integer(bits) for kind in "bus" for bits in (8, 16, 32, 64)},
    "b128": ty.integer(128),
    "f16": HALF,
    "bf16": BFLOAT,
    "f32": ty.FLOAT,
    "f64": ty.DOUBLE,
    "f16x2": ty.vector(2, HALF),
    "bf16x2": ty.vector(2, BFLOAT),
    "u16x2": ty.vector(2, ty.I16),
    "s16x2": ty.vector(2, ty.I16),
    "f32x2": ty.vector(2, ty.FLOAT),
}
"""Types of instructions, registers and variables. Types with fewer bits than a byte, and those of matrices, are not
here."""


def bits_of(type_: Type) -> int:
    """The size of a number or a vector of numbers."""
    return type_.count * type_.inner.bits if type_.is_vector else type_.bits


def is_signed(word: str) -> bool:
    """True for `s32` and the like."""
    return word[0] == "s"


def is_floating(word: str) -> bool:
    """True for `f32`, `bf16x2` and the like."""
    return word[0] == "f" or word[:2] == "bf"
