# SPDX-License-Identifier: Apache-2.0
"""Networks of shuffles between fields side by side in memory and a vector for each field.

    in memory    x0 y0 z0 w0 x1 y1 z1 w1 ...        (records of k = 4 elements; as many vectors as fields)
    in lanes     x0 x1 x2 ...,  y0 y1 y2 ...,  z0 z1 z2 ...,  w0 w1 w2 ...

Elements are numbered in the order of memory: field j of work-item i is element k * i + j. Each shuffle takes two
vectors, which processors have instructions for. If k is even, neighbours are first split into elements of even and of
odd number, and each half, with records of k / 2, likewise: k log k shuffles instead of k (k - 1). Records of more
elements than there are work-items in a vector are taken in parts of as many (`_part`): of 32 elements and 16 work-items
128 shuffles, and 480 without.
"""

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from lanewise.ir.builder import Builder
from lanewise.ir.values import Value, poison
from lanewise.workgroup.lanes.values.lane_values import shuffle


class Piece(NamedTuple):
    """A vector, and the number of the element in each lane; None for anything."""

    vector: Value
    elements: tuple[int | None, ...]


def picked(pieces: Sequence[Piece], wanted: Sequence[int | None], build: Builder) -> Piece:
    """The wanted elements, from lane 0 on."""
    sources: list[Piece] = []
    holder: dict[int, int] = {}
    for piece in pieces:
        new = [e for e in piece.elements if e is not None and e in wanted and e not in holder]
        if new:
            holder.update((e, len(sources)) for e in new)
            sources.append(piece)
    count = len(wanted)
    if not sources:
        return Piece(poison(pieces[0].vector.type), tuple(wanted))
    first = sources[0]
    if first.elements == tuple(wanted):
        return first
    width = len(first.elements)

    def place(element: int | None, number: int) -> int:
        """The lane of source `number` that holds an element; -1 if another source has it."""
        return sources[number].elements.index(element) if element is not None and holder[element] == number else -1

    mask = [place(e, 0) for e in wanted]
    if len(sources) == 1:
        return Piece(shuffle(first.vector, None, mask, build), tuple(wanted))
    second = [place(e, 1) for e in wanted]
    mask = [m if m >= 0 else s + width if s >= 0 else -1 for m, s in zip(mask, second, strict=True)]
    total = shuffle(first.vector, sources[1].vector, mask, build)
    for number in range(2, len(sources)):
        new = [place(e, number) for e in wanted]
        mask = [
            n + count if n >= 0 else lane if e is not None and holder[e] < number else -1
            for lane, (e, n) in enumerate(zip(wanted, new, strict=True))
        ]
        source = sources[number].vector
        if width != count:
            source = shuffle(source, None, [lane if lane < width else -1 for lane in range(count)], build)
        total = shuffle(total, source, mask, build)
    return Piece(total, tuple(wanted))


def taken_apart(pieces: Sequence[Piece], fields: Sequence[int], k: int, count: int, build: Builder) -> dict[int, Value]:
    """The vectors of some fields of records of `k` elements, for `count` work-items."""
    size = _part(k, count)
    if not all(_is_in_one_part(piece, k, size) for piece in pieces):
        return _split(pieces, list(fields), 1, k, count, build)
    found: dict[int, Value] = {}
    for start in range(0, k, size):
        those = [field - start for field in fields if start <= field < start + size]
        parts = [_numbered_in_part(piece, k, start, size) for piece in pieces]
        held = [part for part in parts if any(element is not None for element in part.elements)]
        if those:
            of_part = _split(held, those, 1, size, count, build)
            found.update((start + field, vector) for field, vector in of_part.items())
    return found


def _part(k: int, count: int) -> int:
    """The elements of a part of a record of `k` elements: all, or as many as vectors and records are whole parts of."""
    return k if k <= count else gcd(k, count)


def _is_in_one_part(piece: Piece, k: int, size: int) -> bool:
    return len({element % k // size for element in piece.elements if element is not None}) <= 1


def _numbered_in_part(piece: Piece, k: int, start: int, size: int) -> Piece:
    """The piece with the numbers that its elements have if records end with the part that begins at `start`."""

    def number(element: int | None) -> int | None:
        if element is None or not start <= element % k < start + size:
            return None
        return element // k * size + element % k - start

    return piece._replace(elements=tuple(map(number, piece.elements)))


def _split(
    pieces: Sequence[Piece], fields: list[int], step: int, k: int, count: int, build: Builder
) -> dict[int, Value]:
    """`pieces` hold elements whose numbers, and the `fields`, are the same modulo `step`."""
    groups = k // step
    if len(pieces) < 2 or groups % 2 or groups > count:
        return {f: picked(pieces, [k * i + f for i in range(count)], build).vector for f in fields}
    found: dict[int, Value] = {}
    residues = sorted({f % (2 * step) for f in fields})
    for residue in residues:
        those = [f for f in fields if f % (2 * step) == residue]
        halves: list[Piece] = []
        for index in range(0, len(pieces), 2):
            pair = pieces[index : index + 2]
            held = {e for p in pair for e in p.elements if e is not None and e % k in those}
            if held:
                halves.append(picked(pair, _filled(sorted(held), count), build))
        found.update(_split(halves, those, 2 * step, k, count, build))
    return found


def put_together(fields: Sequence[Value], build: Builder) -> list[Value]:
    """The vectors to store, in order, made from the vectors of all fields."""
    k = len(fields)
    count = fields[0].type.count
    size = _part(k, count)
    if size < k:
        parts = [
            Piece(vector, tuple(e // size * k + start + e % size for e in range(o * count, (o + 1) * count)))
            for start in range(0, k, size)
            for o, vector in enumerate(put_together(fields[start : start + size], build))
        ]
        return [picked(parts, range(o * count, (o + 1) * count), build).vector for o in range(k)]
    sequences = [[Piece(f, tuple(k * i + j for i in range(count)))] for j, f in enumerate(fields)]
    while len(sequences) % 2 == 0:
        half = len(sequences) // 2
        sequences = [_merged(sequences[i], sequences[i + half], build) for i in range(half)]
    if len(sequences) == 1:
        return [piece.vector for piece in sequences[0]]
    pieces = [piece for sequence in sequences for piece in sequence]
    return [picked(pieces, range(o * count, (o + 1) * count), build).vector for o in range(k)]


def _merged(a: Sequence[Piece], b: Sequence[Piece], build: Builder) -> list[Piece]:
    """The elements of both sequences in order."""
    merged: list[Piece] = []
    for pair in zip(a, b, strict=True):
        elements = sorted(e for piece in pair for e in piece.elements if e is not None)
        count = len(elements) // 2
        merged += [picked(pair, half, build) for half in (elements[:count], elements[count:])]
    return merged


def _filled(elements: Sequence[int], count: int) -> list[int | None]:
    return [*elements, *[None] * (count - len(elements))]
