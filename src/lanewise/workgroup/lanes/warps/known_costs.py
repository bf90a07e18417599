# SPDX-License-Identifier: Apache-2.0
"""The sectors and wavefronts of a whole warp's access in closed form, from the shape of its addresses.

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

from lanewise.analysis.shapes import Shape
from lanewise.ir import types as ty
from lanewise.ir.values import Value, i32, i64
from lanewise.workgroup.lanes.values.lane_code import LaneCode
from lanewise.workgroup.lanes.values.lane_values import LaneValue

SECTOR: Final = 32
BANK: Final = 4
WAVEFRONT: Final = 128


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


def known_wavefronts(code: LaneCode, values: LaneValue, size: int) -> int | None:
    """The wavefronts if all lanes are active; None if that isn't known."""
    return wavefronts(_offsets(code, values.shape), size) if len(values.parts) == 1 else None


def are_distinct(code: LaneCode, values: LaneValue, size: int) -> bool:
    """Return whether no two lanes are known to access the same bytes."""
    if len(values.parts) > 1:
        return False
    offsets = sorted(_offsets(code, values.shape))
    return all(after - before >= size for before, after in pairwise(offsets))


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


def known_sectors(code: LaneCode, values: LaneValue, size: int) -> tuple[Value, Value | None]:
    """The sectors if all lanes are active (i32), and the condition (i1) under which that is right; None: always."""
    runs = runs_of(_offsets(code, values.shape), size)
    build = code.build
    bases = [_number(code, part) for part in values.parts]
    total: Value | None = None
    certain = 0
    for base in bases:
        for first, last in runs:
            certain += 1
            if last - first < size:
                continue  # one access, which is in one sector
            ends = [build.binary("lshr", build.binary("add", base, i64(at)), i64(5)) for at in (last, first)]
            more = build.binary("sub", ends[0], ends[1])
            total = more if total is None else build.binary("add", total, more)
    found = i32(certain)
    if total is not None:
        found = build.binary("add", build.cast("trunc", total, ty.I32), found)
    return found, _are_apart(code, bases, runs[-1][1] - runs[0][0] + SECTOR)


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
