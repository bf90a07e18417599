# SPDX-License-Identifier: Apache-2.0
"""Loads and stores of all work-items of a unit, by what is known of their addresses.

    Address over the lanes of a row       Code
    the same                              a scalar load; a store by the last active work-item
    neighbours, upwards or downwards      a vector load or store, masked where lanes are switched off
    computed from ids, step not known     at run time: neighbours, as above, or else as below
    anything else                         gather, scatter

An access by scalars is not done where all its work-items are switched off: it goes to memory of the code's own instead.
Work-items of a group run in one thread, so that accesses to shared memory need not be volatile: the order of the code
is the order of the accesses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanewise.analysis.shapes import Shape, combined, normal
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import field_offsets, size_of
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32, i64, poison
from lanewise.workgroup.lanes.code import LaneCode, Mask
from lanewise.workgroup.lanes.fields import load_fields, store_fields
from lanewise.workgroup.lanes.lane_by_lane import lane_by_lane
from lanewise.workgroup.lanes.records import MAX_BYTES, stands_together
from lanewise.workgroup.lanes.registers import Register, element, lanes_type, split, together, vector_of
from lanewise.workgroup.lanes.runs import Elements
from lanewise.workgroup.lanes.siblings import Family, window
from lanewise.workgroup.lanes.strided import Places, may_load, may_store
from lanewise.workgroup.lanes.transposed import is_transposed, load_transposed, store_transposed

_KEPT: Final = frozenset({"!tbaa"})
_DUMMY: Final = ty.array(256, ty.I8)


def emit_load(code: LaneCode, load: Instruction, block: Block, mask: Mask) -> Register:
    if load in code.loaded:
        return code.loaded.pop(load)
    address = code.use(load.operands[0], block)
    if (load.is_volatile or load.ordering is not None) and not is_of_group(code, load.operands[0]):
        found = lane_by_lane(code, load.type, [address], mask, lambda build, p: build.emit(_copy(load, load.type, p)))
        assert found is not None
        return found
    shape = code.divergence.at_definition(load)
    if not shape.is_varying and not (load.is_volatile or load.ordering is not None):
        return _load_scalars(code, load, address, shape, mask)
    if not load.type.is_vector and is_transposed(code, address.shape, size_of(load.type, {}), mask):
        return load_transposed(code, load, address, _align(load, load.type))
    mask = code.mask_of(mask, shape)
    if _load_siblings(code, load, address, shape, mask):
        return code.loaded.pop(load)
    chunks = code.extent.chunks if shape.chunk is None else 1
    parts = [_load_part(code, load, load.type, address, chunk, mask) for chunk in range(chunks)]
    return Register(load.type, shape, parts)


def emit_store(code: LaneCode, store: Instruction, block: Block, mask: Mask) -> None:
    value = code.use(store.operands[0], block)
    address = code.use(store.operands[1], block)
    if (store.is_volatile or store.ordering is not None) and not is_of_group(code, store.operands[1]):
        lane_by_lane(code, ty.VOID, [value, address], mask, lambda build, p: build.emit(_copy(store, ty.VOID, p)))
        return
    if address.shape.lane == 0:
        _store_last(code, store, value, address, mask)
        return
    if not value.type.is_vector and is_transposed(code, address.shape, size_of(value.type, {}), mask):
        store_transposed(code, value, address, _align(store, value.type))
        return
    if _store_siblings(code, store, block, address, mask):
        return
    for chunk in range(code.extent.chunks):
        _store_part(code, store, value, address, chunk, mask)


def is_of_group(code: LaneCode, pointer: Value) -> bool:
    """Points into the arena, which only the thread of the group accesses."""
    while isinstance(pointer, Instruction) and pointer.op == "getelementptr":
        pointer = pointer.operands[0]
    return pointer is code.arena


def _copy(access: Instruction, type_: Type, operands: list[Value]) -> Instruction:
    return Instruction(
        access.op,
        type_,
        operands,
        flags=access.flags,
        align=access.align,
        ordering=access.ordering,
        source_type=access.source_type,
        predicate=access.predicate,
    )


def _metadata(access: Instruction) -> tuple[tuple[str, str], ...]:
    return tuple(m for m in access.metadata if m[0] in _KEPT)


def _align(access: Instruction, type_: Type) -> int:
    return access.align or max(1, size_of(type_, {}))


def _guarded(code: LaneCode, pointer: Value, mask: Mask, chunk: int | None, row: int | None, dummy: str) -> Value:
    """The address, or one of the code's own memory where no work-item of the row is active."""
    if mask is None:
        return pointer
    if chunk is None and row is None and code.nonempty:
        return pointer
    place = code.scratch(dummy, _DUMMY, clear=True)
    return code.build.select(code.any_in_row(mask, chunk, row), pointer, place)


