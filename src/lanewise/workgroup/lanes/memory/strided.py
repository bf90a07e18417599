# SPDX-License-Identifier: Apache-2.0
"""Fields of records at a constant distance from work-item to work-item.

    all or many fields of small records   vector loads of all elements between, and shuffles; stores likewise
    several fields of large ones          a short vector for each work-item, and shuffles (`records.py`)
    one field                             element by element, at constant offsets

A load also reads elements between those that the program reads, never before the first or after the last of them: two
that are less than a page apart have no page between them. A store writes only elements that the program writes.

With masks, one of few fields is loaded and stored by masked vectors, where the processor has them for all types: a
gather or scatter of bytes or words is a branch for each work-item.

Measured on an EPYC 9004 (AVX-512), 16 floats, in ns: one of 2 fields 0.6 by vectors, 2.2 by elements, 5.7 by a gather;
one of 4: 1.4, 2.2, 5.7; one of 8: 3.6, 2.3, 5.7; 4 of 4: 2.9, 8.8, 19; 8 of 8: 9.7, 18, 38. Stores of 4 of 4: 3.7, 9.3,
and 26 by scatters. With AVX2 and SSE, which take gathers apart, the order is the same.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value, i32, poison
from lanewise.workgroup.lanes.analysis.elements import Elements, Places
from lanewise.workgroup.lanes.analysis.record_layout import is_record
from lanewise.workgroup.lanes.memory.pending import PendingAccesses
from lanewise.workgroup.lanes.memory.records import load_records, store_records
from lanewise.workgroup.lanes.memory.runs import backwards, byte, load_run, store_run
from lanewise.workgroup.lanes.memory.shuffles import Piece, put_together, taken_apart
from lanewise.workgroup.lanes.values.lane_code import LaneCode
from lanewise.workgroup.lanes.values.lane_values import element, shuffle, zeros

MAX_RECORD: Final = 16
"""Most elements of a record that is loaded as a part of vectors."""
FREE_FIELDS: Final = 4
"""Most elements of a record that are loaded for a single field, or stored under a mask."""
GATHERED: Final = 4
"""Bytes of the smallest elements for which processors have gathers."""


def may_load(code: LaneCode, elements: Elements, places: Places, step: int, masked: bool) -> bool:
    """Return whether `load_strided` can do an access, with or without a mask."""
    if not masked:
        return step != 0
    k = _record(elements, step)
    is_cheap = 2 * len(places) >= k or (elements.size < GATHERED and code.processor.masked_stores)
    return k == 1 or (_is_dense(places, k) and is_cheap)


def may_store(code: LaneCode, elements: Elements, places: Places, step: int, masked: bool) -> bool:
    """Return whether `store_strided` can do an access, with or without a mask."""
    k = _record(elements, step)
    if k == 1 or places == tuple(range(k)):
        return True
    return places[-1] < k <= FREE_FIELDS and code.processor.masked_stores if masked else step != 0


def load_strided(
    code: LaneCode,
    pending: PendingAccesses,
    elements: Elements,
    places: Places,
    first: Value,
    step: int,
    count: int,
    bits: Value | None,
) -> list[Value]:
    """Load the fields of `count` work-items: those of the first at `first`, the next `step` bytes further on."""
    k = _record(elements, step)
    if k and step < 0:
        last = byte(code, first, step * (count - 1))
        turned = None if bits is None else backwards(code, bits)
        return [backwards(code, v) for v in load_strided(code, pending, elements, places, last, -step, count, turned)]
    if k == 1:
        return [load_run(code, pending, elements, byte(code, first, p * elements.size), bits, count) for p in places]
    if _is_dense(places, k):
        return _load_dense(code, pending, elements, places, k, first, count, bits)
    assert bits is None
    pointers = [byte(code, first, step * lane) for lane in range(count)]
    if len(places) > 1 and is_record(elements, places):
        return load_records(code, elements, places, pointers)
    return [_load_elements(code, elements, place, pointers) for place in places]


def store_strided(
    code: LaneCode,
    pending: PendingAccesses,
    elements: Elements,
    places: Places,
    values: list[Value],
    first: Value,
    step: int,
    bits: Value | None,
) -> None:
    count = values[0].type.count
    k = _record(elements, step)
    if k and step < 0 and may_store(code, elements, places, step, True):
        last = byte(code, first, step * (count - 1))
        turned = None if bits is None else backwards(code, bits)
        store_strided(code, pending, elements, places, [backwards(code, v) for v in values], last, -step, turned)
    elif k == 1:
        for place, value in zip(places, values, strict=True):
            store_run(code, pending, elements, value, byte(code, first, place * elements.size), bits)
    elif places == tuple(range(k)) or bits is not None:
        fields = dict(zip(places, values, strict=True))
        record = [fields.get(place, poison(values[0].type)) for place in range(k)]
        for number, vector in enumerate(put_together(record, code.build)):
            start = number * count
            store_run(code, pending, elements, vector, byte(code, first, start * elements.size),
                      _bits_of_places(code, places, k, start, bits), True)  # fmt: skip
    else:
        assert bits is None
        pointers = [byte(code, first, step * lane) for lane in range(count)]
        if len(places) > 1 and places == tuple(range(len(places))):
            store_records(code, elements, values, pointers)
        else:
            for place, value in zip(places, values, strict=True):
                _store_elements(code, elements, place, value, pointers)


def _bits_of_places(code: LaneCode, places: Places, k: int, start: int, bits: Value | None) -> Value | None:
    """The mask of the elements from `start` on of records of `k` elements, of whose work-items `bits` is the mask."""
    if bits is None:
        return None
    count = bits.type.count
    elements = range(start, start + count)
    return shuffle(bits, zeros(bits.type), [e // k if e % k in places else count for e in elements], code.build)


def _record(elements: Elements, step: int) -> int:
    """The distance to the next work-item's record in elements, up or down; 0 if it is no whole number."""
    return 0 if step % elements.size else abs(step) // elements.size


