# SPDX-License-Identifier: Apache-2.0
"""Floating point against NumPy's, against exact fractions, and against the formats' bits."""

import math
import struct
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanewise.device.reference.arithmetic import casts, floats
from lanewise.device.reference.arithmetic.formats import FORMATS, from_bits, from_integer, nearest, rounder, to_bits
from lanewise.device.reference.arithmetic.indeterminate import Indeterminate
from lanewise.ir import types as ty

single_bits = st.integers(0, 0xFFFFFFFF)
singles = st.floats(width=32)
small_singles = st.floats(-(2.0**-120), 2.0**-120, width=32)


def equal(a: float, b: float) -> bool:
    """Same value and sign, NaNs alike."""
    return (a != a and b != b) or (a == b and math.copysign(1, a) == math.copysign(1, b))


@settings(deadline=None)
@given(singles | small_singles, singles | small_singles)
@pytest.mark.parametrize("op", ["fadd", "fsub", "fmul", "fdiv"])
def test_binary32_arithmetic_is_rounded_once(op: str, a: float, b: float) -> None:
    compute = {"fadd": np.add, "fsub": np.subtract, "fmul": np.multiply, "fdiv": np.divide}[op]
    with np.errstate(all="ignore"):
        wanted = float(compute(np.float32(a), np.float32(b)))
    assert equal(floats.binary(op, "float")(a, b), wanted)


@settings(deadline=None)
@given(singles)
def test_binary32_square_root(a: float) -> None:
    with np.errstate(all="ignore"):
        assert equal(floats.rounded_unary(floats.square_root, "float")(a), float(np.sqrt(np.float32(a))))


@settings(deadline=None)
@given(singles, singles, singles | small_singles)
def test_fma_is_rounded_once(a: float, b: float, c: float) -> None:
    result = floats.fused("float")(a, b, c)
    if all(map(math.isfinite, (a, b, c))) and (exact := Fraction(a) * Fraction(b) + Fraction(c)):
        assert equal(result, nearest(exact, FORMATS["float"]))


def test_fma_differs_from_a_product_and_a_sum() -> None:
    a = 1 + 2.0**-23
    product = floats.binary("fmul", "float")(a, a)
    assert floats.fused("float")(a, a, -product) == 2.0**-46
    assert floats.unfused("float")(a, a, -product) == 0


def test_fma_is_not_rounded_twice() -> None:
    # the sum lies just above the middle of two binary32 numbers, and binary64 would round it to the middle
    a, b, c = 1 + 2.0**-12, 1 + 2.0**-12, 2.0**-70
    assert floats.fused("float")(a, b, c) == 1 + 2.0**-11 + 2.0**-23


def test_fma_near_the_middle_of_two_numbers() -> None:
    random = Random(1)
    for _ in range(40):
        a, b = (float(np.float32(random.uniform(1, 2))) for _ in range(2))
        for scale in (1.0, 2.0**-75, 2.0**75):
            for exponent in (-150, -50, -26, -25, -24, -23, 0, 23, 24, 25, 50, 126):
                for factor in (1.0, -1.0, 1.5, 1 + 2.0**-23):
                    c = factor * 2.0**exponent if exponent > -126 else factor * 2.0**-149
                    c = float(np.float32(c))
                    exact = Fraction(a * scale) * Fraction(b * scale) + Fraction(c)
                    assert equal(floats.fused("float")(a * scale, b * scale, c), nearest(exact, FORMATS["float"]))


@settings(deadline=None)
@given(st.floats(width=64))
@pytest.mark.parametrize(("kind", "numpy_type"), [("half", np.float16), ("float", np.float32)])
def test_rounding_to_narrow_formats(kind: str, numpy_type: Any, value: float) -> None:
    with np.errstate(all="ignore"):
        assert equal(rounder(kind)(value), float(numpy_type(value)))


@settings(deadline=None)
@given(st.integers(0, 0xFFFF))
@pytest.mark.parametrize("kind", ["half", "bfloat"])
def test_narrow_formats_keep_their_bits(kind: str, bits: int) -> None:
    value = from_bits(bits, kind)
    assert to_bits(value, kind) == bits
    if value == value:
        assert equal(rounder(kind)(value), value)


@settings(deadline=None)
@given(single_bits)
def test_binary32_keeps_its_bits_signalling_or_not(bits: int) -> None:
    assert to_bits(from_bits(bits, "float"), "float") == bits


def test_bfloat_rounds_to_even() -> None:
    assert rounder("bfloat")(1 + 2.0**-8) == 1
    assert rounder("bfloat")(1 + 3 * 2.0**-8) == 1 + 2.0**-6
    assert rounder("bfloat")(3.4e38) == math.inf


@settings(deadline=None)
@given(st.integers(-(2**70), 2**70))
def test_integers_round_once(value: int) -> None:
    assert from_integer("double")(value) == float(value)
    if value:
        assert from_integer("float")(value) == nearest(value, FORMATS["float"])


def test_a_64_bit_integer_is_not_rounded_to_binary64_first() -> None:
    value = (1 << 60) + (1 << 36) + 1
    assert from_integer("float")(value) == float((1 << 60) + (1 << 37))


