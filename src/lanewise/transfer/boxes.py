# SPDX-License-Identifier: Apache-2.0
"""Boxes of coordinates that a reference touches, and unions of boxes as disjoint ones."""

from collections.abc import Iterable, Sequence

from lanewise.transfer.affine import AffineForm, Ranges

Box = tuple[tuple[int, int], ...]
"""Per axis the first coordinate and the one after the last."""


def box_of(coordinates: Sequence[AffineForm], ranges: Ranges) -> Box | None:
    """The coordinates over a box of counters; None if they leave gaps.

    A merged coordinate, as i + 3j, has no gap if each coefficient is at most one above the span of those below.
    """
    box: list[tuple[int, int]] = []
    for coordinate in coordinates:
        span = 0
        for coefficient, count in sorted((abs(c), ranges[n][1] - ranges[n][0]) for n, c in coordinate.terms):
            if count == 1:
                continue
            if coefficient > span + 1:
                return None
            span += coefficient * (count - 1)
        low, high = coordinate.interval(ranges)
        box.append((low, high + 1))
    return tuple(box)


def disjoint(boxes: Iterable[Box]) -> list[Box]:
    """The union of boxes as boxes that don't overlap, each at most as large as one of them."""
    result: list[Box] = []
    for box in sorted(set(boxes), key=_volume, reverse=True):
        rest = [box]
        for taken in result:
            rest = [part for old in rest for part in _without(old, taken)]
        result += rest
    return result


def _volume(box: Box) -> int:
    volume = 1
    for first, end in box:
        volume *= end - first
    return volume


def _without(box: Box, other: Box) -> list[Box]:
    """The part of a box outside another."""
    if any(min(b[1], o[1]) <= max(b[0], o[0]) for b, o in zip(box, other, strict=True)):
        return [box]
    parts: list[Box] = []
    for axis, ((first, end), (low, high)) in enumerate(zip(box, other, strict=True)):
        if first < low:
            parts.append((*box[:axis], (first, low), *box[axis + 1 :]))
        if high < end:
            parts.append((*box[:axis], (high, end), *box[axis + 1 :]))
        box = (*box[:axis], (max(first, low), min(end, high)), *box[axis + 1 :])
    return parts
