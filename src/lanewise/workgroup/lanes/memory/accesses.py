# SPDX-License-Identifier: Apache-2.0
"""Loads and stores of all work-items of a unit, by what is known of their addresses.

    Address over the lanes of a row       Code
    the same                              a scalar load; a store by the last active work-item
    another                               vectors, or gathers and scatters: `fields.py`;
                                          past the caches: `nontemporal_stores.py`

An access by scalars is not done if all its work-items are switched off: it goes to memory of the code's own instead.
Work-items of a group run in one thread, so accesses to shared memory need not be volatile: the order of the code is the
order of the accesses.
"""

from __future__ import annotations

from typing import Final

from lanewise.analysis.shapes import Shape, combined, normal
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import field_offsets, size_of
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32, i64, poison
from lanewise.workgroup.lanes.analysis.elements import Elements, Places, elements_of, kept_metadata
from lanewise.workgroup.lanes.memory.blended_stores import is_of_group
from lanewise.workgroup.lanes.memory.chosen import ChosenLoad, choice_of
from lanewise.workgroup.lanes.memory.fields import columns, displaced, load_fields, store_fields
from lanewise.workgroup.lanes.memory.grouped import load_together, store_together
from lanewise.workgroup.lanes.memory.nontemporal_stores import store_chunks
from lanewise.workgroup.lanes.memory.pending import PendingAccesses
from lanewise.workgroup.lanes.memory.prefetch import note_load
from lanewise.workgroup.lanes.memory.prefetch_strides import prefetch_ahead
from lanewise.workgroup.lanes.memory.transposed import is_transposed, load_transposed, store_transposed
from lanewise.workgroup.lanes.memory.wrapping import neighbours_unless_wrapped
from lanewise.workgroup.lanes.values.lane_by_lane import lane_by_lane
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue, element, lanes_type, together

_DUMMY: Final = ty.array(256, ty.I8)


def emit_load(code: LaneCode, pending: PendingAccesses, load: Instruction, block: Block, mask: Mask) -> LaneValue:
    with pending.noting_runs() as runs:
        found = _emit_load(code, pending, load, block, mask)
    if mask is None:
        note_load(code, pending, load, block, runs)
    prefetch_ahead(code, pending, load, block, runs, masked=mask is not None)
    return found


def _emit_load(code: LaneCode, pending: PendingAccesses, load: Instruction, block: Block, mask: Mask) -> LaneValue:
    if load in pending.loaded:
        return pending.loaded.pop(load)
    lanes_type(load.type, code.extent.width)  # there is none for structs that have a name
    address = code.use(load.operands[0], block)
    if effects.is_ordered(load) and not is_of_group(code, load.operands[0]):
        found = lane_by_lane(code, load.type, [address], mask, lambda build, p: build.emit(_of_lane(load, p)))
        assert found is not None
        return found
    shape = code.divergence.at_definition(load)
    if not shape.is_varying and not (load.is_volatile or load.ordering is not None):
        return _load_scalars(code, load, address, shape, mask)
    address = neighbours_unless_wrapped(code, load.operands[0], block, mask) or address
    if not load.type.is_vector and is_transposed(code, address.shape, size_of(load.type, {}), mask):
        return load_transposed(code, load, address, _align(load, load.type))
    choice = choice_of(code, load, block, mask) if address.shape.is_varying else None
    if choice is not None:
        return _load_chosen(code, pending, load, choice, shape)
    mask = code.mask_of(mask, shape)
    if load_together(code, pending, load, address, shape, mask):
        return pending.loaded.pop(load)
    chunks = code.extent.chunks if shape.chunk is None else 1
    parts = [_load_part(code, pending, load, load.type, address, chunk, mask) for chunk in range(chunks)]
    return LaneValue(load.type, shape, parts)


def _load_chosen(
    code: LaneCode, pending: PendingAccesses, load: Instruction, choice: ChosenLoad, shape: Shape
) -> LaneValue:
    parts: list[Value] = []
    for chunk in range(code.extent.chunks if shape.chunk is None else 1):
        yes, no = (_load_part(code, pending, load, load.type, arm.address, chunk, arm.mask) for arm in choice.arms)
        parts.append(code.build.select(code.vector(choice.condition, chunk), yes, no))
    return LaneValue(load.type, shape, parts)


