# SPDX-License-Identifier: Apache-2.0
"""Expectations of half precision and bfloat16, from exact fractions, rounded once."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from ..case import Arguments, Array, Launch, Table
from ..exact import BFLOAT16, HALF, WHOLE, Exact, Format, exact, narrow_bits, narrow_values, root, rounded
from .cases_floats import to_each
from .cases_integers import columns
from .cases_rounding import everywhere

TABLE = Table(__file__)
TYPES = {"__half": HALF, "__nv_bfloat16": BFLOAT16}
NAN = math.nan


def bits(format_: Format) -> Callable[[Launch, np.random.Generator], Array]:
    """Bits of ordinary numbers, of any, and of those at the ends of the format."""

    def make(launch: Launch, rng: np.random.Generator) -> Array:
        ordinary = rng.normal(size=launch.size) * 2.0 ** rng.integers(-6, 7, launch.size)
        any_bits = rng.integers(0, 1 << 16, launch.size, np.uint16)
        one = narrow_bits(1.0, format_)
        ends = [0, 1, 2, one, one + 1, narrow_bits(math.inf, format_) - 1, narrow_bits(math.inf, format_), 0x7FFF]
        near = rng.choice(np.array(ends, np.uint16), launch.size) ^ (rng.integers(0, 2, launch.size, np.uint16) << 15)
        chosen = np.choose(rng.integers(0, 3, launch.size), [narrow_bits(ordinary, format_), any_bits, near])
        return chosen.astype(np.uint16).view(np.float16 if format_ is HALF else np.uint16)

    return make


def values(array: Array, format_: Format) -> list[float]:
    return narrow_values(array.view(np.uint16), format_).tolist()


# -- arithmetic -----------------------------------------------------------------------------------------------------


class Arithmetic:
    """Operations on numbers of a format, each rounded once."""

    def __init__(self, format_: Format) -> None:
        self.format = format_

    def _once(self, plain: float, compute: Callable[[], Fraction], *operands: float) -> float:
        """The exact result rounded, where it is finite and not zero; what float's operator gives, where not."""
        if not all(map(math.isfinite, operands)) or math.isnan(plain):
            return plain
        result: Exact = compute()
        return rounded(result, self.format) if result else plain

    def add(self, a: float, b: float) -> float:
        return self._once(a + b, lambda: Fraction(a) + Fraction(b), a, b)

    def subtract(self, a: float, b: float) -> float:
        return self.add(a, -b)

    def multiply(self, a: float, b: float) -> float:
        return self._once(a * b, lambda: Fraction(a) * Fraction(b), a, b)

    def divide(self, a: float, b: float) -> float:
        if b == 0 or not math.isfinite(a) or not math.isfinite(b):
            with np.errstate(all="ignore"):
                return float(np.float64(a) / b)
        return self._once(a / b, lambda: Fraction(a) / Fraction(b), a, b)

    def fused(self, a: float, b: float, c: float) -> float:
        return self._once(a * b + c, lambda: Fraction(a) * Fraction(b) + Fraction(c), a, b, c)


def saturated(x: float) -> float:
    return min(x, 1.0) if x > 0 else 0.0


def relu(x: float) -> float:
    return x if x > 0 or math.isnan(x) else 0.0


def extreme(a: float, b: float, sign: int) -> float:
    """The greater, or the less: of a number and a NaN the number; -0 is less than +0."""
    if math.isnan(a) or math.isnan(b):
        return b if math.isnan(a) else a
    if a == b:
        return a if math.copysign(1, a) * sign > 0 else b
    return a if (a > b) == (sign > 0) else b


def extreme_or_nan(a: float, b: float, sign: int) -> float:
    return NAN if math.isnan(a) or math.isnan(b) else extreme(a, b, sign)


