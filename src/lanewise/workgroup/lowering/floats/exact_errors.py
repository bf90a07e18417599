# SPDX-License-Identifier: Apache-2.0
"""The exact error of a floating-point operation: its result rounded to nearest, and a number with the sign of the
exact result minus that one.

Sums, products, quotients, square roots and fused sums have an error that is itself a floating-point number or a sum of
two, wherever nothing over- or underflows (T. J. Dekker, "A floating-point technique for extending the available
precision", Numerische Mathematik 18, 1971; S. Boldo and J.-M. Muller, "Exact and approximated error of the FMA", IEEE
Transactions on Computers 60(2), 2011). Operands for which something would are first scaled by powers of two, which is
exact and keeps the sign. All is in binary64. If the exact result is beyond the greatest number, the error is infinite.
If an operand is infinite or a NaN, or the result is exact, no comparison of the error with 0 but `==` holds.
"""

from collections.abc import Sequence
from typing import NamedTuple

from lanewise.ir import types as ty
from lanewise.ir.values import Value
from lanewise.workgroup.lowering.floats.builder import FloatBuilder


class Rounded(NamedTuple):
    """A result rounded to nearest, and its error, of which only the sign has a meaning."""

    nearest: Value
    error: Value


_TINY = 2.0**-900
"""Below this, the last digit of a product of two 53-digit numbers may be below the least number."""
_UP = 2.0**600
"""A factor that lifts numbers below `_TINY`, and their products, clear of underflow."""


def of_sum(at: FloatBuilder, a: Value, b: Value) -> Rounded:
    total = at.add(a, b)
    return Rounded(total, _error_of_sum(at, a, b, total))


def _error_of_sum(at: FloatBuilder, a: Value, b: Value, total: Value) -> Value:
    """Dekker's Fast2Sum, the larger operand first: unlike the sum of six operations, it never overflows if the total
    doesn't."""
    a_larger = at.compare("oge", at.absolute(a), at.absolute(b))
    larger, smaller = at.select(a_larger, a, b), at.select(a_larger, b, a)
    return at.subtract(smaller, at.subtract(total, larger))


def of_product(at: FloatBuilder, a: Value, b: Value) -> Rounded:
    product = at.multiply(a, b)
    scale = _scale_of(at, product)
    shown = at.multiply(at.multiply(product, scale), scale)
    return Rounded(product, at.fused(at.multiply(a, scale), at.multiply(b, scale), at.negate(shown)))


def of_quotient(at: FloatBuilder, a: Value, b: Value) -> Rounded:
    quotient = at.divide(a, b)
    scale = _scale_of(at, a)
    rest = at.fused(at.negate(at.multiply(quotient, scale)), b, at.multiply(a, scale))
    negative = at.compare("olt", b, at.floating(b.type, 0.0))
    return Rounded(quotient, at.select(negative, at.negate(rest), rest))


def of_square_root(at: FloatBuilder, a: Value) -> Rounded:
    root = at.intrinsic("sqrt", a)
    one, up = at.floating(a.type, 1.0), at.floating(a.type, 2.0**300)
    scale = at.select(_is_below(at, a, _TINY), up, one)
    scaled = at.multiply(root, scale)
    return Rounded(root, at.fused(at.negate(scaled), scaled, at.multiply(at.multiply(a, scale), scale)))


def of_fused_sum(at: FloatBuilder, a: Value, b: Value, c: Value) -> Rounded:
    """a * b + c. By the size of the product p:

    tiny, and c is not    c is the result, and p the error
    tiny                  all is lifted
    huge                  all is lowered; a c that this would lose is far below the last digit of p, so that only its
                          sign counts
    """
    type_ = a.type
    result = at.fused(a, b, c)
    size = at.absolute(at.multiply(a, b))
    tiny = at.compare("olt", size, at.floating(type_, _TINY))
    huge = at.compare("oge", size, at.floating(type_, 2.0**900))
    one, up, down = (at.floating(type_, value) for value in (1.0, _UP, 2.0**-100))
    scale = at.select(tiny, up, at.select(huge, down, one))
    lost = at.both(huge, _is_below(at, c, 2.0**-100))
    sign = at.intrinsic("copysign", down, c)
    kept = at.select(at.both(lost, at.compare("one", c, at.floating(type_, 0.0))), sign, c)
    error = _error_of_fused_sum(
        at,
        at.multiply(a, scale),
        at.multiply(b, scale),
        at.multiply(at.multiply(kept, scale), scale),
        at.multiply(at.multiply(result, scale), scale),
    )
    alone = at.multiply(at.multiply(a, up), at.multiply(b, up))
    of_finite_c = at.add(alone, at.subtract(c, c))
    swallowed = at.both(tiny, at.compare("oge", at.absolute(c), at.floating(type_, 2.0**-700)))
    error = at.select(swallowed, of_finite_c, error)
    infinite = at.compare("oeq", at.absolute(result), at.floating(type_, float("inf")))
    overflow = at.negate(result)
    for operand in (a, b, c):  # no error if one of them is infinite
        overflow = at.add(overflow, at.subtract(operand, operand))
    return Rounded(result, at.select(infinite, overflow, error))


def _error_of_fused_sum(at: FloatBuilder, a: Value, b: Value, c: Value, result: Value) -> Value:
    """Boldo and Muller's ErrFma, with its two parts added up, which leaves the sign."""
    product = at.multiply(a, b)
    low = at.fused(a, b, at.negate(product))
    first, first_error = of_sum(at, c, low)
    second, second_error = of_sum(at, product, first)
    return at.add(at.add(at.subtract(second, result), second_error), first_error)


def of_reciprocal(at: FloatBuilder, a: Value) -> Rounded:
    return of_quotient(at, at.floating(a.type, 1.0), a)


def _scale_of(at: FloatBuilder, value: Value) -> Value:
    return at.select(_is_below(at, value, _TINY), at.floating(value.type, _UP), at.floating(value.type, 1.0))


def _is_below(at: FloatBuilder, value: Value, bound: float) -> Value:
    return at.compare("olt", at.absolute(value), at.floating(value.type, bound))


def in_binary64(at: FloatBuilder, operands: Sequence[Value]) -> list[Value]:
    return [at.to(ty.DOUBLE, operand) for operand in operands]
