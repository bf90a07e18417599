# SPDX-License-Identifier: Apache-2.0
"""The code of stores that may pass by the caches: `streams.py` says why, and what is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanewise.analysis.shapes import Extent, Shape
from lanewise.ir import types as ty
from lanewise.ir.layout import size_of
from lanewise.ir.values import Value, i64
from lanewise.workgroup.lanes.code import LaneCode, Mask
from lanewise.workgroup.lanes.registers import Register
from lanewise.workgroup.lanes.streams import LINE, Recorded


def store_chunks(
    code: LaneCode, pointer: Value, address: Register, mask: Mask, store_chunk: Callable[[int], None]
) -> None:
    """The stores of all chunks, which `store_chunk` makes, through `pointer` of the work-item's code: past the caches
    where that is worth it."""
    past_caches = code.streams.mask(pointer) if code.streams is not None and mask is None else None
    if past_caches is None or address.shape.lane is None:
        for chunk in range(code.extent.chunks):
            store_chunk(chunk)
        return
    code.recorded = []
    for chunk in range(code.extent.chunks):
        store_chunk(chunk)
    recorded, code.recorded = code.recorded, None
    lines = whole_lines(recorded, address.shape, code.extent)
    if lines:
        _store_either_way(code, recorded, lines, past_caches)
    else:
        _store(code, recorded)


def _store_either_way(code: LaneCode, recorded: list[Recorded], lines: list[int], past_caches: Value) -> None:
    """Past the caches where the addresses of stores `lines` have no bit of `past_caches`."""
    assert code.streams is not None
    bits: Value | None = None
    for number in lines:
        begin = code.build.cast("ptrtoint", recorded[number].pointer, ty.I64)
        bits = begin if bits is None else code.build.binary("or", bits, begin)
    assert bits is not None
    aligned = code.build.compare("eq", code.build.binary("and", bits, past_caches), i64(0))
    past, through, done = (code.new_block(f"stores.{n}") for n in ("past.caches", "to.caches", "done"))
    code.build.branch_if(aligned, past, through)
    code.begin(past)
    _store(code, [code.streams.past_caches(each) for each in recorded])
    code.build.branch(done)
    code.begin(through)
    _store(code, recorded)
    code.build.branch(done)
    code.begin(done)


def _store(code: LaneCode, recorded: list[Recorded]) -> None:
    for each in recorded:
        code.build.store(*each)


def whole_lines(recorded: Sequence[Recorded], shape: Shape, extent: Extent) -> list[int]:
    """Which of the stores of all chunks, by number, must begin a line for all of them to fill whole lines (4); none
    where they don't. `shape` is that of the address."""
    if not recorded or shape.lane is None or shape.lane <= 0 or len(recorded) % extent.chunks:
        return []
    each = len(recorded) // extent.chunks
    sizes = {size_of(r.vector.type, {}) for r in recorded}
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
