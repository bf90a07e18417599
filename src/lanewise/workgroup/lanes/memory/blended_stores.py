# SPDX-License-Identifier: Apache-2.0
"""Masked stores to memory of the group as loads, selects and plain stores.

Why
    With AVX2 an EPYC 7003 takes 5.5 ns for a masked store (vmaskmov), and 9 ns more for the next load from there. A
    load, a blend and a store take 0.7 ns. NEON and SSE have no masked stores at all.

Needs
    1. The processor has no fast masked stores.
    2. The address is in the arena, which only the thread of the group accesses. So nobody notices that the elements of
       other lanes are written, with the values that they have.
    3. The vector is no longer than the margin of the arena. A vector with an active lane in the arena is then within
       arena and margins.

Method
    If no lane is active, the address may be anywhere. The store then goes to memory of the code's own. The load is
    volatile: else LLVM 22 makes a masked store of the three again (`foldToMaskedStore` of its DAG combiner).
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import size_of
from lanewise.ir.types import Type
from lanewise.ir.values import Value
from lanewise.workgroup.lanes.analysis.elements import GROUP_MARGIN, Elements
from lanewise.workgroup.lanes.values.lane_code import LaneCode

_DUMMY: Final = ty.array(GROUP_MARGIN, ty.I8)


def is_of_group(code: LaneCode, pointer: Value) -> bool:
    """Return whether a pointer is into the arena, which only the thread of the group accesses."""
    while isinstance(pointer, Instruction) and pointer.op == "getelementptr":
        pointer = pointer.operands[0]
    return pointer is code.arena


def is_blended(code: LaneCode, vector: Type, first: Value) -> bool:
    """Return whether a masked store of a vector at `first` is made in this way."""
    return (
        not code.processor.masked_stores  # 1
        and is_of_group(code, first)  # 2
        and size_of(vector, {}) <= GROUP_MARGIN  # 3
    )


def is_read_whole(code: LaneCode, vector: Type, first: Value, bits: Value) -> bool:
    """Return whether a masked load may read the lanes that are switched off, too: it needn't wait for the mask then."""
    return _is_active(code, bits) and is_blended(code, vector, first)


def _is_active(code: LaneCode, bits: Value) -> bool:
    """Return whether some lane of a chunk is known to be active."""
    return code.nonempty and code.extent.chunks == 1 and bits.type.count == code.extent.width


def store_blended(code: LaneCode, elements: Elements, vector: Value, first: Value, bits: Value, piece: bool) -> None:
    """Store the lanes of `vector` that are set in `bits`. `piece`: see `load_run`."""
    build = code.build
    if piece or not _is_active(code, bits):
        place = code.scratch("no.store", _DUMMY)
        first = build.select(code.reduced(bits, "or"), first, place)
    load = Instruction(
        "load", vector.type, (first,), align=elements.align, source_type=vector.type, flags=("volatile",)
    )
    build.store(build.select(bits, vector, build.emit(load)), first, elements.align, elements.metadata)
