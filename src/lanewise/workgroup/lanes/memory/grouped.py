# SPDX-License-Identifier: Apache-2.0
"""Interleave groups of loads or stores (`interleave_groups.py`) as one access of several fields: those of a struct.

Members may differ in size, for example if a program copies two fields as one number of 64 bits. Units of the size of
the smallest are loaded and stored.
"""

from __future__ import annotations

from lanewise.analysis.shapes import Shape
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import size_of
from lanewise.ir.types import Type
from lanewise.ir.values import Value
from lanewise.workgroup.lanes.analysis.elements import Elements, elements_of
from lanewise.workgroup.lanes.analysis.interleave_groups import window
from lanewise.workgroup.lanes.analysis.record_layout import MAX_BYTES, is_record
from lanewise.workgroup.lanes.memory.fields import columns, displaced, load_fields, store_fields
from lanewise.workgroup.lanes.memory.nontemporal_stores import store_chunks
from lanewise.workgroup.lanes.memory.pending import AccessGroup, PendingAccesses
from lanewise.workgroup.lanes.memory.runs import concatenated
from lanewise.workgroup.lanes.memory.shuffles import put_together
from lanewise.workgroup.lanes.memory.strided import may_load, may_store
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue, lanes_type, shuffle, together


def load_together(
    code: LaneCode, pending: PendingAccesses, load: Instruction, address: LaneValue, shape: Shape, mask: Mask
) -> bool:
    """Do a load and its group as one, if that is better."""
    group = _access_group(code, pending, load, address, mask)
    if group is None:
        return False
    members, elements, places, base = group
    chunks = range(code.extent.chunks if shape.chunk is None else 1)
    loaded = [load_fields(code, pending, elements, places, base, group.pointer, chunk, mask) for chunk in chunks]
    for member in members:
        first = (member.offset - members[0].offset) // elements.size
        count = (member.end - member.offset) // elements.size
        numbers = [places.index(first + i) for i in range(count)]
        parts = [_from_units(code, [vectors[n] for n in numbers], member.type) for vectors in loaded]
        pending.loaded[member.access] = LaneValue(member.type, shape, parts)
    return True


def store_together(
    code: LaneCode, pending: PendingAccesses, store: Instruction, block: Block, address: LaneValue, mask: Mask
) -> bool:
    """Do a store and its group as one, if it is the last of them. Returns whether that is done, or will be."""
    if store not in pending.groups:
        group = _access_group(code, pending, store, address, mask)
        if group is None:
            return False
        pending.groups.update((member.access, group) for member in group.members)
    group = pending.groups.pop(store)
    if any(member.access in pending.groups for member in group.members):
        return True

    def store_chunk(chunk: int) -> None:
        values: list[Value] = []
        for member in group.members:
            stored = code.use(member.access.operands[0], block)
            values += [unit for v in columns(code, stored, chunk) for unit in _to_units(code, v, group.elements)]
        store_fields(code, pending, group.elements, group.places, values, group.address, group.pointer, chunk, mask)

    store_chunks(code, pending, group.pointer, group.address, mask, store_chunk)
    return True


def _from_units(code: LaneCode, units: list[Value], type_: Type) -> Value:
    """Convert vectors of units to the result of a load of `type_`."""
    width = code.extent.width
    vector = ty.vector(width, type_.scalar)
    each = size_of(type_.scalar, {}) // size_of(units[0].type.inner, {})
    found: list[Value] = []
    for index in range(0, len(units), each):
        whole = concatenated(code, put_together(units[index : index + each], code.build))
        found.append(whole if whole.type is vector else code.build.cast("bitcast", whole, vector))
    return together(lanes_type(type_, width), found, code.build) if type_.is_vector else found[0]


def _to_units(code: LaneCode, vector: Value, elements: Elements) -> list[Value]:
    """The units of a vector's elements."""
    width = code.extent.width
    each = size_of(vector.type.inner, {}) // elements.size
    flat = ty.vector(width * each, elements.type)
    units = vector if vector.type is flat else code.build.cast("bitcast", vector, flat)
    if each == 1:
        return [units]
    return [shuffle(units, None, range(place, width * each, each), code.build) for place in range(each)]


def _access_group(
    code: LaneCode, pending: PendingAccesses, access: Instruction, address: LaneValue, mask: Mask
) -> AccessGroup | None:
    """The group that is best for an access, which is the first of it; None if it is done alone."""

    def steps(of: Instruction) -> tuple[int | None, ...]:
        return code.divergence.at_definition(effects.pointer_operand(of))[:3]

    all_members = pending.interleave.of(access)
    later = all_members[[m.access for m in all_members].index(access) :] if all_members else ()
    candidates = [
        m
        for m in later
        if steps(m.access) == steps(access) and m.access not in pending.loaded and m.access not in pending.groups
    ]
    if not candidates:
        return None
    sizes = sorted({size_of(m.type.scalar, {}) for m in candidates}, reverse=True)
    step = address.shape.lane
    span = MAX_BYTES if step is None else abs(step)
    unit, members = max(((u, window(candidates, access, u, span)) for u in sizes), key=lambda found: len(found[1]))
    if len(members) < 2:
        return None
    types = {m.type.scalar for m in members}
    (only,) = types if len(types) == 1 else (None,)
    type_ = only if only is not None and size_of(only, {}) == unit else ty.integer(8 * unit)
    start = members[0].offset
    places = tuple(sorted({at // unit for m in members for at in range(m.offset - start, m.end - start, unit)}))
    if access.op == "store" and places != tuple(range(len(places))):
        return None
    elements = elements_of([m.access for m in members], type_)
    masked = mask is not None
    may = may_load if access.op == "load" else may_store
    if (step is None or not may(code, elements, places, step, masked)) and not is_record(elements, places):
        return None
    own = next(m.offset for m in members if m.access is access)
    return AccessGroup(members, elements, places, displaced(code, address, start - own))
