# SPDX-License-Identifier: Apache-2.0
"""The exact set of units that a group of references touches, as disjoint boxes of its layout or as a mask."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from lanewise.transfer.affine import AffineForm, Ranges
from lanewise.transfer.boxes import Box, box_of, disjoint
from lanewise.transfer.copies import StridedCopy, simplify
from lanewise.transfer.layout import Layout

MOST_PIECES = 4096
"""Boxes of a domain; above it, a loop nest is taken for its rectangular hull."""
MOST_BOXES = 400
"""Boxes of one remainder whose union is formed, in quadratic time: some 50 ms in Python."""
MOST_MARKS = 1 << 24
"""Units of an interval, and iterations, that a mask is made from: some 50 ms and 16 MB."""


@dataclass(frozen=True, slots=True)
class TouchingReference:
    """A reference of a group: its address in units from the group's first, and the pieces of its domain."""

    address: AffineForm
    pieces: Sequence[Ranges]


def boxes(
    layout: Layout, members: Sequence[tuple[int, TouchingReference, Sequence[AffineForm]]]
) -> list[tuple[int, Box]] | None:
    """Disjoint (remainder, box) pairs of the members with these numbers; None if they would be too many, or gaps."""
    by_remainder: dict[int, list[Box]] = {}
    for number, member, coordinates in members:
        shifted = [c.plus(t) for c, t in zip(coordinates, layout.shifts[number], strict=True)]
        found = by_remainder.setdefault(layout.remainders[number], [])
        for ranges in member.pieces:
            box = box_of(shifted, ranges)
            if box is None:
                return None
            found.append(box)
    for found in by_remainder.values():
        if len(found) > MOST_BOXES:
            return None
    return [(remainder, box) for remainder, found in sorted(by_remainder.items()) for box in disjoint(found)]


def copy_of_box(layout: Layout, remainder: int, box: Box, unit: int, host: int) -> StridedCopy:
    """The copy of one box; `host` is the address of the group's first unit."""
    at = layout.base + remainder + sum(s * first for s, (first, _) in zip(layout.strides, box, strict=True))
    packed = layout.ranks[remainder]
    packed += sum(s * first for s, (first, _) in zip(layout.packed_strides, box, strict=True))
    return simplify(
        StridedCopy(
            host + unit * at,
            unit * packed,
            unit,
            tuple(unit * s for s in layout.strides),
            tuple(unit * s for s in layout.packed_strides),
            tuple(end - first for first, end in box),
        )
    )


def mask(members: Sequence[TouchingReference], size: int) -> "np.ndarray[Any, np.dtype[np.bool_]] | None":
    """Marks of the touched units of an interval; None if that is too much work."""
    if size > MOST_MARKS:
        return None
    marks = np.zeros(size, dtype=np.bool_)
    work = 0
    for member in members:
        for ranges in member.pieces:
            addresses = np.array([member.address.constant], dtype=np.int64)
            for name, coefficient in member.address.terms:
                first, end = ranges[name]
                work += len(addresses) * (end - first)
                if work > MOST_MARKS:
                    return None
                addresses = (addresses[:, None] + coefficient * np.arange(first, end, dtype=np.int64)).ravel()
            marks[addresses] = True
    return marks


def few_pieces(pieces: Iterable[dict[str, tuple[int, int]]]) -> list[dict[str, tuple[int, int]]] | None:
    """The pieces of a domain; None if they are too many."""
    found = list(islice(pieces, MOST_PIECES + 1))
    return found if len(found) <= MOST_PIECES else None
