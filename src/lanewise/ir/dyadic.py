# SPDX-License-Identifier: Apache-2.0
"""Dyadic rationals: exact sums and products of floating-point numbers.

Other than Python's fractions they need no greatest common divisors, whose time grows with the square of the length.
"""

import math
from typing import NamedTuple


class Dyadic(NamedTuple):
    """The number `mantissa * 2 ** exponent`."""

    mantissa: int
    exponent: int = 0

    @property
    def magnitude(self) -> int:
        """The exponent of the next power of two that is greater than the number, without its sign; not for 0."""
        return self.mantissa.bit_length() + self.exponent

    def negated(self) -> "Dyadic":
        return Dyadic(-self.mantissa, self.exponent)

    def times(self, other: "Dyadic") -> "Dyadic":
        return Dyadic(self.mantissa * other.mantissa, self.exponent + other.exponent)

    def plus(self, other: "Dyadic") -> "Dyadic":
        least = min(self.exponent, other.exponent)
        a, b = (each.mantissa << (each.exponent - least) for each in (self, other))
        return Dyadic(a + b, least)

    def rounded(self, bits: int) -> "Dyadic":
        """The nearest number with so many significant bits; of two, the one whose last bit is 0."""
        excess = self.mantissa.bit_length() - bits
        if excess <= 0:
            return self
        quotient, rest = divmod(self.mantissa, 1 << excess)
        half = 1 << (excess - 1)
        up = rest > half or (rest == half and quotient % 2 == 1)
        return Dyadic(quotient + up, self.exponent + excess)

    def floating(self) -> float:
        """The number as a double, which it must be."""
        return math.ldexp(self.mantissa, self.exponent)


def exact(number: float) -> Dyadic:
    """A finite floating-point number as it is."""
    numerator, denominator = number.as_integer_ratio()
    return Dyadic(numerator, 1 - denominator.bit_length())
