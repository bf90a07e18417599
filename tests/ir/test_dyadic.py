# SPDX-License-Identifier: Apache-2.0
"""Exact sums and products of floating-point numbers, beside Python's fractions."""

import random
import struct
from fractions import Fraction

from lanewise.ir.dyadic import Dyadic, exact


def _value(number: Dyadic) -> Fraction:
    return number.mantissa * Fraction(2) ** number.exponent


def _float(number: Fraction) -> float:
    """The nearest number of 32 bits. Doubles in between would round twice, so the numbers have fewer bits."""
    return struct.unpack("<f", struct.pack("<f", float(number)))[0]


def test_sums_and_products_are_exact():
    random.seed(1)
    for _ in range(200):
        x, y = (random.choice((0.0, -1.0, random.gauss(0, 1) * 2.0 ** random.randint(-300, 300))) for _ in range(2))
        assert _value(exact(x)) == Fraction(x)
        assert _value(exact(x).times(exact(y))) == Fraction(x) * Fraction(y)
        assert _value(exact(x).plus(exact(y).negated())) == Fraction(x) - Fraction(y)
        if x:
            assert 2 ** Fraction(exact(x).magnitude - 1) <= abs(x) < 2 ** Fraction(exact(x).magnitude)


def test_numbers_are_rounded_to_the_nearest_and_to_even():
    random.seed(2)
    for _ in range(200):
        number = Dyadic(random.randint(-(1 << 50), 1 << 50), random.randint(-60, 60))
        assert number.rounded(24).floating() == _float(_value(number))
    assert [Dyadic(n).rounded(2).floating() for n in (9, 10, 11, 14, -10, -14)] == [8, 8, 12, 16, -8, -16]


def test_a_number_is_rounded_once():
    just_above_a_half = Dyadic((1 << 54) + (1 << 30) + 1)
    assert float(just_above_a_half.mantissa) == (1 << 54) + (1 << 30), "as a double it is a half"
    assert just_above_a_half.rounded(24).floating() == (1 << 54) + (1 << 31)
