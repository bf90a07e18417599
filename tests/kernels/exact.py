# SPDX-License-Identifier: Apache-2.0
"""Exact results, rounded to a floating-point format as IEEE 754 says."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Exact = Fraction | float
"""The exact result; or an infinity, a NaN or a zero, which no rounding changes."""


class Format(NamedTuple):
    """Digits behind the leading one, and exponents of the least and the greatest normal number."""

    digits: int
    lowest: int
    highest: int

    @property
    def greatest(self) -> Fraction:
        return (2 - Fraction(1, 2**self.digits)) * 2**self.highest


HALF, BFLOAT16 = Format(10, -14, 15), Format(7, -126, 127)
SINGLE, DOUBLE = Format(23, -126, 127), Format(52, -1022, 1023)

WHOLE: Final[dict[str, Callable[[Any], int]]] = {"rn": round, "rz": math.trunc, "ru": math.ceil, "rd": math.floor}
"""CUDA's names of the roundings."""


def rounded(exact: Exact, format_: Format, mode: str = "rn") -> float:
    """The number of the format: whole in units of the last digit, as if there were no greatest number, and then put
    into the format's range (IEEE 754, 4.3)."""
    if not isinstance(exact, Fraction):
        return exact
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, format_.lowest) - format_.digits)
    value = WHOLE[mode](exact / unit) * unit
    if not value:
        return 0.0 if exact > 0 else -0.0
    if abs(value) > format_.greatest:
        outwards = mode == "rn" or mode == ("ru" if exact > 0 else "rd")
        return math.copysign(math.inf if outwards else float(format_.greatest), 1 if exact > 0 else -1)
    return float(value)


def exact(value: float) -> Exact:
    """A number as `rounded` takes it."""
    return Fraction(value) if math.isfinite(value) and value else float(value)


def root(x: float) -> Fraction:
    """The square root of a positive number to 140 digits, with a digit behind them where there are more."""
    scaled = (Fraction(x) * 4**1400).numerator
    whole = math.isqrt(scaled)
    return Fraction(2 * whole + (whole * whole != scaled), 2 * 2**1400)


def narrow_values(bits: NDArray[np.uint16], format_: Format) -> NDArray[np.float64]:
    """The numbers that bits of half or bfloat16 stand for."""
    if format_ is HALF:
        return bits.view(np.float16).astype(np.float64)
    with np.errstate(invalid="ignore"):  # signalling NaNs
        return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def narrow_bits(values: Any, format_: Format) -> NDArray[np.uint16]:
    """Bits of half or bfloat16 for numbers that the format has; 0x7fff for a NaN."""
    numbers = np.asarray(values, np.float64)
    with np.errstate(over="ignore"):
        if format_ is HALF:
            bits = numbers.astype(np.float16).view(np.uint16)
        else:
            bits = (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return np.where(np.isnan(numbers), np.uint16(0x7FFF), bits)