def emit_store(code: LaneCode, pending: PendingAccesses, store: Instruction, block: Block, mask: Mask) -> None:
    value = code.use(store.operands[0], block)
    lanes_type(value.type, code.extent.width)
    address = code.use(store.operands[1], block)
    if store in pending.groups:
        store_together(code, pending, store, block, address, mask)
        return
    if effects.is_ordered(store) and not is_of_group(code, store.operands[1]):
        lane_by_lane(code, ty.VOID, [value, address], mask, lambda build, p: build.emit(_of_lane(store, p)))
        return
    if address.shape.lane == 0:
        _store_last(code, store, value, address, mask)
        return
    address = neighbours_unless_wrapped(code, store.operands[1], block, mask) or address
    if not value.type.is_vector and is_transposed(code, address.shape, size_of(value.type, {}), mask):
        store_transposed(code, value, address, _align(store, value.type))
        return
    if store_together(code, pending, store, block, address, mask):
        return
    store_chunks(
        code,
        pending,
        store.operands[1],
        address,
        mask,
        lambda c: _store_part(code, pending, store, value, address, c, mask),
    )


def _of_lane(access: Instruction, operands: list[Value]) -> Instruction:
    copy = access.copied(operands)
    copy.metadata = ()
    return copy


def _align(access: Instruction, type_: Type) -> int:
    return access.align or max(1, size_of(type_, {}))


def _guarded(code: LaneCode, pointer: Value, mask: Mask, chunk: int | None, row: int | None, dummy: str) -> Value:
    """The address, or that of memory of the code's own if no work-item of the row is active."""
    if mask is None:
        return pointer
    if chunk is None and row is None and code.nonempty:
        return pointer
    place = code.scratch(dummy, _DUMMY, clear=True)
    return code.build.select(code.any_in_row(mask, chunk, row), pointer, place)


# -- the same address in all lanes of a row ----------------------------------------------------------------------------


def _load_scalars(code: LaneCode, load: Instruction, address: LaneValue, shape: Shape, mask: Mask) -> LaneValue:
    chunks: list[int | None] = list(range(code.extent.chunks)) if shape.chunk is None else [None]
    rows: list[int | None] = list(range(code.extent.rows)) if shape.row is None else [None]
    parts: list[Value] = []
    for chunk in chunks:
        for row in rows:
            pointer = _guarded(code, code.scalar(address, chunk or 0, row or 0), mask, chunk, row, "nowhere")
            parts.append(code.build.load(load.type, pointer, load.name, load.align, kept_metadata(load)))
    return LaneValue(load.type, shape, parts)


def _store_last(code: LaneCode, store: Instruction, value: LaneValue, address: LaneValue, mask: Mask) -> None:
    """Store to one address: of several work-items, only the last active one stores."""
    extent = code.extent
    chunks = range(extent.chunks) if address.shape.chunk != 0 or mask is not None else [extent.chunks - 1]
    uniform = value.shape.is_uniform and address.shape.is_uniform
    if uniform:
        pointer = _guarded(code, code.scalar(address), mask, None, None, "no.store")
        code.build.store(code.scalar(value), pointer, store.align, kept_metadata(store))
        return
    for chunk in chunks:
        for row in range(extent.rows) if address.shape.row != 0 else [None]:
            pointer = _guarded_store(code, code.scalar(address, chunk, row or 0), mask, chunk, row)
            last = _last_value(code, value, mask, chunk, row)
            code.build.store(last, pointer, store.align, kept_metadata(store))


def _guarded_store(code: LaneCode, pointer: Value, mask: Mask, chunk: int, row: int | None) -> Value:
    if mask is None:
        return pointer
    place = code.scratch("no.store", _DUMMY)
    return code.build.select(code.any_in_row(mask, chunk, row), pointer, place)


def _last_value(code: LaneCode, value: LaneValue, mask: Mask, chunk: int, row: int | None) -> Value:
    """The value of the last active work-item of a row, or (None) of all rows of a chunk."""
    extent = code.extent
    last = (extent.width if row is None else (row + 1) * extent.lanes) - 1
    if value.shape.lane == 0 and (value.shape.row == 0 or row is not None):
        return code.scalar(value, chunk, row or 0)
    if mask is None:
        return _lane(code, code.vector(value, chunk), i32(last))
    bits = code.build.cast("bitcast", code.vector(mask, chunk), ty.integer(extent.width))
    bits = code.build.cast("zext", bits, ty.I64) if extent.width < 64 else bits
    if row is not None:
        bits = code.build.binary("and", bits, i64(((1 << extent.lanes) - 1) << row * extent.lanes))
    function = ty.function(ty.I64, (ty.I64, ty.I1))
    zeros = code.build.call_function(code.external("llvm.ctlz.i64", function), [bits, Constant(ty.I1, "int", "false")])
    index = code.build.binary("and", code.build.binary("sub", i64(63), zeros), i64(extent.width - 1))
    return _lane(code, code.vector(value, chunk), code.build.cast("trunc", index, ty.I32))


