# SPDX-License-Identifier: Apache-2.0
"""Loads and stores of fields: elements of one type at constant distances from an address that differs between lanes.

Distance from lane to lane            Code
constant                              vectors, or elements at constant offsets: `strided.py`
not known, may be that of neighbours  at run time: as neighbours, or else as below
anything else                         several fields: `pairs.py`, `records.py`; one: gather, scatter
"""

from __future__ import annotations

from typing import Final

from lanewise.analysis.shapes import Shape
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value, i64
from lanewise.workgroup.lanes.analysis.elements import Elements, Places
from lanewise.workgroup.lanes.analysis.record_layout import is_record
from lanewise.workgroup.lanes.memory.neighbours import expected_neighbours, test_neighbours
from lanewise.workgroup.lanes.memory.pairs import are_pairs, load_pairs, store_pairs
from lanewise.workgroup.lanes.memory.pending import PendingAccesses
from lanewise.workgroup.lanes.memory.records import load_records, pointers_of, store_records
from lanewise.workgroup.lanes.memory.runs import bits_of, concatenated, gather, scatter
from lanewise.workgroup.lanes.memory.strided import load_strided, may_load, may_store, store_strided
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue, split, vector_of

_NOWHERE: Final = ty.array(256, ty.I8)


def load_fields(
    code: LaneCode,
    pending: PendingAccesses,
    elements: Elements,
    places: Places,
    address: LaneValue,
    pointer: Value,
    chunk: int,
    mask: Mask,
) -> list[Value]:
    """Load a vector for each field. `places` are the distances of the fields from the address, in elements, ascending;
    the first is 0. `pointer` is the program's address."""
    extent, step = code.extent, address.shape.lane
    if step is not None and may_load(code, elements, places, step, mask is not None):
        if _is_whole(code, address.shape):
            first = code.scalar(address, chunk)
            return load_strided(code, pending, elements, places, first, step, extent.width, bits_of(code, mask, chunk))
        rows: list[list[Value]] = []
        for row in range(extent.rows):
            first, bits = code.scalar(address, chunk, row), bits_of(code, mask, chunk, row)
            rows.append(load_strided(code, pending, elements, places, first, step, extent.lanes, bits))
        return [concatenated(code, field) for field in zip(*rows, strict=True)]
    pointers = code.vector(address, chunk)
    bits = bits_of(code, mask, chunk)
    expected = expected_neighbours(code, elements, places, pointer) if step is None else None
    if expected is None or not may_load(code, elements, places, expected.distance, mask is not None):
        return _load_apart(code, elements, places, pointers, bits)
    first, are_neighbours, all_pointers = test_neighbours(code, expected, pointer, pointers, mask, chunk)
    if are_neighbours is None:
        return load_strided(code, pending, elements, places, first, expected.distance, extent.width, bits)
    run, apart, done = (code.new_block(f"neighbours.{n}") for n in ("yes", "no", "done"))
    code.build.branch_if(are_neighbours, run, apart)
    code.begin(run)
    close = load_strided(code, pending, elements, places, first, expected.distance, extent.width, bits)
    code.build.branch(done)
    run_end = code.build.block
    pending.forget_runs_at(run)
    code.begin(apart)
    far = _load_apart(code, elements, places, all_pointers(), bits)
    code.build.branch(done)
    apart_end = code.build.block
    code.begin(done)
    return [code.build.phi(a.type, [(a, run_end), (b, apart_end)]) for a, b in zip(close, far, strict=True)]


def store_fields(
    code: LaneCode, pending: PendingAccesses, elements: Elements, places: Places, values: list[Value],
    address: LaneValue, pointer: Value,
    chunk: int, mask: Mask,
) -> None:  # fmt: skip
    """Store a vector for each field, as `load_fields` loads them."""
    extent, step = code.extent, address.shape.lane
    if step is not None and may_store(code, elements, places, step, mask is not None):
        if _is_whole(code, address.shape):
            first = code.scalar(address, chunk)
            store_strided(code, pending, elements, places, values, first, step, bits_of(code, mask, chunk))
            return
        for row in range(extent.rows):
            parts = [code.row_of(value, row) for value in values]
            first = code.scalar(address, chunk, row)
            store_strided(code, pending, elements, places, parts, first, step, bits_of(code, mask, chunk, row))
        return
    pointers = code.vector(address, chunk)
    bits = bits_of(code, mask, chunk)
    expected = expected_neighbours(code, elements, places, pointer) if step is None else None
    if expected is None or not may_store(code, elements, places, expected.distance, True):
        _store_apart(code, elements, places, values, pointers, bits)
        return
    first, are_neighbours, all_pointers = test_neighbours(code, expected, pointer, pointers, mask, chunk)
    if are_neighbours is None:
        store_strided(code, pending, elements, places, values, first, expected.distance, bits)
        return
    run, apart, done = (code.new_block(f"neighbours.{n}") for n in ("yes", "no", "done"))
    code.build.branch_if(are_neighbours, run, apart)
    code.begin(run)
    store_strided(code, pending, elements, places, values, first, expected.distance, bits)
    code.build.branch(done)
    code.begin(apart)
    _store_apart(code, elements, places, values, all_pointers(), bits)
    code.build.branch(done)
    code.begin(done)


def columns(code: LaneCode, value: LaneValue, chunk: int) -> list[Value]:
    """The vector of a value, or of each element of a vector of the program's."""
    vector = code.vector(value, chunk)
    return split(vector, code.build) if value.type.is_vector else [vector]


def displaced(code: LaneCode, address: LaneValue, offset: int) -> LaneValue:
    if offset == 0:
        return address
    width = code.extent.width

    def make(parts: list[Value]) -> Value:
        by: Value = i64(offset)
        if parts[0].type.is_vector:
            by = vector_of(ty.I64, [offset] * width)
        return code.build.emit(Instruction("getelementptr", parts[0].type, (parts[0], by), source_type=ty.I8))

    return code.mapped(address.type, address.shape, [address], make)


def _load_apart(code: LaneCode, elements: Elements, places: Places, pointers: Value, bits: Value | None) -> list[Value]:
    if are_pairs(code, elements, places):
        return load_pairs(code, elements, pointers, bits)
    if len(places) > 1 and is_record(elements, places):
        nowhere = code.scratch("nowhere", _NOWHERE, clear=True)
        return load_records(code, elements, places, pointers_of(code, pointers, bits, nowhere))
    return [gather(code, elements, _behind(code, pointers, place * elements.size), bits) for place in places]


def _store_apart(
    code: LaneCode, elements: Elements, places: Places, values: list[Value], pointers: Value, bits: Value | None
) -> None:
    if are_pairs(code, elements, places):
        store_pairs(code, elements, values, pointers, bits)
        return
    if len(places) > 1 and is_record(elements, places) and places == tuple(range(len(places))):
        nowhere = code.scratch("no.store", _NOWHERE)
        store_records(code, elements, values, pointers_of(code, pointers, bits, nowhere))
        return
    for place, value in zip(places, values, strict=True):
        scatter(code, elements, value, _behind(code, pointers, place * elements.size), bits)


def _behind(code: LaneCode, pointers: Value, offset: int) -> Value:
    if offset == 0:
        return pointers
    by = vector_of(ty.I64, [offset] * pointers.type.count)
    return code.build.emit(Instruction("getelementptr", pointers.type, (pointers, by), source_type=ty.I8))


def _is_whole(code: LaneCode, shape: Shape) -> bool:
    """Return whether the rows of a chunk follow each other as lanes do."""
    assert shape.lane is not None
    return code.extent.rows == 1 or shape.row == shape.lane * code.extent.lanes
