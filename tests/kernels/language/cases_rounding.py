# SPDX-License-Identifier: Apache-2.0
"""Expectations of arithmetic and conversions in a stated rounding, from exact fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from ..case import Arguments, Array, Launch, Table
from ..exact import DOUBLE, SINGLE, WHOLE, Exact, exact, root, rounded
from .cases_floats import to_each
from .cases_integers import columns

TABLE = Table(__file__)
MODES = tuple(WHOLE)
FORMATS = {"f4": SINGLE, "f8": DOUBLE}


# -- operands -------------------------------------------------------------------------------------------------------


def everywhere(dtype: Any) -> Callable[[Launch, np.random.Generator], Array]:
    """Numbers of every size: ordinary ones, any bits, denormals, and the ends of the format."""

    def make(launch: Launch, rng: np.random.Generator) -> Array:
        info, size = np.finfo(dtype), launch.size
        unsigned = np.dtype(dtype.replace("f", "u"))
        mask = (1 << (8 * unsigned.itemsize - 1)) | ((1 << (info.nmant + 2)) - 1)
        bits = rng.integers(0, 1 << 8 * unsigned.itemsize, size, unsigned)
        ends = np.array([0, 1, 3, info.max, info.tiny, info.smallest_subnormal, 1 + info.eps, np.inf, np.nan], dtype)
        kinds = [
            (rng.normal(size=size) * 2.0 ** rng.integers(-3, 4, size)).astype(dtype),
            bits.view(dtype),
            (bits & unsigned.type(mask)).view(dtype),
            rng.choice(ends, size) * rng.choice(np.array([1, -1], dtype), size),
        ]
        return np.choose(rng.integers(0, len(kinds), size), kinds)

    return make


def three(dtype: Any) -> dict[str, Callable[[Launch, np.random.Generator], Array]]:
    return {name: everywhere(dtype) for name in "abc"}


def cancelling(make: Callable[[Launch, np.random.Generator], Arguments]) -> Any:
    """c is close to -a * b for every third work-item, so that the last digits of the product are what is left."""

    def arguments(launch: Launch, rng: np.random.Generator) -> Arguments:
        given = make(launch, rng)
        with np.errstate(all="ignore"):
            near = -(given["a"] * given["b"])
            near = np.where(rng.integers(0, 2, launch.size) == 0, near, np.nextafter(near, np.zeros_like(near)))
        given["c"] = np.where(np.arange(launch.size) % 3 == 0, near, given["c"]).astype(given["a"].dtype)
        return given

    return arguments


# -- exact results --------------------------------------------------------------------------------------------------


def on_numbers(exactly: Callable[..., Fraction], plainly: Callable[..., Any], *operands: float) -> tuple[Exact, Any]:
    """The exact result, and what the operator gives, which decides where there is none or it is zero."""
    with np.errstate(all="ignore"):
        plain = plainly(*operands)
    if not all(map(math.isfinite, operands)):
        return float(plain), plain
    try:
        result = exactly(*operands)
    except (ZeroDivisionError, ValueError):
        return float(plain), plain
    return (result, plain) if result else (0.0, plain)


def _root(x: float) -> Fraction:
    if x <= 0:
        raise ValueError
    return root(x)


def _fused(a: float, b: float, c: float) -> float:
    """a * b + c where one of them is infinite or a NaN, and the product may overflow."""
    return c if math.isfinite(a) and math.isfinite(b) else a * b + c


def zero_sum(mode: str, *parts: float) -> float:
    """A sum that is exactly zero: -0 if all parts are, or downwards if one is."""
    negative = [math.copysign(1, part) < 0 for part in parts]
    if all(parts):  # they cancel
        return -0.0 if mode == "rd" else 0.0
    return -0.0 if all(negative) or (mode == "rd" and any(negative)) else 0.0


def arithmetic(dtype: str, given: Arguments) -> Array:
    kind = np.dtype(dtype).type
    rows = []
    for x, y, z in zip(given["a"], given["b"], given["c"], strict=True):
        a, b, c = float(x), float(y), float(z)
        products = (math.copysign(1, a) * math.copysign(1, b), c)
        results = [
            (on_numbers(lambda p, q: Fraction(p) + Fraction(q), lambda p, q: p + q, a, b), (a, b)),
            (on_numbers(lambda p, q: Fraction(p) - Fraction(q), lambda p, q: p - q, a, b), (a, -b)),
            (on_numbers(lambda p, q: Fraction(p) * Fraction(q), lambda p, q: p * q, a, b), ()),
            (on_numbers(lambda p, q: Fraction(p) / Fraction(q), lambda p, q: np.float64(p) / q, a, b), ()),
            (on_numbers(lambda p: 1 / Fraction(p), lambda p: 1 / np.float64(p), a), ()),
            (on_numbers(_root, np.sqrt, a), ()),
            (
                on_numbers(lambda p, q, r: Fraction(p) * Fraction(q) + Fraction(r), _fused, a, b, c),
                (math.copysign(0.0 if a * b == 0 and 0 in (a, b) else 1.0, products[0]), c),
            ),
        ]
        for mode in MODES:
            for (result, plain), parts in results:
                if isinstance(result, float) and result == 0:
                    result = zero_sum(mode, *parts) if parts else math.copysign(0.0, plain)
                rows.append(rounded(result, FORMATS[dtype], mode))
    with np.errstate(over="ignore"):
        return np.array(rows, kind)


@TABLE.case("rounding.cu", cancelling(to_each({"out": ("f4", 28)}, **three("f4"))))
def single_arithmetic(launch: Launch, given: Arguments):
    return {"out": arithmetic("f4", given)}


@TABLE.case("rounding.cu", cancelling(to_each({"out": ("f8", 28)}, **three("f8"))))
def double_arithmetic(launch: Launch, given: Arguments):
    return {"out": arithmetic("f8", given)}


# -- conversions ----------------------------------------------------------------------------------------------------


def _integer(value: float, mode: str, low: int, high: int) -> int:
    """As a 64-bit number: saturated; of a NaN 0, or the lowest signed number in 64 bits."""
    if math.isnan(value):
        result = 0 if high < 1 << 32 else 1 << 63
    elif math.isinf(value):
        result = high if value > 0 else low
    else:
        result = min(max(WHOLE[mode](value), low), high)
    return (result + (1 << 63)) % (1 << 64) - (1 << 63)


def _halves(dtype: str) -> Callable[[Launch, np.random.Generator], Array]:
    """Halves and their neighbours, and numbers near the ends of the integer types."""

    def make(launch: Launch, rng: np.random.Generator) -> Array:
        small = (rng.integers(-20, 20, launch.size) / 2).astype(dtype)
        ends = np.array(
            [2.0**31, -(2.0**31), 2.0**32, 2.0**63, -(2.0**63), 2.0**64, 1e30, -1e30, np.inf, -np.inf, np.nan]
        )
        near = rng.choice(ends.astype(dtype), launch.size)
        with np.errstate(all="ignore"):
            near = np.nextafter(near, rng.choice(np.array([0, near[0], 1e38], dtype), launch.size))
            small = np.where(
                rng.integers(0, 3, launch.size) == 0, np.nextafter(small, small + small.dtype.type(1)), small
            )
        return np.where(rng.integers(0, 2, launch.size) == 0, small, near).astype(dtype)

    return make


RANGES = ((-(2**31), 2**31 - 1), (0, 2**32 - 1), (-(2**63), 2**63 - 1), (0, 2**64 - 1))


@TABLE.case("rounding.cu", to_each({"out": ("i8", 32)}, a=_halves("f4"), b=_halves("f8")))
def to_integers(launch: Launch, given: Arguments):
    return {
        "out": np.array(
            [
                _integer(float(value), mode, *limits)
                for x, d in zip(given["a"], given["b"], strict=True)
                for mode in MODES
                for value in (x, d)
                for limits in RANGES
            ]
        )
    }


def _bits(dtype: str) -> Callable[[Launch, np.random.Generator], Array]:
    """Integers of every length, with the ends."""

    def make(launch: Launch, rng: np.random.Generator) -> Array:
        info = np.iinfo(dtype)
        values = rng.integers(info.min, info.max, launch.size, dtype, endpoint=True)
        values >>= rng.integers(0, info.bits - 1, launch.size, dtype)
        values[:5] = (0, -1, info.max, info.min, info.max - 1)
        return values

    return make


@TABLE.case(
    "rounding.cu", to_each({"out": ("f4", 20), "wide": ("f8", 8)}, a=_bits("i4"), b=_bits("i8"), c=everywhere("f8"))
)
def to_floats(launch: Launch, given: Arguments):
    singles, doubles = [], []
    for i, wide, d in zip(given["a"].tolist(), given["b"].tolist(), given["c"].tolist(), strict=True):
        for mode in MODES:
            values = [Fraction(value) if value else 0.0 for value in (i, i % 2**32, wide, wide % 2**64)]
            singles += [rounded(value, SINGLE, mode) for value in (*values, exact(d))]
            doubles += [rounded(value, DOUBLE, mode) for value in values[2:]]
    with np.errstate(over="ignore"):
        return {"out": np.array(singles, "f4"), "wide": np.array(doubles)}


@TABLE.case("rounding.cu", to_each({"out": ("f4", 1)}, a=everywhere("f4")))
def reciprocal_roots(launch: Launch, given: Arguments):
    """Compared with twice the precision, rounded by way of a longer format."""
    with np.errstate(all="ignore"):
        return {"out": columns((1 / np.sqrt(given["a"].astype(np.longdouble))).astype(np.float32))}