# -- the same address in all lanes of a row ----------------------------------------------------------------------------


def _load_scalars(code: LaneCode, load: Instruction, address: Register, shape: Shape, mask: Mask) -> Register:
    chunks: list[int | None] = list(range(code.extent.chunks)) if shape.chunk is None else [None]
    rows: list[int | None] = list(range(code.extent.rows)) if shape.row is None else [None]
    parts: list[Value] = []
    for chunk in chunks:
        for row in rows:
            pointer = _guarded(code, code.scalar(address, chunk or 0, row or 0), mask, chunk, row, "nowhere")
            parts.append(code.build.load(load.type, pointer, load.name, load.align, _metadata(load)))
    return Register(load.type, shape, parts)


def _store_last(code: LaneCode, store: Instruction, value: Register, address: Register, mask: Mask) -> None:
    """Of work-items that store to one address, the last active one does."""
    extent = code.extent
    chunks = range(extent.chunks) if address.shape.chunk != 0 or mask is not None else [extent.chunks - 1]
    uniform = value.shape.is_uniform and address.shape.is_uniform
    if uniform:
        pointer = _guarded(code, code.scalar(address), mask, None, None, "no.store")
        code.build.store(code.scalar(value), pointer, store.align, _metadata(store))
        return
    for chunk in chunks:
        for row in range(extent.rows) if address.shape.row != 0 else [None]:
            pointer = _guarded_store(code, code.scalar(address, chunk, row or 0), mask, chunk, row)
            last = _last_value(code, value, mask, chunk, row)
            code.build.store(last, pointer, store.align, _metadata(store))


def _guarded_store(code: LaneCode, pointer: Value, mask: Mask, chunk: int, row: int | None) -> Value:
    if mask is None:
        return pointer
    place = code.scratch("no.store", _DUMMY)
    return code.build.select(code.any_in_row(mask, chunk, row), pointer, place)


def _last_value(code: LaneCode, value: Register, mask: Mask, chunk: int, row: int | None) -> Value:
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
    """One lane's value; of a struct of vectors, the program's vector."""
    if vector.type.kind != "struct":
        return element(vector, index, code.build)
    fields = [
        _lane(code, code.build.emit(Instruction("extractvalue", field, (vector,), indices=(i,))), index)
        for i, field in enumerate(vector.type.fields)
    ]
    return together(ty.vector(len(fields), fields[0].type), fields, code.build)


# -- different addresses -----------------------------------------------------------------------------------------------


def _load_part(code: LaneCode, load: Instruction, type_: Type, address: Register, chunk: int, mask: Mask) -> Value:
    """What a load gives, or one part of the struct that it gives, for the work-items of a chunk."""
    if type_.kind == "struct":
        parts: list[Value] = []
        for field, offset in _parts(type_):
            stored = ty.I8 if field is ty.I1 else field
            part = _load_part(code, load, stored, _displaced(code, address, offset), chunk, mask)
            wanted = lanes_type(field, code.extent.width)
            parts.append(part if stored is field else code.build.cast("trunc", part, wanted))
        return together(lanes_type(type_, code.extent.width), parts, code.build)
    elements = _elements([load], type_.scalar)
    places = tuple(range(type_.count if type_.is_vector else 1))
    if address.shape.lane == 0:
        found = [_load_same(code, elements, place, address, chunk, mask) for place in places]
    else:
        found = load_fields(code, elements, places, address, load.operands[0], chunk, mask)
    return together(lanes_type(type_, code.extent.width), found, code.build) if type_.is_vector else found[0]


def _load_same(code: LaneCode, elements: Elements, place: int, address: Register, chunk: int, mask: Mask) -> Value:
    """An element at the same address in all lanes of a row, as a vector."""
    shape = normal(combined([address.shape]), code.extent)
    whole = _displaced(code, address, place * elements.size)
    load = Instruction("load", elements.type, (poison(address.type),), align=elements.align, source_type=elements.type)
    return code.vector(_load_scalars(code, load, whole, shape, mask), chunk)


def _store_part(code: LaneCode, store: Instruction, value: Register, address: Register, chunk: int, mask: Mask) -> None:
    type_ = value.type
    if type_.kind == "struct":
        for index, (field, offset) in enumerate(_parts(type_)):
            stored = ty.I8 if field is ty.I1 else field
            part = code.mapped(stored, value.shape, [value], lambda p, index=index: _field(code, p[0], index))
            _store_part(code, store, part, _displaced(code, address, offset), chunk, mask)
        return
    values = _columns(code, value, chunk)
    elements = _elements([store], type_.scalar)
    store_fields(code, elements, tuple(range(len(values))), values, address, store.operands[1], chunk, mask)


def _columns(code: LaneCode, value: Register, chunk: int) -> list[Value]:
    """The vector of a value, or of each element of a vector of the program's."""
    vector = code.vector(value, chunk)
    return split(vector, code.build) if value.type.is_vector else [vector]