def _lane(code: LaneCode, vector: Value, index: Value) -> Value:
    """The value of one lane; for a struct of vectors, the program's vector."""
    if vector.type.kind != "struct":
        return element(vector, index, code.build)
    fields = [
        _lane(code, code.build.emit(Instruction("extractvalue", field, (vector,), indices=(i,))), index)
        for i, field in enumerate(vector.type.fields)
    ]
    return together(ty.vector(len(fields), fields[0].type), fields, code.build)


# -- different addresses -----------------------------------------------------------------------------------------------


def _load_part(
    code: LaneCode, pending: PendingAccesses, load: Instruction, type_: Type, address: LaneValue, chunk: int, mask: Mask
) -> Value:
    """The result of a load for the work-items of a chunk, or one part of it if it is a struct."""
    if type_.kind == "struct":
        parts: list[Value] = []
        for field, offset in _parts(type_):
            stored = ty.I8 if field is ty.I1 else field
            part = _load_part(code, pending, load, stored, displaced(code, address, offset), chunk, mask)
            wanted = lanes_type(field, code.extent.width)
            parts.append(part if stored is field else code.build.cast("trunc", part, wanted))
        return together(lanes_type(type_, code.extent.width), parts, code.build)
    elements = elements_of([load], type_.scalar)
    places = tuple(range(type_.count if type_.is_vector else 1))
    found = load_columns(code, pending, elements, places, address, load.operands[0], chunk, mask)
    return together(lanes_type(type_, code.extent.width), found, code.build) if type_.is_vector else found[0]


def load_columns(
    code: LaneCode,
    pending: PendingAccesses,
    elements: Elements,
    places: Places,
    address: LaneValue,
    pointer: Value,
    chunk: int,
    mask: Mask,
) -> list[Value]:
    """Load like `load_fields`; the address may also be the same for all lanes of a row."""
    if address.shape.lane == 0:
        return [_load_same(code, elements, place, address, chunk, mask) for place in places]
    return load_fields(code, pending, elements, places, address, pointer, chunk, mask)


def _load_same(code: LaneCode, elements: Elements, place: int, address: LaneValue, chunk: int, mask: Mask) -> Value:
    """An element at the same address in all lanes of a row, as a vector."""
    shape = normal(combined([address.shape]), code.extent)
    whole = displaced(code, address, place * elements.size)
    load = Instruction("load", elements.type, (poison(address.type),), align=elements.align, source_type=elements.type)
    return code.vector(_load_scalars(code, load, whole, shape, mask), chunk)


def _store_part(
    code: LaneCode,
    pending: PendingAccesses,
    store: Instruction,
    value: LaneValue,
    address: LaneValue,
    chunk: int,
    mask: Mask,
) -> None:
    type_ = value.type
    if type_.kind == "struct":
        for index, (field, offset) in enumerate(_parts(type_)):
            stored = ty.I8 if field is ty.I1 else field
            part = code.mapped(stored, value.shape, [value], lambda p, index=index: _field(code, p[0], index))
            _store_part(code, pending, store, part, displaced(code, address, offset), chunk, mask)
        return
    values = columns(code, value, chunk)
    elements = elements_of([store], type_.scalar)
    store_fields(code, pending, elements, tuple(range(len(values))), values, address, store.operands[1], chunk, mask)


def _field(code: LaneCode, whole: Value, index: int) -> Value:
    field = code.build.emit(Instruction("extractvalue", whole.type.fields[index], (whole,), indices=(index,)))
    return code.build.cast("zext", field, ty.I8.with_shape_of(field.type)) if field.type.scalar is ty.I1 else field


def _parts(struct: Type) -> list[tuple[Type, int]]:
    """The fields of a struct, with their offsets in bytes."""
    return list(zip(struct.fields, field_offsets(struct, {})[0], strict=True))
