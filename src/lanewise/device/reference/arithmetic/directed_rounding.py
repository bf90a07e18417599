# SPDX-License-Identifier: Apache-2.0
"""Arithmetic and conversions with a stated rounding, in exact fractions.

Source: PTX ISA manual, clauses `add`, `mul`, `div`, `fma`, `rcp`, `sqrt`, `cvt`, "Rounding Modifiers"; IEEE 754-2019,
sections 4.3 and 6.3.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from lanewise.device.reference.arithmetic import floats
from lanewise.device.reference.arithmetic.floats import is_negative
from lanewise.device.reference.arithmetic.formats import FORMATS, nearest, toward
from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value, unknown_result
from lanewise.device.reference.arithmetic.integers import wrapped
from lanewise.ir.types import Type

Maker = Callable[[Type, Sequence[Type]], Callable[..., Value]]
Exactly = Callable[..., Fraction | None]
"""The exact result for finite operands; None if there is none, and the plain operation determines the result."""

_KINDS: Final = {"f": "float", "d": "double"}
_MODES: Final = ("rn", "rz", "rm", "rp")


def _round(exact: Fraction, mode: str, kind: str) -> float:
    return nearest(exact, FORMATS[kind]) if mode == "rn" else toward(exact, FORMATS[kind], mode)


# -- exact results ---------------------------------------------------------------------------------------------------


def _quotient(a: float, b: float) -> Fraction | None:
    return Fraction(a) / Fraction(b) if b else None


def _square_root(a: float) -> Fraction | None:
    """The root to 130 binary digits, followed by one more digit if it is inexact. No rounding can distinguish it from
    the exact root."""
    if a < 0:
        return None
    value = Fraction(a)
    scale = 2 * (1200 + 130)
    scaled = value * 2**scale  # an integer, since the least number is 2**-1074
    root = math.isqrt(scaled.numerator)
    rest = Fraction(1, 2) if root * root != scaled.numerator else Fraction(0)
    return (root + rest) / 2 ** (scale // 2)


def _exact_sum(a: float, b: float) -> Fraction:
    return Fraction(a) + Fraction(b)


def _exact_product(a: float, b: float) -> Fraction:
    return Fraction(a) * Fraction(b)


def _exact_reciprocal(a: float) -> Fraction | None:
    return _quotient(1.0, a)


def _exact_fused_sum(a: float, b: float, c: float) -> Fraction:
    return Fraction(a) * Fraction(b) + Fraction(c)


def _reciprocal(a: float) -> float:
    return floats.divide(1.0, a)


def _fused_sum(a: float, b: float, c: float) -> float:
    """The fused sum for infinities and NaNs. A finite product doesn't matter beside an infinite c, even if it overflows
    a float."""
    return c if math.isfinite(a) and math.isfinite(b) else a * b + c


_OPERATIONS: Final[dict[str, tuple[Exactly, Callable[..., float]]]] = {
    "add": (_exact_sum, operator.add),
    "mul": (_exact_product, operator.mul),
    "div": (_quotient, floats.divide),
    "rcp": (_exact_reciprocal, _reciprocal),
    "sqrt": (_square_root, floats.square_root),
    "fma": (_exact_fused_sum, _fused_sum),
}
"""The exact operation, and the same with Python's operators. The latter is for infinite operands, NaNs, and the sign of
a zero product or quotient."""


def _arithmetic(op: str, mode: str, kind: str) -> Maker:
    exactly, plainly = _OPERATIONS[op]

    def compute(*operands: float) -> float:
        if not all(map(math.isfinite, operands)):
            return plainly(*operands)
        exact = exactly(*operands)
        if exact is None:
            return plainly(*operands)
        if exact:
            return _round(exact, mode, kind)
        return _zero(op, mode, operands)

    return _of_known(compute)


def _zero(op: str, mode: str, operands: Sequence[float]) -> float:
    """A result that is exactly zero. A sum of parts with different signs is -0 when rounding downwards, otherwise
    +0."""
    if op not in ("add", "fma"):
        return _OPERATIONS[op][1](*operands)
    negative = [is_negative(part) for part in operands]
    if op == "fma":
        negative = [negative[0] != negative[1], negative[2]]
    both = all(negative) if any(negative) != all(negative) else negative[0]
    return -0.0 if both or (mode == "rm" and any(negative)) else 0.0


# -- conversions -----------------------------------------------------------------------------------------------------

_WHOLE: Final[dict[str, Callable[[float], int]]] = {
    "rn": round, "rz": math.trunc, "rm": math.floor, "rp": math.ceil,
}  # fmt: skip
_SIGNED: Final = {"i": True, "ui": False, "ll": True, "ull": False}


def _to_integer(mode: str, signed: bool) -> Maker:
    """Conversion that clamps to the integer's range. A NaN becomes 0, or the lowest signed number in 64 bits."""

    def make(result: Type, operands: Sequence[Type]) -> Callable[..., Value]:
        bits = result.bits
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)

        def convert(a: float) -> int:
            if a != a:
                return 0 if bits < 64 else wrapped(1 << 63, 64)
            if math.isinf(a):
                return wrapped(high if a > 0 else low, bits)
            return wrapped(min(max(_WHOLE[mode](a), low), high), bits)

        return _of_known(convert)(result, operands)

    return make


def _from_integer(mode: str, signed: bool) -> Maker:
    def make(result: Type, operands: Sequence[Type]) -> Callable[..., Value]:
        mask = (1 << operands[0].bits) - 1

        def convert(a: int) -> float:
            value = a if signed else a & mask
            return _round(Fraction(value), mode, result.kind) if value else 0.0

        return _of_known(convert)(result, operands)

    return make


def _narrowed(mode: str) -> Maker:
    def convert(a: float) -> float:
        return _round(Fraction(a), mode, "float") if a and math.isfinite(a) else a

    return _of_known(convert)


def _of_known(compute: Callable[..., Value]) -> Maker:
    def run(*operands: Value) -> Value:
        if any(operand.__class__ is Indeterminate for operand in operands):
            return unknown_result(*operands)
        return compute(*operands)

    return lambda result, operands: run


def _rows() -> dict[str, Maker]:
    rows: dict[str, Maker] = {}
    for mode in _MODES:
        for letter, kind in _KINDS.items():
            rows |= {f"{op}.{mode}.{letter}": _arithmetic(op, mode, kind) for op in _OPERATIONS}
            for name, signed in _SIGNED.items():
                rows[f"{letter}2{name}.{mode}"] = _to_integer(mode, signed)
                rows[f"{name}2{letter}.{mode}"] = _from_integer(mode, signed)
        rows[f"d2f.{mode}"] = _narrowed(mode)
    return {f"nvvm.{name}": maker for name, maker in rows.items()}


DIRECTED_ROUNDING: Final = _rows()
