# SPDX-License-Identifier: Apache-2.0
"""Arrays as a kernel sees them in a buffer: a start and a stride for each subscript.

A kernel that is given an array's address, shape and strides needs no other code for a packed buffer, if the buffer's
layout is such that every reference to the array finds its element by the same strides. That is so if the packed
addresses are a linear function of the subscripts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from lanewise.transfer.affine import AffineForm


@dataclass(frozen=True, slots=True)
class ArrayView:
    """The place that element (0, ..., 0) of an array would have in its buffer, and the strides, all in bytes."""

    offset: int
    strides: tuple[int, ...]


def view_of(references: Sequence[tuple[Sequence[AffineForm], AffineForm]], rank: int) -> ArrayView | None:
    """The view by which all references of an array of `rank` dimensions find their elements; None if there is none.

    A reference is its subscripts and its byte address, functions of the same counters. A stride that no reference
    depends on is 0.
    """
    rows: list[list[Fraction]] = []
    for subscripts, address in references:
        for name in {name for part in (*subscripts, address) for name, _ in part.terms}:
            rows.append([Fraction(s.coefficient(name)) for s in subscripts] + [Fraction(0)])
            rows[-1].append(Fraction(address.coefficient(name)))
        rows.append([Fraction(s.constant) for s in subscripts] + [Fraction(1), Fraction(address.constant)])
    solved = _solved(rows, rank + 1)
    if solved is None or any(value.denominator != 1 for value in solved):
        return None
    *strides, offset = (int(value) for value in solved)
    return ArrayView(offset, tuple(strides))


def _solved(rows: list[list[Fraction]], unknowns: int) -> list[Fraction] | None:
    """A solution of linear equations, whose last column is the right side; 0 for what they leave open."""
    place = 0
    pivots: dict[int, int] = {}
    for column in range(unknowns):
        pivot = next((row for row in range(place, len(rows)) if rows[row][column]), None)
        if pivot is None:
            continue
        rows[place], rows[pivot] = rows[pivot], rows[place]
        factor = rows[place][column]
        rows[place] = [value / factor for value in rows[place]]
        for other, row in enumerate(rows):
            if other != place and row[column]:
                times = row[column]
                rows[other] = [a - times * b for a, b in zip(row, rows[place], strict=True)]
        pivots[column] = place
        place += 1
    if any(row[-1] for row in rows[place:]):
        return None
    return [rows[pivots[column]][-1] if column in pivots else Fraction(0) for column in range(unknowns)]