def _is_dense(places: Places, k: int) -> bool:
    """Return whether few enough elements are read in vain."""
    return places[-1] < k <= min(MAX_RECORD, max(FREE_FIELDS, 2 * len(places)))


def _load_dense(
    code: LaneCode,
    pending: PendingAccesses,
    elements: Elements,
    places: Places,
    k: int,
    first: Value,
    count: int,
    bits: Value | None,
) -> list[Value]:
    """Load by vectors from the first wanted element to the last. The last vector ends with the last element."""
    wanted = {k * lane + place for lane in range(count) for place in places}
    end = k * (count - 1) + places[-1] + 1
    pieces: list[Piece] = []
    for at in range(0, end, count):
        start = min(at, end - count)
        numbers = range(start, start + count)
        if not wanted.intersection(range(at, min(at + count, end))):
            continue
        kept = None
        if bits is not None:
            mask = [number // k if number in wanted else count for number in numbers]
            kept = shuffle(bits, zeros(bits.type), mask, code.build)
        vector = load_run(code, pending, elements, byte(code, first, start * elements.size), kept, count, True)
        pieces.append(Piece(vector, tuple(n if n in wanted else None for n in numbers)))
    found = taken_apart(pieces, places, k, count, code.build)
    return [found[place] for place in places]


def _load_elements(code: LaneCode, elements: Elements, place: int, pointers: list[Value]) -> Value:
    vector: Value = poison(ty.vector(len(pointers), elements.type))
    for lane, pointer in enumerate(pointers):
        at = byte(code, pointer, place * elements.size)
        one = code.build.load(elements.type, at, elements.name, elements.align, elements.metadata)
        vector = code.build.emit(Instruction("insertelement", vector.type, (vector, one, i32(lane))))
    return vector


def _store_elements(code: LaneCode, elements: Elements, place: int, value: Value, pointers: list[Value]) -> None:
    for lane, pointer in enumerate(pointers):
        at = byte(code, pointer, place * elements.size)
        code.build.store(element(value, lane, code.build), at, elements.align, elements.metadata)
