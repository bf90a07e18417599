# SPDX-License-Identifier: Apache-2.0
"""Floating-point operations, each rounded once to its format, to nearest, ties to even.

Sums, products, quotients and square roots of binary32 values are computed in binary64 and rounded again: binary64 has
more than twice the digits plus two, so the second rounding changes nothing (S. Figueroa, "When is double rounding
innocuous?", SIGNUM Newsletter 30(3), 1995). That does not hold for fma, which the C library computes. Fast-math flags
are ignored: nothing is reassociated or assumed. Contraction is decided earlier, for every device
(`passes/contract_multiply_add.py`).

Source: LLVM Language Reference, "Floating-Point Environment", "fcmp Instruction", "Standard C/C++ Library
Intrinsics"; IEEE 754-2019.
"""

from __future__ import annotations

import math
import operator
from array import array
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from lanewise.device.reference.arithmetic import c_library
from lanewise.device.reference.arithmetic.formats import (
    FORMATS,
    SignallingNaN,
    nearest,
    rounder,
    signalling_nan,
    to_bits,
)
from lanewise.device.reference.arithmetic.indeterminate import Value, unknown_result
from lanewise.device.reference.arithmetic.integers import Binary

Unary = Callable[[Value], Value]
Ternary = Callable[[Value, Value, Value], Value]


def divide(a: float, b: float) -> float:
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0 or a != a:
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)


def remainder(a: float, b: float) -> float:
    """C's fmod, which is exact."""
    try:
        return math.fmod(a, b)
    except ValueError:  # the C standard, F.10.7.1: an infinity by anything, anything by zero
        return math.nan


_ARITHMETIC: Final[dict[str, Callable[[float, float], float]]] = {
    "fadd": operator.add, "fsub": operator.sub, "fmul": operator.mul, "fdiv": divide, "frem": remainder,
}  # fmt: skip


def binary(op: str, kind: str) -> Binary:
    """The function of an arithmetic operation of one format."""
    return rounded_binary(_ARITHMETIC[op], kind)


def rounded_binary(compute: Callable[[float, float], float], kind: str) -> Binary:
    """`compute` on two values, rounded to the format."""
    if kind == "float":
        cell = array("f", [0.0])

        def run_binary32(a: Value, b: Value) -> Value:
            try:
                cell[0] = compute(a, b)
            except TypeError:
                return unknown_result(a, b)
            return cell[0]

        return run_binary32
    round_to_format = rounder(kind)

    def run(a: Value, b: Value) -> Value:
        try:
            return round_to_format(compute(a, b))
        except TypeError:
            return unknown_result(a, b)

    return run


def rounded_unary(compute: Callable[[float], float], kind: str) -> Unary:
    """`compute` on one value, rounded to the format."""
    round_to_format = rounder(kind)

    def run(a: Value) -> Value:
        try:
            return round_to_format(compute(a))
        except TypeError:
            return unknown_result(a)

    return run


# -- operations on the sign bit, which leave a NaN's payload and quietness alone -----------------------------------


def change_sign(kind: str, sign: Callable[[float, float], bool]) -> Binary:
    """`a` with the sign bit set if `sign(a, b)` is true, otherwise cleared."""
    format_ = FORMATS[kind]
    sign_bit = 1 << (format_.bits - 1)

    def run(a: Value, b: Value) -> Value:
        try:
            negative = sign(a, b)
            if isinstance(a, SignallingNaN):
                return signalling_nan(a.bits & ~sign_bit | (sign_bit if negative else 0), format_)
            return math.copysign(a, -1.0 if negative else 1.0)
        except TypeError:
            return unknown_result(a, b)

    return run


def is_negative(value: float) -> bool:
    """The sign bit of any value, NaNs too."""
    return math.copysign(1.0, value) < 0


def negate(kind: str) -> Unary:
    flip = change_sign(kind, lambda a, _: not is_negative(a))
    return lambda a: flip(a, 0.0)


def absolute(kind: str) -> Unary:
    clear = change_sign(kind, lambda _, __: False)
    return lambda a: clear(a, 0.0)


def copy_sign(kind: str) -> Binary:
    return change_sign(kind, lambda _, b: is_negative(b))


# -- comparison ----------------------------------------------------------------------------------------------------


def _unordered(a: float, b: float) -> bool:
    return a != a or b != b


_PREDICATES: Final[dict[str, Callable[[float, float], bool]]] = {
    "false": lambda a, b: False,
    "oeq": operator.eq,
    "ogt": operator.gt,
    "oge": operator.ge,
    "olt": operator.lt,
    "ole": operator.le,
    "one": lambda a, b: a < b or a > b,
    "ord": lambda a, b: not _unordered(a, b),
    "ueq": lambda a, b: not (a < b or a > b),
    "ugt": lambda a, b: not a <= b,
    "uge": lambda a, b: not a < b,
    "ult": lambda a, b: not a >= b,
    "ule": lambda a, b: not a > b,
    "une": operator.ne,
    "uno": _unordered,
    "true": lambda a, b: True,
}