def test_signs_of_signalling_nans() -> None:
    signalling = from_bits(0x7F800001, "float")
    assert to_bits(floats.negate("float")(signalling), "float") == 0xFF800001
    assert to_bits(floats.absolute("float")(from_bits(0xFF800001, "float")), "float") == 0x7F800001
    assert to_bits(floats.copy_sign("float")(signalling, -0.0), "float") == 0xFF800001
    assert to_bits(floats.binary("fadd", "float")(signalling, 0.0), "float") & 0x7FC00000 == 0x7FC00000


@pytest.mark.parametrize(
    ("predicate", "less", "equal_", "greater", "unordered"),
    [
        ("oeq", 0, 1, 0, 0), ("ogt", 0, 0, 1, 0), ("oge", 0, 1, 1, 0), ("olt", 1, 0, 0, 0), ("ole", 1, 1, 0, 0),
        ("one", 1, 0, 1, 0), ("ord", 1, 1, 1, 0), ("ueq", 0, 1, 0, 1), ("ugt", 0, 0, 1, 1), ("uge", 0, 1, 1, 1),
        ("ult", 1, 0, 0, 1), ("ule", 1, 1, 0, 1), ("une", 1, 0, 1, 1), ("uno", 0, 0, 0, 1), ("true", 1, 1, 1, 1),
        ("false", 0, 0, 0, 0),
    ],
)  # fmt: skip
def test_comparisons(predicate: str, less: int, equal_: int, greater: int, unordered: int) -> None:
    run = floats.compare(predicate)
    assert [run(1.0, 2.0), run(2.0, 2.0), run(2.0, 1.0), run(math.nan, 1.0)] == [less, equal_, greater, unordered]


def test_minimum_and_maximum() -> None:
    number_wins = floats.choose_extreme(largest=False, nan_wins=False)
    nan_wins = floats.choose_extreme(largest=True, nan_wins=True)
    assert number_wins(math.nan, 3.0) == number_wins(3.0, math.nan) == 3.0
    assert math.isnan(nan_wins(math.nan, 3.0))
    assert equal(number_wins(0.0, -0.0), -0.0)
    assert equal(nan_wins(-0.0, 0.0), 0.0)


@pytest.mark.parametrize("value", [0.5, 1.5, 2.5, -0.5, -2.5, 0.49999999999999994, -0.2, 2.0**60, math.inf])
def test_whole_numbers(value: float) -> None:
    assert equal(floats.TO_WHOLE["rint"](value), float(np.rint(value)))
    assert equal(floats.TO_WHOLE["floor"](value), float(np.floor(value)))
    assert equal(floats.TO_WHOLE["ceil"](value), float(np.ceil(value)))
    assert equal(floats.TO_WHOLE["trunc"](value), float(np.trunc(value)))


def test_round_goes_away_from_zero() -> None:
    assert [floats.TO_WHOLE["round"](v) for v in (0.5, 2.5, -0.5, 0.49999999999999994)] == [1, 3, -1, 0]


def test_division() -> None:
    divide = floats.binary("fdiv", "float")
    assert divide(-1.0, 0.0) == -math.inf
    assert divide(1.0, -0.0) == -math.inf
    assert math.isnan(divide(0.0, 0.0))
    assert equal(floats.binary("frem", "double")(-7.5, 2.0), -1.5)
    assert math.isnan(floats.binary("frem", "double")(math.inf, 2.0))


@pytest.mark.parametrize(("value", "poisons"), [(2147483647.0, False), (2147483648.0, True), (math.nan, True),
                                                (-2147483648.9, False), (-2147483649.0, True)])  # fmt: skip
def test_conversions_to_integers_that_do_not_fit_are_poison(value: float, poisons: bool) -> None:
    result = casts.cast("fptosi", (), ty.DOUBLE, ty.I32)(value)
    assert isinstance(result, Indeterminate) == poisons
    assert poisons or result == math.trunc(value)


def test_saturating_conversions() -> None:
    run = casts.float_to_integer(True, 32, saturating=True)
    assert [run(v) for v in (1e10, -math.inf, math.nan, -3.9)] == [2**31 - 1, -(2**31), 0, -3]
    assert casts.float_to_integer(False, 8, saturating=True)(300.0) == -1  # all ones


@pytest.mark.parametrize(
    ("bits", "place"),
    [(0x7F800001, 0), (0x7FC00000, 1), (0xFF800000, 2), (0xBF800000, 3), (0x80000001, 4), (0x80000000, 5),
     (0x00000000, 6), (0x00000001, 7), (0x3F800000, 8), (0x7F800000, 9)],
)  # fmt: skip
def test_classes(bits: int, place: int) -> None:
    value = from_bits(bits, "float")
    assert [floats.is_class(value, 1 << i, "float") for i in range(10)] == [i == place for i in range(10)]


def test_bits_of_a_double_are_those_of_c() -> None:
    assert to_bits(-1.5, "double") == int.from_bytes(struct.pack("<d", -1.5), "little")
