# SPDX-License-Identifier: Apache-2.0
"""Expectations of casts between integers and floating point, and of the mathematical functions.

Functions are compared with NumPy's, SciPy's or Python's in double precision. Tolerances are those of the CUDA
Programming Guide's table of errors with room to spare; a library of higher accuracy has tests of its own.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ..case import Arguments, Array, Launch, MakeArguments, Table
from .cases_integers import columns, numbers

TABLE = Table(__file__)

SINGLE, DOUBLE = 2e-6, 4e-15  # relative


def floats(dtype: Any, low: float, high: float) -> Callable[[Launch, np.random.Generator], Array]:
    """Numbers evenly spread over a range, which ends among them."""

    def make(launch: Launch, rng: np.random.Generator) -> Array:
        values = rng.uniform(low, high, launch.size).astype(dtype)
        values[0], values[-1] = low, high
        return values

    return make


def to_each(out: dict[str, tuple[Any, int]], **inputs: Any) -> MakeArguments:
    """Arrays of results (type and count for each work-item), then inputs, made by functions of the launch."""

    def make(launch: Launch, rng: np.random.Generator) -> Arguments:
        results = {name: np.zeros(count * launch.size, dtype) for name, (dtype, count) in out.items()}
        return results | {name: value(launch, rng) for name, value in inputs.items()}

    return make


def ints(dtype: Any) -> Callable[[Launch, np.random.Generator], Array]:
    return lambda launch, rng: numbers(rng, launch.size, dtype)


# --- casts ---


@TABLE.case(
    "casts.cu",
    to_each({"reals": ("f4", 1), "whole": ("i4", 1), "more": ("u4", 1)}, **{"in": floats("f4", -50, 50)}),
)
def float_bits(launch: Launch, given: Arguments):
    whole = given["in"].view(np.int32)
    return {
        "whole": whole,
        "more": whole.view(np.uint32) ^ np.uint32(1 << 31),
        "reals": (whole + 1).view(np.float32) + np.float32(1),
    }


@TABLE.case(
    "casts.cu",
    to_each({"reals": ("f8", 2), "whole": ("i8", 1), "halves": ("i4", 2)}, **{"in": floats("f8", -50, 50)}),
)
def double_bits(launch: Launch, given: Arguments):
    v = given["in"]
    low, high = v.view(np.int32).reshape(-1, 2).T
    return {"whole": v.view(np.int64), "halves": columns(high, low), "reals": columns(-v, v)}


def _halves(dtype: Any) -> Callable[[Launch, np.random.Generator], Array]:
    """Multiples of a quarter, so that ties occur."""

    def make(launch: Launch, rng: np.random.Generator) -> Array:
        return (rng.integers(-8000, 8000, launch.size) / 4).astype(dtype)

    return make


@TABLE.case("casts.cu", to_each({"out": ("i8", 8)}, **{"in": _halves("f4")}))
def float_to_integer(launch: Launch, given: Arguments):
    v = given["in"]
    far = np.trunc(v * np.float32(1e6))
    return {
        "out": columns(np.trunc(v), np.rint(v), np.trunc(v), np.ceil(v), np.floor(v), np.rint(abs(v)), np.rint(v), far),
    }


@TABLE.case("casts.cu", to_each({"out": ("i8", 7)}, **{"in": _halves("f8")}))
def double_to_integer(launch: Launch, given: Arguments):
    v = given["in"]
    return {
        "out": columns(np.trunc(v), np.rint(v), np.trunc(v), np.ceil(v), np.floor(v), np.rint(v), np.trunc(v * 1e9)),
    }


@TABLE.case("casts.cu", to_each({"out": ("f4", 6), "precise": ("f8", 2)}, **{"in": ints("i4")}))
def integer_to_float(launch: Launch, given: Arguments):
    v = given["in"].astype(np.int64)
    unsigned = (v % (1 << 32)).astype(np.float32)
    single, square = v.astype(np.float32), v * v
    tiny = given["in"].astype(np.int8).astype(np.float32)
    return {
        "out": columns(single, unsigned, single, square.astype(np.float32), unsigned, tiny),
        "precise": columns((square - 1).astype(np.float64), v.astype(np.float64)),
    }


@TABLE.case("casts.cu", to_each({"out": ("f4", 3)}, **{"in": ints("i4")}))
def directed_roundings(launch: Launch, given: Arguments):
    def rounded(v: int, choose: Callable[[list[np.float32]], np.float32]) -> np.float32:
        near = np.float32(v)
        around = [np.nextafter(near, np.float32(-np.inf)), near, np.nextafter(near, np.float32(np.inf))]
        return near if int(near) == v else choose([f for f in around if f])

    values = given["in"].tolist()
    up = [rounded(v, lambda around, v=v: min(f for f in around if int(f) >= v)) for v in values]
    down = [rounded(v, lambda around, v=v: max(f for f in around if int(f) <= v)) for v in values]
    towards_zero = [d if v > 0 else u for v, u, d in zip(values, up, down, strict=True)]
    return {"out": columns(towards_zero, up, down)}


@TABLE.case("casts.cu", to_each({"single": ("f4", 1), "precise": ("f8", 1)}, **{"in": floats("f8", -9, 9)}))
def between_float_and_double(launch: Launch, given: Arguments):
    single = given["in"].astype(np.float32)
    return {"single": single, "precise": single.astype(np.float64) * 3.0}


# --- mathematical functions ---

_erf = np.vectorize(math.erf, otypes=[float])
_erfc = np.vectorize(math.erfc, otypes=[float])

# Name: function in double, least and greatest argument.
UNARY: dict[str, tuple[Callable[[Array], Array], float, float]] = {
    "sqrt": (np.sqrt, 0, 1e6),
    "rsqrt": (lambda v: 1 / np.sqrt(v), 1e-3, 1e6),
    "cbrt": (np.cbrt, -100, 100),
    "exp": (np.exp, -80, 80),
    "exp2": (np.exp2, -100, 100),
    "exp10": (lambda v: np.power(10.0, v), -30, 30),
    "expm1": (np.expm1, -5, 5),
    "log": (np.log, 1e-3, 1e6),
    "log2": (np.log2, 1e-3, 1e6),
    "log10": (np.log10, 1e-3, 1e6),
    "log1p": (np.log1p, -0.9, 100),
    "sin": (np.sin, -50, 50),
    "cos": (np.cos, -50, 50),
    "tan": (np.tan, -1.5, 1.5),
    "asin": (np.arcsin, -1, 1),
    "acos": (np.arccos, -1, 1),
    "atan": (np.arctan, -100, 100),
    "sinh": (np.sinh, -10, 10),
    "cosh": (np.cosh, -10, 10),
    "tanh": (np.tanh, -10, 10),
    "asinh": (np.arcsinh, -100, 100),
    "acosh": (np.arccosh, 1, 100),
    "atanh": (np.arctanh, -0.99, 0.99),
    "erf": (_erf, -4, 4),
    "erfc": (_erfc, -4, 4),
    "lgamma": (special.gammaln, 2.5, 50),
    "tgamma": (special.gamma, 0.5, 20),
    "floor": (np.floor, -100, 100),
    "ceil": (np.ceil, -100, 100),
    "trunc": (np.trunc, -100, 100),
    "round": (lambda v: np.copysign(np.floor(abs(v) + 0.5), v), -100, 100),
    "rint": (np.rint, -100, 100),
    "nearbyint": (np.rint, -100, 100),
    "fabs": (np.abs, -100, 100),
    "sinpi": (special.sindg, -2, 2),
    "cospi": (special.cosdg, -2, 2),
}

BINARY: dict[str, tuple[Callable[[Array, Array], Array], float, float]] = {
    "pow": (np.power, 0.1, 10),
    "atan2": (np.arctan2, -10, 10),
    "fmod": (np.fmod, -10, 10),
    "hypot": (np.hypot, -100, 100),
    "fmin": (np.fmin, -100, 100),
    "fmax": (np.fmax, -100, 100),
    "copysign": (np.copysign, -100, 100),
    "fdim": (lambda a, b: np.maximum(a - b, 0), -100, 100),
    "remainder": (np.vectorize(math.remainder, otypes=[float]), -10, 10),
    "nextafter": (np.nextafter, -100, 100),
}

IN_DEGREES = {"sinpi", "cospi"}  # sindg and cosdg take degrees, which keeps the reference exact at the zeros


def _unary(name: str) -> Callable[[Launch, Arguments], Any]:
    function = UNARY[name][0]
    factor = 180.0 if name in IN_DEGREES else 1.0
    return lambda launch, given: {"out": function(given["a"].astype(np.float64) * factor)}


def _binary(name: str) -> Callable[[Launch, Arguments], Any]:
    function = BINARY[name][0]
    if name == "nextafter":
        return lambda launch, given: {"out": function(given["a"], given["b"])}
    return lambda launch, given: {"out": function(given["a"].astype(float), given["b"].astype(float))}


def _add_functions() -> None:
    for letter, dtype, tolerance in (("f", np.float32, SINGLE), ("d", np.float64, DOUBLE)):
        for name, (_, low, high) in UNARY.items():
            make = to_each({"out": (dtype, 1)}, a=floats(dtype, low, high))
            kernel = f"{letter}_{name}"
            TABLE.case("mathematics.cu", make, kernel=kernel, name=kernel, tolerance=tolerance)(_unary(name))
        for name, (_, low, high) in BINARY.items():
            some = floats(dtype, low, high)
            kernel = f"{letter}_{name}"
            make = to_each({"out": (dtype, 1)}, a=some, b=some)
            TABLE.case("mathematics.cu", make, kernel=kernel, name=kernel, tolerance=tolerance)(_binary(name))


_add_functions()


@TABLE.case(
    "mathematics.cu",
    to_each({"single": ("f4", 1), "precise": ("f8", 1)}, a=floats("f4", 0.1, 9), b=floats("f8", 0.1, 9)),
    tolerance=SINGLE,
)
def overloads(launch: Launch, given: Arguments):
    x, y = given["a"].astype(float), given["b"]
    return {
        "single": np.sqrt(x) + np.exp(-x) + x + np.maximum(x, 1.5) + np.floor(x) + x * 2 + 1 + x * x,
        "precise": np.sqrt(y) + np.exp(-y) + y + np.maximum(y, 1.5) + np.floor(y) + y * 2 + 1 + np.minimum(y, 2),
    }


@TABLE.case(
    "mathematics.cu",
    to_each({"out": ("f4", 6), "precise": ("f8", 2)}, a=floats("f4", -20, 20)),
    tolerance=SINGLE,
)
def two_results(launch: Launch, given: Arguments):
    v = given["a"]
    fraction, exponent = np.frexp(v)
    part, whole = np.modf(v)
    wide = v.astype(float)
    return {
        "out": columns(np.sin(wide), np.cos(wide), fraction, exponent, part, whole),
        "precise": columns(np.sin(wide), np.cos(wide)),
    }


@TABLE.case("mathematics.cu", to_each({"out": ("f4", 2), "precise": ("f8", 1)}, a=floats("f4", -20, 20)))
def scale_by_powers(launch: Launch, given: Arguments):
    v = given["a"]
    powers = 2.0 ** (np.arange(launch.size) % 9 - 4)
    return {"out": columns(v * powers, v * 8), "precise": v.astype(float) * 2.0**40}


def _with_specials(launch: Launch, rng: np.random.Generator) -> Array:
    specials = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 1e-40], np.float32)
    return np.resize(specials, launch.size)


@TABLE.case("mathematics.cu", to_each({"out": ("i4", 1)}, a=_with_specials))
def classify(launch: Launch, given: Arguments):
    v = given["a"]
    bits = [np.isnan(v), np.isinf(v), np.isfinite(v), np.signbit(v), ~np.isnan(v), v < 1, ~(v >= 1)]
    return {"out": sum(bit * (1 << place) for place, bit in enumerate(bits))}


@TABLE.case("mathematics.cu", to_each({"out": ("f4", 5)}, a=_with_specials))
def not_a_number(launch: Launch, given: Arguments):
    v = given["a"]
    one = np.float32(1)
    with np.errstate(invalid="ignore"):
        return {"out": columns(np.fmin(v, one), np.fmax(v, one), np.where(v > 0, v, -1), v * 0, v - v)}


@TABLE.case(
    "mathematics.cu",
    to_each({"out": ("f4", 7), "precise": ("f8", 2)}, a=floats("f4", 0.1, 3), b=floats("f4", 0.1, 3)),
)
def rounded_operations(launch: Launch, given: Arguments):
    x, y = given["a"], given["b"]
    wide_x, wide_y = x.astype(float), y.astype(float)
    product = wide_x * wide_y  # exact in double
    fused = (product.astype(np.longdouble) + x).astype(np.float32)
    singles = [x * y + x, fused, x - y * y, x / y, 1 / y, np.sqrt(x), np.clip(x - y, 0, 1)]
    doubles = [product + wide_x * 1e-9, product + 1e-20]
    return {"out": columns(*singles), "precise": columns(*doubles)}


@TABLE.case(
    "mathematics.cu",
    to_each({"out": ("f4", 9)}, a=floats("f4", 0.5, 3), b=floats("f4", 0.5, 3)),
    tolerance=1e-5,
)
def fast_intrinsics(launch: Launch, given: Arguments):
    x, y = given["a"].astype(float), given["b"].astype(float)
    return {"out": columns(np.sin(x), np.cos(x), np.exp(x), np.log(x), x**y, x / y, np.log2(x), 10**x, 1 / np.sqrt(x))}


@TABLE.case(
    "mathematics.cu",
    to_each({"out": ("f4", 1), "precise": ("f8", 2)}, a=floats("f4", -9, 9), b=floats("f4", 1, 9)),
    tolerance=DOUBLE,
)
def plain_arithmetic(launch: Launch, given: Arguments):
    a, b = given["a"], given["b"]
    wide = a.astype(float)
    return {"out": a / b, "precise": columns(wide / b, 0.1 * wide + 1.0 / 3.0)}


@TABLE.case("mathematics.cu", to_each({"out": ("f4", 2)}, a=floats("f4", 1e-40, 2e-38)))
def denormals(launch: Launch, given: Arguments):
    v = given["a"]
    return {"out": columns(v * np.float32(0.5), v + v)}