def compare(predicate: str) -> Binary:
    """fcmp: if an operand is a NaN, ordered predicates are false and unordered ones true."""
    test = _PREDICATES[predicate]

    def run(a: Value, b: Value) -> Value:
        try:
            return test(a, b)
        except TypeError:
            return unknown_result(a, b)

    return run


# -- minimum and maximum -------------------------------------------------------------------------------------------


def _less(a: float, b: float) -> bool:
    """True if a is less than b, with -0 less than +0."""
    return a < b or (a == b == 0 and is_negative(a) and not is_negative(b))


def choose_extreme(*, largest: bool, nan_wins: bool) -> Callable[[float, float], float]:
    """llvm.minimum and maximum, which return a NaN operand; llvm.minnum, maxnum, minimumnum, maximumnum, which return
    the number. All order -0 before +0 here, which minnum and maxnum leave open."""

    def choose(a: float, b: float) -> float:
        if a != a:
            return a if nan_wins or b != b else b
        if b != b:
            return b if nan_wins else a
        return b if _less(b, a) != largest else a

    return choose


# -- whole numbers -------------------------------------------------------------------------------------------------


def _whole(choose: Callable[[float], int]) -> Callable[[float], float]:
    """`choose` on a finite number, as a float of the same sign; infinities and NaNs are unchanged."""
    return lambda a: math.copysign(float(choose(a)), a) if math.isfinite(a) else a + 0.0


def round_half_away(a: float) -> int:
    whole = math.trunc(a)
    return whole + (1 if a > 0 else -1) if abs(a - whole) >= 0.5 else whole  # the difference is exact


TO_WHOLE: Final[dict[str, Callable[[float], float]]] = {
    "floor": _whole(math.floor), "ceil": _whole(math.ceil), "trunc": _whole(math.trunc),
    "round": _whole(round_half_away),
    "rint": _whole(round), "nearbyint": _whole(round), "roundeven": _whole(round),
}  # fmt: skip


def square_root(a: float) -> float:
    return math.sqrt(a) if a >= 0 else a if a != a else math.nan


def fused(kind: str) -> Ternary:
    """a * b + c, rounded once: by the C library, or as exact fractions for the formats that it lacks."""
    if kind == "float":
        return _fused_single()
    compute = c_library.function("fma", kind, (kind, kind, kind)) if kind == "double" else _fused_narrow(kind)

    def run(a: Value, b: Value, c: Value) -> Value:
        try:
            return compute(a, b, c)
        except TypeError:
            return unknown_result(a, b, c)

    return run


def _fused_single() -> Ternary:
    """The fused operation on binary32 values, in binary64 where that is right, which is faster than a call.

    The product is exact. The sum is rounded to binary64, then to binary32. The second rounding is that of the exact sum
    unless the first one ends between two neighbours, as far from both: then 2 * wide - rounded is the other one.
    Below the normal numbers, and for what is not finite, the library decides."""
    by_library = c_library.function("fmaf", "float", ("float", "float", "float"))
    cell = array("f", [0.0])  # rounds what is stored
    least, most = 2.0**-125, 2.0**127

    def run(a: Value, b: Value, c: Value) -> Value:
        try:
            wide = a * b + c
            if least < wide < most or -most < wide < -least:
                cell[0] = wide
                rounded = cell[0]
                if rounded == wide:
                    return rounded
                cell[0] = other = 2 * wide - rounded
                if cell[0] != other:
                    return rounded
            return by_library(a, b, c)
        except TypeError:
            return unknown_result(a, b, c)

    return run


def _fused_narrow(kind: str) -> Callable[[float, float, float], float]:
    round_to_format = rounder(kind)

    def compute(a: float, b: float, c: float) -> float:
        rough = a * b + c
        if not math.isfinite(rough) or rough == 0:
            return round_to_format(rough)
        return nearest(Fraction(a) * Fraction(b) + Fraction(c), FORMATS[kind])

    return compute


def unfused(kind: str) -> Ternary:
    """llvm.fmuladd: the product rounded, then the sum."""
    multiply, add = binary("fmul", kind), binary("fadd", kind)
    return lambda a, b, c: add(multiply(a, b), c)


# -- classes -------------------------------------------------------------------------------------------------------


def is_class(value: float, mask: int, kind: str) -> bool:
    """llvm.is.fpclass: True if the value is in one of the classes whose bits are set in `mask`."""
    smallest_normal = 2.0 ** (1 - FORMATS[kind].max_exponent)
    if value != value:
        return bool(mask & (1 if _is_signalling(value, kind) else 2))
    size = 3 if math.isinf(value) else 0 if value == 0 else 1 if abs(value) < smallest_normal else 2
    return bool(mask & (1 << (5 - size if is_negative(value) else 6 + size)))


def _is_signalling(value: float, kind: str) -> bool:
    return not to_bits(value, kind) & FORMATS[kind].quiet_bit
