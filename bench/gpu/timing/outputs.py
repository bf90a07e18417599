# SPDX-License-Identifier: Apache-2.0
"""How far the arrays of two launches are apart."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from ..problem import Array

_PIECE: Final = 1 << 22
"""Elements that are compared at a time."""


def same_bits(found: Array, expected: Array) -> bool:
    """True if two arrays of a shape and type hold the same bytes."""
    a, b = (np.ascontiguousarray(each).reshape(-1).view(np.uint8) for each in (found, expected))
    words = a.size // 8 * 8
    return np.array_equal(a[:words].view(np.uint64), b[:words].view(np.uint64)) and np.array_equal(a[words:], b[words:])


def difference(found: Array, expected: Array) -> float:
    """The greatest difference, relative to the greatest finite element; infinite where one is a NaN and the other
    isn't. 0 for the same bytes alone. Structures either are equal, 0, or not, 1."""
    if same_bits(found, expected):
        return 0.0
    if found.dtype.kind not in "fiu":
        return 1.0
    a, b = found.reshape(-1), expected.reshape(-1)
    worst, scale = math.ulp(0.0), 0.0
    for first in range(0, a.size, _PIECE):
        apart, size = _of_piece(*(each[first : first + _PIECE].astype(np.float64) for each in (a, b)))
        worst, scale = max(worst, apart), max(scale, size)
    return worst / (scale or 1.0) or math.ulp(0.0)


def _of_piece(a: Array, b: Array) -> tuple[float, float]:
    """The greatest difference, and the greatest finite number that was expected."""
    with np.errstate(invalid="ignore"):
        apart = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, np.abs(a - b))
    finite = np.abs(b[np.isfinite(b)])
    return float(np.where(np.isnan(apart), np.inf, apart).max()), float(finite.max()) if finite.size else 0.0