def arithmetic(format_: Format) -> Callable[[Launch, Arguments], Any]:
    def expected(launch: Launch, given: Arguments) -> Any:
        do = Arithmetic(format_)
        rows: list[float] = []
        for x, y, z in zip(*(values(given[name], format_) for name in "abc"), strict=True):
            fused, product, difference = do.fused(x, y, z), do.multiply(x, y), do.subtract(x, y)
            total, quotient = do.add(x, y), do.divide(x, y)
            next_product = do.multiply(y, z)
            next_fused = do.fused(y, z, x)
            up = do.add(z, 1.0)
            real = do.fused(-z, x, do.fused(y, z, x))
            imaginary = do.fused(z, z, do.fused(y, x, y))
            rows += [
                total, difference, product, quotient, fused, relu(fused), saturated(total), saturated(difference),
                saturated(product), saturated(fused), extreme(x, y, 1), extreme(x, y, -1), extreme_or_nan(x, y, 1),
                extreme_or_nan(x, y, -1), -x, abs(x),
                total, do.add(y, z), difference, do.subtract(y, z), product, next_product, quotient, do.divide(y, z),
                fused, next_fused, relu(fused), relu(next_fused), saturated(total), saturated(do.add(y, z)),
                saturated(fused), saturated(next_fused), extreme(x, y, 1), extreme(y, z, 1), extreme(x, y, -1),
                extreme(y, z, -1), extreme_or_nan(x, y, 1), extreme_or_nan(y, z, 1), -x, -y, abs(x), abs(y),
                total, do.add(y, z), product, next_product, difference, -z, real, imaginary, quotient, up,
                do.subtract(y, 1.0), up,
            ]  # fmt: skip
        return {"out": narrow_bits(rows, format_)}

    return expected


# -- comparisons ----------------------------------------------------------------------------------------------------

RELATIONS = ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu")


def holds(relation: str, a: float, b: float) -> bool:
    if math.isnan(a) or math.isnan(b):
        return relation.endswith("u")
    plain = {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}
    return plain[relation.removesuffix("u")]


def comparisons(format_: Format) -> Callable[[Launch, Arguments], Any]:
    def expected(launch: Launch, given: Arguments) -> Any:
        rows: list[int] = []
        for x, y in zip(values(given["a"], format_), values(given["b"], format_), strict=True):
            for relation in RELATIONS:
                low, high = holds(relation, x, y), holds(relation, y, y)
                rows.append(low | (low and high) << 1 | low << 2 | high << 18 | high << 20)
            infinity = (1 if x > 0 else 3) if math.isinf(x) else 0
            pair_equal, pair_differs = x == y and y == y, x != y and y != y
            rows.append(
                (x == y) | (x != y) << 1 | (x < y) << 2 | (x >= y) << 3 | pair_equal << 4 | pair_differs << 5
                | math.isnan(x) << 6 | infinity << 7 | (x != 0) << 9
            )  # fmt: skip
        return {"out": np.array(rows)}

    return expected


# -- conversions ----------------------------------------------------------------------------------------------------


def _near(format_: Format) -> Callable[[Launch, np.random.Generator], Array]:
    """Doubles at and beside numbers of the format and the middles between two."""

    def make(launch: Launch, rng: np.random.Generator) -> Array:
        numbers = narrow_values(bits(format_)(launch, rng).view(np.uint16), format_)
        finite = np.where(np.isfinite(numbers), numbers, 1e30)
        middle = finite * (1 + 2.0 ** -(format_.digits + 1) * rng.integers(-1, 2, launch.size))
        return np.nextafter(middle, middle * rng.choice(np.array([0.5, 1.0, 2.0]), launch.size))

    return make


def _near_single(format_: Format) -> Callable[[Launch, np.random.Generator], Array]:
    def make(launch: Launch, rng: np.random.Generator) -> Array:
        with np.errstate(over="ignore"):
            return np.where(
                rng.integers(0, 4, launch.size), _near(format_)(launch, rng), everywhere("f4")(launch, rng)
            ).astype("f4")

    return make


def _integers(launch: Launch, rng: np.random.Generator) -> Array:
    wide = rng.integers(-(2**63), 2**63 - 1, launch.size, np.int64)
    return wide >> rng.integers(0, 60, launch.size)


