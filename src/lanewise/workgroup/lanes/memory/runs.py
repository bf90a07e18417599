# SPDX-License-Identifier: Apache-2.0
"""Vectors in memory: elements side by side, and elements anywhere."""

from __future__ import annotations

from collections.abc import Sequence

from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i32, i64, poison
from lanewise.workgroup.lanes.analysis.elements import Elements
from lanewise.workgroup.lanes.memory.blended_stores import is_blended, is_read_whole, store_blended
from lanewise.workgroup.lanes.memory.pending import HeldStore, PendingAccesses
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import ones, shuffle
from lanewise.workgroup.lanes.values.opaque import may_be_truncated, opaque


def bits_of(code: LaneCode, mask: Mask, chunk: int, row: int | None = None) -> Value | None:
    """The mask of a chunk, or of a row of it; None if all work-items are active."""
    if mask is None:
        return None
    bits = code.vector(mask, chunk)
    return bits if row is None or code.extent.rows == 1 else code.row_of(bits, row)


def backwards(code: LaneCode, vector: Value) -> Value:
    """The lanes in reversed order."""
    return shuffle(vector, None, list(reversed(range(vector.type.count))), code.build)


def byte(code: LaneCode, pointer: Value, offset: int) -> Value:
    """The address `offset` bytes after a pointer."""
    if offset == 0:
        return pointer
    return code.build.emit(Instruction("getelementptr", pointer.type, (pointer, i64(offset)), source_type=ty.I8))


def concatenated(code: LaneCode, vectors: Sequence[Value]) -> Value:
    """Concatenate vectors, whose number is a power of two."""
    while len(vectors) > 1:
        count = vectors[0].type.count
        vectors = [
            shuffle(a, b, list(range(2 * count)), code.build) for a, b in zip(vectors[::2], vectors[1::2], strict=True)
        ]
    return vectors[0]


def load_run(
    code: LaneCode, pending: PendingAccesses, elements: Elements, first: Value, bits: Value | None, count: int,
    piece: bool = False,
) -> Value:  # fmt: skip
    """Load the elements at `first` and after it. `piece`: `bits` are not those of a whole chunk or row."""
    vector = ty.vector(count, elements.type)
    pending.note_run(first, count * elements.size)
    if bits is None:
        return code.build.load(vector, first, elements.name, elements.align, elements.metadata)
    if not piece and is_read_whole(code, vector, first, bits):
        return code.build.load(vector, first, elements.name, elements.align, elements.metadata)
    arguments = [first, i32(elements.align), bits, poison(vector)]
    return code.intrinsic(f"llvm.masked.load.{_spelled(vector)}.p0", vector, arguments)


def store_run(
    code: LaneCode, pending: PendingAccesses, elements: Elements, vector: Value, first: Value, bits: Value | None,
    piece: bool = False,
) -> None:  # fmt: skip
    """Store elements, as `load_run` loads them."""
    if bits is None:
        pending.store(HeldStore(vector, first, elements.align, elements.metadata), code.build)
        return
    if is_blended(code, vector.type, first):
        store_blended(code, elements, vector, first, bits, piece)
        return
    if code.processor.truncating_stores and may_be_truncated(vector.type):
        bits = opaque(code, bits)
    arguments = [vector, first, i32(elements.align), bits]
    code.intrinsic(f"llvm.masked.store.{_spelled(vector.type)}.p0", ty.VOID, arguments)


def gather(code: LaneCode, elements: Elements, pointers: Value, bits: Value | None) -> Value:
    count = pointers.type.count
    vector = ty.vector(count, elements.type)
    mask = bits if bits is not None else ones(ty.vector(count, ty.I1))
    name = f"llvm.masked.gather.{_spelled(vector)}.v{count}p0"
    return code.intrinsic(name, vector, [pointers, i32(elements.align), mask, poison(vector)])


def scatter(code: LaneCode, elements: Elements, vector: Value, pointers: Value, bits: Value | None) -> None:
    count = pointers.type.count
    mask = bits if bits is not None else ones(ty.vector(count, ty.I1))
    name = f"llvm.masked.scatter.{_spelled(vector.type)}.v{count}p0"
    code.intrinsic(name, ty.VOID, [vector, pointers, i32(elements.align), mask])


def _spelled(type_: Type) -> str:
    scalar = type_.inner
    word = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64", "ptr": "p0"}.get(
        scalar.kind, f"i{scalar.bits}"
    )
    return f"v{type_.count}{word}"
