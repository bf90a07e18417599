# SPDX-License-Identifier: Apache-2.0
"""Networks of shuffles between fields side by side in memory and a vector for each field.

    in memory    x0 y0 z0 w0 x1 y1 z1 w1 ...        (records of k = 4 elements; as many vectors as fields)
    in lanes     x0 x1 x2 ...,  y0 y1 y2 ...,  z0 z1 z2 ...,  w0 w1 w2 ...

Elements are numbered in the order of memory: field j of work-item i is element k * i + j. Each shuffle takes two
vectors, which processors have instructions for. If k is even, neighbours are first split into elements of even and of
odd number, and each half, with records of k / 2, likewise: k log k shuffles instead of k (k - 1).
"""

from collections.abc import Sequence
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
    return _split(pieces, list(fields), 1, k, count, build)


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
    sequences = [[Piece(f, tuple(k * i + j for i in range(count)))] for j, f in enumerate(fields)]
    while len(sequences) % 2 == 0 and k <= count:
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
