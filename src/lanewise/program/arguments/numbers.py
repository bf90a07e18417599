# SPDX-License-Identifier: Apache-2.0
"""Numbers that users give, as numbers of the kernel's types: checked, never silently changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from lanewise.errors import LaunchTypeError, LaunchValueError

Convert = Callable[[Any], Any]
"""Gives the value as it is packed; LaunchError says what was expected."""

_BOOLS: Final = (bool, np.bool)
_INTEGERS: Final = (int, np.integer, np.bool)
_REALS: Final = (int, float, np.integer, np.floating)

_INFINITE_FROM: Final = {2: 65520.0, 4: float.fromhex("0x1.ffffffp127")}
"""Size in bytes -> the least number that rounds to infinity (IEEE 754, 4.3.1). `struct` would refuse it."""


def float_converter(size: int, ctype: str, what: str) -> Convert:
    """For a floating-point type of `size` bytes, called `ctype`; what it can't hold becomes infinity, as in C."""
    limit = _INFINITE_FROM.get(size, float("inf"))

    def convert(value: Any) -> float:
        if not _is(value, _REALS) or _is(value, _BOOLS):
            raise LaunchTypeError(f"{what}: expected a number for {ctype}, not {described(value)}")
        try:
            number = float(value)
        except OverflowError:
            number = float("inf") if value > 0 else float("-inf")
        if abs(number) >= limit:
            number = float("inf") if number > 0 else float("-inf")
        return number

    return convert


def bool_converter(what: str) -> Convert:
    """For bool: True, False, 0 or 1."""

    def convert(value: Any) -> bool:
        if not _is(value, _INTEGERS) or value not in (0, 1):
            raise LaunchTypeError(f"{what}: expected a bool, not {described(value)}")
        return bool(value)

    return convert


def int_converter(size: int, signed: bool, ctype: str, what: str) -> Convert:
    """For an integer type of `size` bytes, called `ctype`."""
    bits = 8 * size
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)

    def convert(value: Any) -> int:
        if not _is(value, _INTEGERS):
            raise LaunchTypeError(f"{what}: expected an integer for {ctype}, not {described(value)}")
        number = int(value)
        if not low <= number <= high:
            raise LaunchValueError(
                f"{what}: {shortened(str(number))} does not fit {ctype}, which holds {low} to {high}"
            )
        return number

    return convert


def bits_converter(size: int, ctype: str, what: str) -> Convert:
    """For `size` bytes of which nobody says more: an integer with or without a sign, or a NumPy number of that size."""
    bits = 8 * size
    integer = int_converter(size, False, ctype, what)

    def convert(value: Any) -> int:
        if _is(value, (np.floating,)) and value.itemsize == size:
            return int.from_bytes(value.tobytes(), "little")
        if _is(value, _INTEGERS) and -(1 << bits - 1) <= int(value) < 0:
            return int(value) + (1 << bits)
        return integer(value)

    return convert


def _is(value: object, types: tuple[type, ...]) -> bool:
    """`isinstance`, without what it tells a type checker: NumPy's scalar types are generic."""
    return isinstance(value, types)


def described(value: Any) -> str:
    """A value for a message: its type and, in short, what it is."""
    if _is(value, (np.ndarray,)):
        return f"an array of {value.dtype} of shape {value.shape}"
    return f"{type(value).__name__} {shortened(repr(value))}"


def shortened(text: str) -> str:
    return text if len(text) < 60 else text[:57] + "..."