def to_narrow(format_: Format) -> Callable[[Launch, Arguments], Any]:
    def expected(launch: Launch, given: Arguments) -> Any:
        rows: list[float] = []
        for f, d, wide in zip(given["a"].tolist(), given["b"].tolist(), given["c"].tolist(), strict=True):
            i = ((wide >> 20) + 2**31) % 2**32 - 2**31
            integers = (i, i % 2**32, wide, wide % 2**64, (i + 2**15) % 2**16 - 2**15, i % 2**16)
            for mode in WHOLE:
                rows.append(rounded(exact(f), format_, mode))
                rows += [rounded(Fraction(value) if value else 0.0, format_, mode) for value in integers]
            single = float(np.float32(d))
            rows += [rounded(exact(d), format_), rounded(exact(f), format_), rounded(exact(single), format_)]
            rows.append(rounded(Fraction(wide) if wide else 0.0, format_))
        return {"out": narrow_bits(rows, format_)}

    return expected


LIMITS = (
    *((-(2**31), 2**31 - 1), (0, 2**32 - 1), (-(2**63), 2**63 - 1)),
    *((0, 2**64 - 1), (-(2**15), 2**15 - 1), (0, 2**16 - 1)),
)
"""Of the types that each rounding converts to, in the kernel's order."""


def whole(value: float, mode: str, low: int, high: int) -> int:
    """As a 64-bit number: saturated; of a NaN 0, or the lowest signed number in 64 bits."""
    if math.isnan(value):
        result = 0 if high < 1 << 32 else 1 << 63
    elif math.isinf(value):
        result = high if value > 0 else low
    else:
        result = min(max(WHOLE[mode](value), low), high)
    return (result + (1 << 63)) % (1 << 64) - (1 << 63)


def from_narrow(format_: Format) -> Callable[[Launch, Arguments], Any]:
    def expected(launch: Launch, given: Arguments) -> Any:
        rows: list[int] = []
        numbers = values(given["a"], format_)
        for x in numbers:
            rows += [whole(x, mode, *limits) for mode in WHOLE for limits in LIMITS]
            rows += [whole(x, "rz", *limits) for limits in ((-128, 127), (0, 255), LIMITS[0], LIMITS[5])]
        return {"out": np.array(rows), "floats": np.nan_to_num(np.array(numbers, "f4"), posinf=np.inf, neginf=-np.inf)}

    return expected


def moved(launch: Launch, given: Arguments) -> Any:
    x, y = (given[name].view(np.uint16).reshape(-1, 2) for name in "ab")
    (xl, xh), (yl, yh) = x.T, y.T
    return {"out": columns(xl, yl, xh, yh, xh, xl, xl, xl, yh, yh, yl, xh, yl ^ 1, yh, xh, xh)}


# -- functions ------------------------------------------------------------------------------------------------------


def functions(format_: Format) -> Callable[[Launch, Arguments], Any]:
    def expected(launch: Launch, given: Arguments) -> Any:
        rows: list[float] = []
        for x in values(given["a"], format_):
            wholes = [
                math.copysign(choose(x), x) if math.isfinite(x) else x
                for choose in (math.ceil, math.floor, round, math.trunc)
            ]
            with np.errstate(all="ignore"):
                plain_root, reciprocal = float(np.sqrt(x)), float(1 / np.float64(x))
                plain_reciprocal_root = float(1 / np.sqrt(np.float64(x)))
            finite = math.isfinite(x) and x != 0
            rows += wholes
            rows.append(rounded(root(x), format_) if finite and x > 0 else plain_root)
            rows.append(rounded(1 / root(x), format_) if finite and x > 0 else plain_reciprocal_root)
            rows += [rounded(1 / Fraction(x), format_) if finite else reciprocal] * 2
        return {"out": narrow_bits(rows, format_)}

    return expected


