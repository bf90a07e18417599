# SPDX-License-Identifier: Apache-2.0
"""Affine functions of loop counters with integer coefficients."""

from collections.abc import Mapping
from dataclasses import dataclass

Ranges = Mapping[str, tuple[int, int]]
"""Counter -> its first value and the one after its last."""


@dataclass(frozen=True, slots=True)
class AffineForm:
    """`constant` plus the sum of `coefficient * counter` over `terms`, each counter once and no coefficient zero."""

    constant: int
    terms: tuple[tuple[str, int], ...] = ()

    def coefficient(self, name: str) -> int:
        return dict(self.terms).get(name, 0)

    def plus(self, other: "AffineForm | int", times: int = 1) -> "AffineForm":
        """The sum of this function and `times` the other."""
        other = form(other)
        sums = dict(self.terms)
        for name, coefficient in other.terms:
            sums[name] = sums.get(name, 0) + times * coefficient
        return AffineForm(self.constant + times * other.constant, tuple((n, c) for n, c in sums.items() if c))

    def times(self, factor: int) -> "AffineForm":
        return AffineForm(0).plus(self, factor)

    def replace(self, values: "Mapping[str, AffineForm]") -> "AffineForm":
        """This function with counters written as functions of others; counters not in `values` stay."""
        result = AffineForm(self.constant)
        for name, coefficient in self.terms:
            result = result.plus(values.get(name, AffineForm(0, ((name, 1),))), coefficient)
        return result

    def at(self, values: Mapping[str, int]) -> int:
        return self.constant + sum(coefficient * values[name] for name, coefficient in self.terms)

    def interval(self, ranges: Ranges) -> tuple[int, int]:
        """The least and the greatest value over ranges that aren't empty."""
        least = greatest = self.constant
        for name, coefficient in self.terms:
            first, end = ranges[name]
            low, high = sorted((coefficient * first, coefficient * (end - 1)))
            least, greatest = least + low, greatest + high
        return least, greatest


def form(value: AffineForm | int) -> AffineForm:
    return AffineForm(value) if isinstance(value, int) else value


def counter(name: str, coefficient: int = 1) -> AffineForm:
    """The function `coefficient * name`."""
    return AffineForm(0, ((name, coefficient),) if coefficient else ())