def _elements(accesses: Sequence[Instruction], type_: Type) -> Elements:
    metadata = {_metadata(access) for access in accesses}
    size = size_of(type_, {})
    align = min(access.align or size for access in accesses)
    name = accesses[0].name if len(accesses) == 1 else None
    return Elements(type_, min(align, size), metadata.pop() if len(metadata) == 1 else (), name)


def _field(code: LaneCode, whole: Value, index: int) -> Value:
    field = code.build.emit(Instruction("extractvalue", whole.type.fields[index], (whole,), indices=(index,)))
    return code.build.cast("zext", field, ty.I8.with_shape_of(field.type)) if field.type.scalar is ty.I1 else field


def _parts(struct: Type) -> list[tuple[Type, int]]:
    """The fields of a struct, with their offsets in bytes."""
    return list(zip(struct.fields, field_offsets(struct, {})[0], strict=True))


def _displaced(code: LaneCode, address: Register, offset: int) -> Register:
    if offset == 0:
        return address
    width = code.extent.width

    def make(parts: list[Value]) -> Value:
        by: Value = i64(offset)
        if parts[0].type.is_vector:
            by = vector_of(ty.I64, [offset] * width)
        return code.build.emit(Instruction("getelementptr", parts[0].type, (parts[0], by), source_type=ty.I8))

    return code.mapped(address.type, address.shape, [address], make)


# -- siblings ----------------------------------------------------------------------------------------------------------


def _load_siblings(code: LaneCode, load: Instruction, address: Register, shape: Shape, mask: Mask) -> bool:
    """Do a load and its siblings as one, if that is better."""
    group = _group(code, load, address, mask)
    if group is None:
        return False
    members, elements, places = group
    own = next(m.offset for m in members if m.access is load)
    base = _displaced(code, address, members[0].offset - own)
    pointer = members[0].access.operands[0]
    chunks = range(code.extent.chunks if shape.chunk is None else 1)
    columns = [load_fields(code, elements, places, base, pointer, chunk, mask) for chunk in chunks]
    for member in members:
        parts: list[Value] = []
        for vectors in columns:
            first = (member.offset - members[0].offset) // elements.size
            found = [vectors[places.index(first + i)] for i in range(member.length)]
            kind = lanes_type(member.type.scalar, code.extent.width)
            found = [v if v.type is kind else code.build.cast("bitcast", v, kind) for v in found]
            whole = lanes_type(member.type, code.extent.width)
            parts.append(together(whole, found, code.build) if member.type.is_vector else found[0])
        code.loaded[member.access] = Register(member.type, shape, parts)
    return True


def _store_siblings(code: LaneCode, store: Instruction, block: Block, address: Register, mask: Mask) -> bool:
    """Do a store and its siblings as one, where it is the last of them; whether that is done, or will be."""
    group = _group(code, store, address, mask)
    if group is None:
        return False
    members, elements, places = group
    position = block.instructions.index
    if store is not max((m.access for m in members), key=position):
        return True
    own = next(m.offset for m in members if m.access is store)
    base = _displaced(code, address, members[0].offset - own)
    pointer = members[0].access.operands[1]
    for chunk in range(code.extent.chunks):
        values: list[Value] = []
        for member in members:
            for vector in _columns(code, code.use(member.access.operands[0], block), chunk):
                kind = lanes_type(elements.type, code.extent.width)
                values.append(vector if vector.type is kind else code.build.cast("bitcast", vector, kind))
        store_fields(code, elements, places, values, base, pointer, chunk, mask)
    return True


def _group(
    code: LaneCode, access: Instruction, address: Register, mask: Mask
) -> tuple[Family, Elements, Places] | None:
    """The siblings that are best done as one access, with what that touches; None where an access stays alone."""
    where = 0 if access.op == "load" else 1
    steps = code.divergence.at_definition(access.operands[where])[:3]
    family = [
        m
        for m in code.siblings.of(access)
        if code.divergence.at_definition(m.access.operands[where])[:3] == steps
        and m.access not in code.known
        and m.access not in code.loaded
    ]
    if len(family) < 2:
        return None
    type_ = family[0].type.scalar
    size = size_of(type_, {})
    step = address.shape.lane
    members = window(family, access, size, MAX_BYTES if step is None else abs(step))
    start = members[0].offset
    places = tuple(sorted({(m.offset - start) // size + i for m in members for i in range(m.length)}))
    if len(members) < 2:
        return None
    elements = _elements([m.access for m in members], type_)
    if access.op == "store" and places != tuple(range(len(places))):
        return None
    may = may_load if access.op == "load" else may_store
    if (step is not None and may(elements, places, step, mask is not None)) or stands_together(elements, places):
        return members, elements, places
    return None
