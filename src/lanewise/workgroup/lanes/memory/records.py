# SPDX-License-Identifier: Apache-2.0
"""Several fields of a record at any address for each work-item: a short vector each, and shuffles.

Measured on an EPYC 9004 (AVX-512), 16 work-items, in ns: 2 floats each 6.2, by two gathers 10.2; 4 floats each 7.5 and
22; with AVX2, 8 work-items, 4 floats each 3.2 and 9.8.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanewise.ir import types as ty
from lanewise.ir.values import Value
from lanewise.workgroup.lanes.memory.runs import Elements, concatenated
from lanewise.workgroup.lanes.memory.shuffles import Piece, picked, put_together, taken_apart
from lanewise.workgroup.lanes.values.lane_code import LaneCode
from lanewise.workgroup.lanes.values.lane_values import element, shuffle, splat


def load_records(code: LaneCode, elements: Elements, places: tuple[int, ...], pointers: Sequence[Value]) -> list[Value]:
    """The fields of each work-item's record; `pointers` may be read from, for each of them."""
    count = len(pointers)
    span = places[-1] + 1
    k = 1 << (span - 1).bit_length()
    record = ty.vector(span, elements.type)
    wide = [code.build.load(record, p, elements.name, elements.align, elements.metadata) for p in pointers]
    if k > span:
        wide = [shuffle(w, None, [i if i < span else -1 for i in range(k)], code.build) for w in wide]
    if k > count:
        whole = [Piece(w, tuple(range(k * i, k * i + k))) for i, w in enumerate(wide)]
        pieces = [picked([w], w.elements[at : at + count], code.build) for w in whole for at in range(0, k, count)]
    else:
        # The records of a piece are k apart, so that the shuffles of 4 x 4 stay within 128 bits.
        pieces = [
            Piece(
                concatenated(code, wide[number::k]),
                tuple(k * lane + i for lane in range(number, count, k) for i in range(k)),
            )
            for number in range(k)
        ]
    found = taken_apart(pieces, places, k, count, code.build)
    return [found[place] for place in places]


def store_records(code: LaneCode, elements: Elements, values: Sequence[Value], pointers: Sequence[Value]) -> None:
    """Store the fields of each work-item's record, which are neighbours in memory, one work-item after the other.
    `pointers` may be written to."""
    count, k = len(pointers), len(values)
    pieces = [
        Piece(vector, tuple(range(number * count, (number + 1) * count)))
        for number, vector in enumerate(put_together(values, code.build))
    ]
    for lane, pointer in enumerate(pointers):
        record = picked(pieces, range(k * lane, k * lane + k), code.build).vector
        code.build.store(record, pointer, elements.align, elements.metadata)


def pointers_of(code: LaneCode, pointers: Value, bits: Value | None, nowhere: Value) -> list[Value]:
    """Each lane's pointer, `nowhere` in lanes that are switched off."""
    if bits is not None:
        pointers = code.build.select(bits, pointers, splat(nowhere, pointers.type.count, code.build))
    return [element(pointers, lane, code.build) for lane in range(pointers.type.count)]
