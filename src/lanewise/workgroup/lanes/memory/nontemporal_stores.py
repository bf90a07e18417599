# SPDX-License-Identifier: Apache-2.0
"""The code of stores that may pass by the caches. `nontemporal.py` has the reasons and the conditions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanewise.analysis.shapes import Extent, Shape
from lanewise.ir import types as ty
from lanewise.ir.layout import size_of
from lanewise.ir.values import Value, i64
from lanewise.workgroup.lanes.analysis.nontemporal import LINE, NontemporalArrays
from lanewise.workgroup.lanes.memory.pending import HeldStore, PendingAccesses
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue


def store_chunks(
    code: LaneCode,
    pending: PendingAccesses,
    pointer: Value,
    address: LaneValue,
    mask: Mask,
    store_chunk: Callable[[int], None],
) -> None:
    """Make the stores of all chunks, which `store_chunk` makes, through `pointer` of the work-item's code: past the
    caches if that is worth it."""
    arrays = pending.nontemporal
    mask_of_launch = arrays.mask(pointer) if arrays is not None and mask is None else None
    if arrays is None or mask_of_launch is None or address.shape.lane is None:
        for chunk in range(code.extent.chunks):
            store_chunk(chunk)
        return
    with pending.holding_stores() as held:
        for chunk in range(code.extent.chunks):
            store_chunk(chunk)
    lines = whole_lines(held, address.shape, code.extent)
    if lines:
        _store_either_way(code, arrays, held, lines, mask_of_launch)
    else:
        _store(code, held)


def _store_either_way(
    code: LaneCode, arrays: NontemporalArrays, held: list[HeldStore], lines: list[int], mask_of_launch: Value
) -> None:
    """Store past the caches if the addresses of stores `lines` have no bit of `mask_of_launch`."""
    bits: Value | None = None
    for number in lines:
        start = code.build.cast("ptrtoint", held[number].pointer, ty.I64)
        bits = start if bits is None else code.build.binary("or", bits, start)
    assert bits is not None
    aligned = code.build.compare("eq", code.build.binary("and", bits, mask_of_launch), i64(0))
    past, through, done = (code.new_block(f"stores.{n}") for n in ("past.caches", "to.caches", "done"))
    code.build.branch_if(aligned, past, through)
    code.begin(past)
    _store(code, [_nontemporal(each, arrays) for each in held])
    code.build.branch(done)
    code.begin(through)
    _store(code, held)
    code.build.branch(done)
    code.begin(done)


def _nontemporal(store: HeldStore, arrays: NontemporalArrays) -> HeldStore:
    """The same store past the caches."""
    align = min(LINE, size_of(store.vector.type, {}))
    return store._replace(align=align, metadata=(*store.metadata, *arrays.metadata))


def _store(code: LaneCode, held: list[HeldStore]) -> None:
    for each in held:
        code.build.store(*each)


def whole_lines(held: Sequence[HeldStore], shape: Shape, extent: Extent) -> list[int]:
    """Numbers of the stores, among those of all chunks, that must start a line for all of them to fill whole lines (4);
    empty if they don't. `shape` is that of the address."""
    if not held or shape.lane is None or shape.lane <= 0 or len(held) % extent.chunks:
        return []
    each = len(held) // extent.chunks
    sizes = {size_of(r.vector.type, {}) for r in held}
    row = shape.lane * extent.lanes
    of_chunk = row * extent.rows
    if len(sizes) != 1 or each * min(sizes) != of_chunk or (extent.rows > 1 and shape.row != row):
        return []
    if shape.chunk == of_chunk and of_chunk * extent.chunks % LINE == 0:
        return [0]
    if of_chunk % LINE:
        return []
    known = shape.chunk is not None and shape.chunk % LINE == 0
    return [0] if known else [chunk * each for chunk in range(extent.chunks)]
