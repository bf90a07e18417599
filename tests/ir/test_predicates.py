# SPDX-License-Identifier: Apache-2.0
"""The inverse and the mirror of each predicate, held against all pairs of small integers."""

import operator

import pytest

from lanewise.ir.predicates import INT_PREDICATES, inverse, mirrored

BITS = 3
COMPARE = {"gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le}


def holds(predicate: str, a: int, b: int) -> bool:
    """The result of `icmp predicate a, b` for unsigned numbers of BITS bits."""
    if predicate in ("eq", "ne"):
        return (a == b) is (predicate == "eq")
    if predicate[0] == "s":
        a, b = (n - (1 << BITS) if n >> (BITS - 1) else n for n in (a, b))
    return COMPARE[predicate[1:]](a, b)


PAIRS = [(a, b) for a in range(1 << BITS) for b in range(1 << BITS)]


@pytest.mark.parametrize("predicate", sorted(INT_PREDICATES))
def test_the_inverse_holds_exactly_if_the_predicate_does_not(predicate: str):
    assert all(holds(inverse(predicate), a, b) is not holds(predicate, a, b) for a, b in PAIRS)


@pytest.mark.parametrize("predicate", sorted(INT_PREDICATES))
def test_the_mirror_holds_for_swapped_operands(predicate: str):
    assert all(holds(mirrored(predicate), b, a) is holds(predicate, a, b) for a, b in PAIRS)
