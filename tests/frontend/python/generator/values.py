# SPDX-License-Identifier: Apache-2.0
"""Numbers and arrays that random programs compute with. The programs' own text calls `values`."""

from __future__ import annotations

from typing import Any

import numpy as np

INTEGERS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)
FLOATS = (np.float64, np.float32, np.float16)
Number = type[Any]
"""A type: Python's int, float and bool, whose values are weak, or one of NumPy's."""

_MOST = {float: 1e100, np.float64: 1e100, np.float32: 1e20, np.float16: 1e4}
"""Magnitudes that floats stay below, so that nothing becomes infinite."""


def is_integer(number: Number) -> bool:
    return number is int or number in INTEGERS


def is_float(number: Number) -> bool:
    return number in _MOST


def limits(number: Number) -> tuple[Any, Any]:
    """The least and the greatest value of a type. Python's integers stay far within 64 bits."""
    if number in _MOST:
        return -_MOST[number], _MOST[number]
    if number is int:
        return -(2**62), 2**62
    return int(np.iinfo(number).min), int(np.iinfo(number).max)


def values(seed: int, dtype: str, shape: tuple[int, ...], low: Any, high: Any) -> np.ndarray[Any, Any]:
    """An array of random values from `low` to `high`, some of them at the ends. Floats have few digits, so that some
    are equal."""
    random = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "c":
        real, imag = (values(seed + part, "float64", shape, low, high) for part in range(2))
        return (real + 1j * imag).astype(dtype)
    if dtype == "bool":
        return random.integers(0, 2, shape).astype(bool)
    if np.dtype(dtype).kind == "f":
        return np.round(random.uniform(low, high, shape) * 8).astype(dtype) / np.dtype(dtype).type(8)
    drawn = random.integers(low, high, shape, dtype=dtype, endpoint=True)
    ends = np.array([low, high], dtype)[random.integers(0, 2, shape)]
    return np.where(random.random(shape) < 0.1, ends, drawn)


def records(
    seed: int, fields: list[tuple[str, str, Any, Any]], shape: tuple[int, ...], *, align: bool
) -> np.ndarray[Any, Any]:
    """An array of records of fields by name, type, and range."""
    made = np.zeros(shape, np.dtype([(name, dtype) for name, dtype, _, _ in fields], align=align))
    for number, (name, dtype, low, high) in enumerate(fields):
        made[name] = values(seed + number, dtype, shape, low, high)
    return made
