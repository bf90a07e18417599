# SPDX-License-Identifier: Apache-2.0
"""Device intrinsics that the host has no instruction for, written out. Each function returns the result.

Source: PTX ISA manual, clauses `mul` (mode .hi), `prmt`, `ld.global.nc`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i32, i64, int_constant

Expansion = Callable[[Builder, Type, Sequence[Value]], Value]


def _high_half(extend: str) -> Expansion:
    """Upper half of the product of two integers."""

    def expand(build: Builder, type_: Type, arguments: Sequence[Value]) -> Value:
        wide = ty.integer(2 * type_.bits)
        a, b = (build.cast(extend, argument, wide) for argument in arguments[:2])
        product = build.binary("mul", a, b)
        return build.cast("trunc", build.binary("lshr", product, int_constant(wide, type_.bits)), type_)

    return expand


def _permute_bytes(build: Builder, type_: Type, arguments: Sequence[Value]) -> Value:
    """prmt: each nibble of the selector takes one of eight bytes, or with its top bit that byte's sign."""
    low, high, selector = arguments
    shifted = build.binary("shl", build.cast("zext", high, ty.I64), i64(32))
    bytes_ = build.binary("or", build.cast("zext", low, ty.I64), shifted)
    result: Value = i32(0)
    for index in range(4):
        nibble = build.binary("lshr", selector, i32(4 * index))
        amount = build.binary("shl", build.binary("and", nibble, i32(7)), i32(3))
        moved = build.binary("lshr", bytes_, build.cast("zext", amount, ty.I64))
        byte = build.cast("trunc", moved, ty.I8)
        sign = build.binary("ashr", byte, int_constant(ty.I8, 7))
        wants_sign = build.compare("ne", build.binary("and", nibble, i32(8)), i32(0))
        chosen = build.select(wants_sign, sign, byte)
        placed = build.binary("shl", build.cast("zext", chosen, ty.I32), i32(8 * index))
        result = build.binary("or", result, placed)
    return result


def _cached_load(build: Builder, type_: Type, arguments: Sequence[Value]) -> Value:
    """Load: the read-only cache makes no difference."""
    return build.load(type_, arguments[0])


def _reference_handle(build: Builder, type_: Type, arguments: Sequence[Value]) -> Value:
    """Load the handle of the texture or surface that is bound to a reference, from the reference's variable."""
    return build.load(type_, arguments[0], align=8)


EXPANSIONS: Final[dict[str, Expansion]] = {
    "llvm.nvvm.mulhi.i": _high_half("sext"),
    "llvm.nvvm.mulhi.ui": _high_half("zext"),
    "llvm.nvvm.mulhi.ll": _high_half("sext"),
    "llvm.nvvm.mulhi.ull": _high_half("zext"),
    "llvm.nvvm.prmt": _permute_bytes,
    "llvm.nvvm.ldg.global.i": _cached_load,
    "llvm.nvvm.ldg.global.f": _cached_load,
    "llvm.nvvm.ldg.global.p": _cached_load,
    "llvm.nvvm.ldu.global.i": _cached_load,
    "llvm.nvvm.ldu.global.f": _cached_load,
    "llvm.nvvm.texsurf.handle.internal": _reference_handle,
}
