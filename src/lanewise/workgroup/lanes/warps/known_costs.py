# SPDX-License-Identifier: Apache-2.0
"""The sectors and wavefronts of a whole warp's access in closed form, from the shape of its addresses.

    %n = call i32 @__lw_known_sectors(i64 %address, i32 4)       -1: not known, count lane by lane

Where all distances between lanes are known, wavefronts are a constant: they depend on these alone. Sectors depend on
where the first lane is, too. The addresses fall into *runs*, none of which leaves a sector out, and which share none:

    sectors = (last byte of the run) / 32 - (first byte of the run) / 32 + 1, summed over the runs

Rows or chunks at distances that only the run knows are runs of their own; that they share no sector is tested when the
code runs. An address whose index may wrap is taken not to (`analysis/wrapping.py`).
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Final

from lanewise.analysis.shapes import UNIFORM, Shape
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value, i32, i64
from lanewise.workgroup.lanes.memory.wrapping import neighbours_unless_wrapped
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue
from lanewise.workgroup.lanes.warps.warp import WARP_SIZE

KNOWN_COSTS: Final = frozenset({"__lw_known_sectors", "__lw_known_wavefronts"})
SECTOR: Final = 32
BANK: Final = 4
WAVEFRONT: Final = 128
_UNKNOWN: Final = i32(-1)


def emit_known_cost(code: LaneCode, call: Instruction, block: Block, mask: Mask) -> LaneValue:
    """Emit a number that is the same for all lanes."""
    address, size = call.arguments
    assert isinstance(size, Constant)
    found: Value | None = None
    if mask is None:
        values = neighbours_unless_wrapped(code, address, block, mask) or code.use(address, block)
        if values.shape.lane is not None:
            known = _sectors if call.callee == "__lw_known_sectors" else _wavefronts
            found = known(code, values, size.integer)
    return LaneValue(ty.I32, UNIFORM, (found or _UNKNOWN,))


def _offsets(code: LaneCode, shape: Shape) -> list[int]:
    """The distances from the first lane, of those lanes that share a part of the lane value."""
    lane, row, chunk = shape[:3]
    chunks = code.extent.chunks if chunk is not None else 1
    rows = code.extent.rows if row is not None else 1
    return [
        c * (chunk or 0) + r * (row or 0) + place * (lane or 0)
        for c in range(chunks)
        for r in range(rows)
        for place in range(code.extent.lanes)
    ]


# -- shared memory -----------------------------------------------------------------------------------------------------


def _wavefronts(code: LaneCode, values: LaneValue, size: int) -> Value | None:
    if len(values.parts) > 1 or code.extent.width * code.extent.chunks != WARP_SIZE:
        return None
    return i32(wavefronts(_offsets(code, values.shape), size))


def wavefronts(offsets: list[int], size: int) -> int:
    """The most words that one bank is asked for, summed over groups of lanes that move at most 128 bytes."""
    unit = max(size, BANK)
    group = WAVEFRONT // unit
    total = 0
    for first in range(0, len(offsets), group):
        words = {offset // unit for offset in offsets[first : first + group]}
        total += max(Counter(word % group for word in words).values())
    return total


# -- global memory -----------------------------------------------------------------------------------------------------


def runs_of(offsets: list[int], size: int) -> list[tuple[int, int]]:
    """The first byte and the last one of each run."""
    starts = sorted(set(offsets))
    runs: list[tuple[int, int]] = []
    for start in starts:
        last = start + size - 1
        if runs and start - (runs[-1][1] + 1 - size) <= SECTOR:
            runs[-1] = runs[-1][0], last
        else:
            runs.append((start, last))
    return runs


def _sectors(code: LaneCode, values: LaneValue, size: int) -> Value | None:
    runs = runs_of(_offsets(code, values.shape), size)
    build = code.build
    bases = [_number(code, part) for part in values.parts]
    total: Value | None = None
    for base in bases:
        for first, last in runs:
            ends = [build.binary("lshr", build.binary("add", base, i64(at)), i64(5)) for at in (last, first)]
            more = build.binary("add", build.binary("sub", ends[0], ends[1]), i64(1))
            total = more if total is None else build.binary("add", total, more)
    assert total is not None
    found = build.cast("trunc", total, ty.I32)
    apart = _are_apart(code, bases, runs[-1][1] - runs[0][0] + SECTOR)
    return found if apart is None else build.select(apart, found, _UNKNOWN)


def _number(code: LaneCode, part: Value) -> Value:
    return code.build.cast("ptrtoint", part, ty.I64) if part.type.is_pointer else part


def _are_apart(code: LaneCode, bases: list[Value], span: int) -> Value | None:
    """True (i1) if each of several bases is further from the one before than `span`, all in one direction."""
    build = code.build
    upwards: Value | None = None
    downwards: Value | None = None
    for before, base in pairwise(bases):
        distance = build.binary("sub", base, before)
        up = build.compare("sgt", distance, i64(span))
        down = build.compare("slt", distance, i64(-span))
        upwards = up if upwards is None else build.binary("and", upwards, up)
        downwards = down if downwards is None else build.binary("and", downwards, down)
    return None if upwards is None or downwards is None else build.binary("or", upwards, downwards)
