# SPDX-License-Identifier: Apache-2.0
"""Floating-point intrinsics. Inexact ones in float and double have already become calls of the mathematical library.
The remaining ones, in other formats, call the C library, as on the CPU device.

Source: LLVM Language Reference, "Standard C/C++ Library Intrinsics", "Floating-Point Test Intrinsics"."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from lanewise.device.reference.arithmetic import c_library, floats
from lanewise.device.reference.arithmetic.directed_rounding import DIRECTED_ROUNDING
from lanewise.device.reference.arithmetic.floats import rounded_unary
from lanewise.device.reference.arithmetic.formats import FORMATS, nearest, rounder
from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value, poison, unknown_result
from lanewise.device.reference.arithmetic.integers import wrapped
from lanewise.ir.types import Type

Maker = Callable[[Type, Sequence[Type]], Callable[..., Value]]


def _by_kind(make: Callable[[str], Callable[..., Value]]) -> Maker:
    return lambda result, _: make(result.kind)


def _exact(compute: Callable[[float], float]) -> Maker:
    return lambda result, _: rounded_unary(compute, result.kind)


def _extreme(*, largest: bool, nan_wins: bool) -> Maker:
    choose = floats.choose_extreme(largest=largest, nan_wins=nan_wins)
    return lambda result, _: floats.rounded_binary(choose, result.kind)


def _library(name: str, operands: int = 1) -> Maker:
    """The C library's function; half and bfloat are computed in binary32."""

    def make(result: Type, _: Sequence[Type]) -> Callable[..., Value]:
        kind = "double" if result.kind == "double" else "float"
        call = c_library.function(name if kind == "double" else name + "f", kind, (kind,) * operands)
        round_to_format = rounder(result.kind)

        def run(*values: Value) -> Value:
            try:
                return round_to_format(call(*values))
            except TypeError:
                return unknown_result(*values)

        return run

    return make


def _is_class(_: Type, operands: Sequence[Type]) -> Callable[..., Value]:
    kind = operands[0].kind

    def run(a: Value, mask: Value) -> Value:
        return unknown_result(a) if a.__class__ is Indeterminate else floats.is_class(a, mask, kind)

    return run


def _to_integer(choose: Callable[[float], int]) -> Maker:
    """lround and lrint: to a whole number; poison if the result type can't hold it."""

    def make(result: Type, _: Sequence[Type]) -> Callable[..., Value]:
        outside = poison(f"a number rounded to an i{result.bits} that can't hold it")

        def run(a: Value) -> Value:
            if a.__class__ is Indeterminate:
                return unknown_result(a)
            if not math.isfinite(a):
                return outside
            whole = choose(a)
            return whole if wrapped(whole, result.bits) == whole else outside

        return run

    return make


def _scale(result: Type, _: Sequence[Type]) -> Callable[..., Value]:
    """ldexp: exact unless it underflows; then it is rounded once, from a fraction."""
    format_ = FORMATS[result.kind]

    def run(a: Value, exponent: Value) -> Value:
        if a.__class__ is Indeterminate or exponent.__class__ is Indeterminate:
            return unknown_result(a, exponent)
        if not math.isfinite(a) or a == 0:
            return a + 0.0
        return nearest(Fraction(a) * Fraction(2) ** min(max(exponent, -5000), 5000), format_)

    return run


def _split(result: Type, _: Sequence[Type]) -> Callable[..., Value]:
    """frexp: a fraction in [0.5, 1) and an exponent."""

    def run(a: Value) -> Value:
        if a.__class__ is Indeterminate:
            return a, a
        return math.frexp(a) if math.isfinite(a) else (a + 0.0, 0)

    return run


def _integer_power(result: Type, _: Sequence[Type]) -> Callable[..., Value]:
    """powi by repeated squaring, rounded at each step."""
    multiply, divide = floats.binary("fmul", result.kind), floats.binary("fdiv", result.kind)

    def run(a: Value, exponent: Value) -> Value:
        if a.__class__ is Indeterminate or exponent.__class__ is Indeterminate:
            return unknown_result(a, exponent)
        power, square, left = 1.0, a, abs(exponent)
        while left:
            if left & 1:
                power = multiply(power, square)
            square, left = multiply(square, square), left >> 1
        return divide(1.0, power) if exponent < 0 else power

    return run


def _reciprocal_root(result: Type, _: Sequence[Type]) -> Callable[..., Value]:
    """The root, then its reciprocal, each rounded."""
    root = rounded_unary(floats.square_root, result.kind)
    divide = floats.binary("fdiv", result.kind)

    def run(a: Value) -> Value:
        return divide(1.0, root(a))

    return run


def _saturated(a: float) -> float:
    """`a` clamped to [0, 1]; +0 for a NaN and for -0."""
    return min(a, 1.0) if a > 0 else 0.0


MATH: Final[dict[str, Maker]] = {
    "fabs": _by_kind(floats.absolute),
    "copysign": _by_kind(floats.copy_sign),
    "sqrt": _exact(floats.square_root),
    "canonicalize": _exact(lambda a: a + 0.0 if a else a),
    "fma": _by_kind(floats.fused),
    "fmuladd": _by_kind(floats.unfused),
    **{name: _exact(choose) for name, choose in floats.TO_WHOLE.items()},
    **{name: _extreme(largest=False, nan_wins=False) for name in ("minnum", "minimumnum")},
    **{name: _extreme(largest=True, nan_wins=False) for name in ("maxnum", "maximumnum")},
    "minimum": _extreme(largest=False, nan_wins=True),
    "maximum": _extreme(largest=True, nan_wins=True),
    "is.fpclass": _is_class,
    "ldexp": _scale,
    "frexp": _split,
    **{name: _to_integer(floats.round_half_away) for name in ("lround", "llround")},
    **{name: _to_integer(round) for name in ("lrint", "llrint")},
    **{name: _library(name) for name in ("sin", "cos", "tan", "exp", "exp2", "exp10", "log", "log2", "log10")},
    "pow": _library("pow", 2),
    "powi": _integer_power,
    **DIRECTED_ROUNDING,
    "nvvm.div.approx.f": lambda result, _: floats.rounded_binary(floats.divide, result.kind),
    "nvvm.sqrt.approx.f": _exact(floats.square_root),
    "nvvm.rsqrt.approx.f": _reciprocal_root,
    "nvvm.saturate.f": _exact(_saturated),
    "nvvm.saturate.d": _exact(_saturated),
}