def _moderate(format_: Format) -> Callable[[Launch, np.random.Generator], Array]:
    def make(launch: Launch, rng: np.random.Generator) -> Array:
        chosen = narrow_bits(rng.uniform(-4, 4, launch.size), format_)
        return chosen.view(np.float16 if format_ is HALF else np.uint16)

    return make


def transcendentals(format_: Format) -> Callable[[Launch, Arguments], Any]:
    def expected(launch: Launch, given: Arguments) -> Any:
        x = np.array(values(given["a"], format_))
        size = np.abs(x)
        functions = (np.exp(x), np.exp2(x), 10**x, np.log(size), np.log2(size), np.log10(size), np.sin(x), np.cos(x))
        return {"out": columns(*functions, np.tanh(x), np.tanh(x), np.sqrt(size))}

    return expected


def sums(format_: Format) -> Callable[[Launch, Arguments], Any]:
    def expected(launch: Launch, given: Arguments) -> Any:
        """Small integers, whose sums are exact in any order."""
        totals = np.array(values(given["in"], format_)).reshape(launch.groups, -1).sum(axis=1)
        zero, count = np.zeros_like(totals), np.full_like(totals, launch.items)
        out = np.zeros(given["out"].size, np.uint16)
        out[: 4 * launch.groups] = narrow_bits(columns(totals, zero, totals, count), format_).reshape(-1)
        return {"out": out.view(given["out"].dtype)}

    return expected


def _few(format_: Format) -> Callable[[Launch, np.random.Generator], Array]:
    def make(launch: Launch, rng: np.random.Generator) -> Array:
        chosen = narrow_bits(rng.integers(-1, 2, launch.size), format_)
        return chosen.view(np.float16 if format_ is HALF else np.uint16)

    return make


def _pairs(make: Callable[[Launch, np.random.Generator], Array]) -> Callable[[Launch, np.random.Generator], Array]:
    return lambda launch, rng: np.concatenate([make(launch, rng), make(launch, rng)])


def _add_cases() -> None:
    for type_, format_ in TYPES.items():
        tok = type_.strip("_").removeprefix("nv_")
        dtype = "f2" if format_ is HALF else "u2"
        operands = {name: bits(format_) for name in "abc"}
        pairs = dict.fromkeys("ab", _pairs(bits(format_)))

        def case(kernel: str, name: str, arguments: Any, expected: Any, tolerance: float = 0.0) -> None:
            file = "narrow_transcendentals.cu" if tolerance else "narrow.cu"
            TABLE.case(file, arguments, kernel=kernel, name=name, tolerance=tolerance)(expected)

        one = {"a": operands["a"]}
        case(f"arithmetic<{type_}>", f"{tok}_arithmetic", to_each({"out": ("u2", 54)}, **operands), arithmetic(format_))
        two = {name: operands[name] for name in "ab"}
        case(f"comparisons<{type_}>", f"{tok}_comparisons", to_each({"out": ("u4", 13)}, **two), comparisons(format_))
        wider = {"a": _near_single(format_), "b": _near(format_), "c": _integers}
        case(f"to_{tok}", f"to_{tok}", to_each({"out": ("u2", 32)}, **wider), to_narrow(format_))
        results = {"out": ("i8", 28), "floats": ("f4", 1)}
        case(f"from_{tok}", f"from_{tok}", to_each(results, **one), from_narrow(format_))
        case(f"moved_{tok}", f"moved_{tok}", to_each({"out": ("u2", 16)}, **pairs), moved)
        case(f"functions<{type_}>", f"{tok}_functions", to_each({"out": ("u2", 8)}, **one), functions(format_))
        accuracy = 2.0**-format_.digits  # an ulp and a half, of numbers around 1
        case(
            f"transcendentals<{type_}>",
            f"{tok}_transcendentals",
            to_each({"out": ("f4", 11)}, a=_moderate(format_)),
            transcendentals(format_),
            1.5 * accuracy,
        )
        into = to_each({"out": (dtype, 4)}, **{"in": _few(format_)})
        case(f"sums<{type_}>", f"{tok}_sums", into, sums(format_))


_add_cases()
