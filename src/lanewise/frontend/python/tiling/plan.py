# SPDX-License-Identifier: Apache-2.0
"""The register tiling of a parallel nest: which axis is done several rows at a time, and which references are packed.

Why     A work-item that does one element of a matrix product loads two numbers for each multiplication. One that does
        six rows of a column loads seven for six, and has six sums that don't wait for each other. A column that is
        copied first lies in the first cache, one vector after the other, for all rows of a work-item.

As written
    for i in prange(n):
        for j in prange(m):
            s = 0.0
            for k in range(l):
                s += a[i, k] * b[k, j]
            c[i, j] = s

As done, with j as x, 2 rows at a time; `p` and `t` are each work-item's own
    for i in this work-item's rows:
        t[i] = 0.0
    for part in parts of range(l):
        for k in part:
            p[k] = b[k, j]
        for i, i' in this work-item's rows:
            s, s' = t[i], t[i']
            for k in part:
                s += a[i, k] * p[k]
                s' += a[i', k] * p[k]
            t[i], t[i'] = s, s'
    for i in this work-item's rows:
        c[i, j] = t[i]

Needs   The iterations of the axis of rows are independent, so that they may be done in any order and in turns.
    1. Another axis than x, and no reduction over the nest.
    2. Loops over ranges whose bounds are the same in all rows, and no other loops or jumps. (Calls are of functions of
       numbers: `parallel` requires that of axes.)
    3. Variables of loops that nothing else assigns to or reads.
    4. No store in the loops: sums of several rows stay in registers.
    5. In an innermost loop, an access to memory that is the same for all rows.
    Packing needs a nest of one such loop, by steps of 1, and
    6. no store before the loop: the elements that it reads stay as they are.
    7. A reference that every iteration makes, whose subscripts are of the loop, of axes other than the rows', and of
       inputs: all elements that are copied are read.
    Nests in which nothing is packed need
    8. inner loops with at most two operations for each load: fewer loads are all that they gain.

Method  Unroll-and-jam, cache blocking of the inner loop, and packing as in Goto and van de Geijn, "Anatomy of
        High-Performance Matrix Multiplication", ACM TOMS 34 (2008), sections 4 and 5. Each element's sum goes on from
        one part of the inner loop to the next, so that its order is that of the source.

When not
        Devices with memory of their own, whose work-items have few registers and no caches of this size, and launches
        with few rows or columns, run the kernel that isn't tiled.
"""

import ast
from collections.abc import Mapping
from typing import Final, NamedTuple

from lanewise.frontend.python.names import assigned, reads
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import Array, Type
from lanewise.frontend.python.region import PythonRegion
from lanewise.frontend.python.tiling.fitness import bounds_use, carried, loads_most, loops_of, unfit
from lanewise.frontend.python.tiling.packing import PackedReference, packed_references
from lanewise.frontend.python.trees import walk

_VECTORS: Final = 2
"""Vectors of a row: each number that a row broadcasts serves two of them."""
_REGISTERS: Final = {64: 32}
"""Vector registers by their size in bytes; there are 16 of others, at least."""
_OTHER_REGISTERS: Final = 4
"""Registers for what is loaded."""
_ROWS: Final = (8, 6, 5, 4, 3, 2)
"""Numbers of rows at a time; they divide ROWS_OF_GROUP."""
_PACKED_BYTES: Final = 32 << 10
"""Bytes of packed columns of a work-group: the first cache of most processors has room for them, or nearly."""
ROWS_OF_GROUP: Final = 240
"""Rows of a work-group, at most: each packed column serves so many."""


class RegisterTiling(NamedTuple):
    """The tiling of a grid. `row`: the number of the axis that is done `rows` at a time; `width`: columns whose vectors
    fit the registers. `part`: iterations of the packed loop at a time; 0 if nothing is packed. `triangular`: the bounds
    of x depend on the row. `plane`: the number of the third axis, if a work-group's rows go on in its next iteration,
    since they read the same columns."""

    row: int
    rows: int
    width: int
    packed: tuple[PackedReference, ...]
    part: int
    triangular: bool
    plane: int | None


class Untiled(NamedTuple):
    """The reason why a grid isn't tiled, or unrolled: `what`."""

    reason: str
    what: str = "tiled"


class _Candidate(NamedTuple):
    """An axis as that of the rows: the loads that all rows share, and those of them that depend on x."""

    shared: list[ast.Subscript]
    columns: list[ast.Subscript]
    number: int

    @property
    def score(self) -> tuple[int, int, int]:
        return len(self.columns), len(self.shared), self.number


def tiling_of(
    region: PythonRegion, grid: Grid, types: Mapping[str, Type], vector_bytes: int
) -> RegisterTiling | Untiled:
    """The tiling for vectors of a size."""
    if any(isinstance(of, Array) and of.element.fields for of in types.values()):
        return Untiled("it has records")
    triangular = _is_triangular(grid)
    reason = _unsuitable(region, grid, triangular)
    if reason:
        return Untiled(reason)
    x = grid.axes[grid.x].variable
    candidates: list[_Candidate] = []
    for number, axis in enumerate(grid.axes):
        if number != grid.x and not bounds_use(grid.body, axis.variable):  # 2
            shared = _shared(grid, axis.variable, types)
            candidates.append(_Candidate(shared, [each for each in shared if x in reads(each.slice)], number))
    if not candidates:
        return Untiled("the bounds of its loops differ from row to row")
    best = max(candidates, key=lambda each: each.score)
    if not best.shared:  # 5
        return Untiled("its rows share no loads")
    sizes = {name: type_.element.size for name, type_ in types.items() if isinstance(type_, Array)}
    width = max(_VECTORS * vector_bytes // max(sizes[name] for name in sizes.keys() & reads(grid.body)), 2)
    packs = region.options.tiling == "auto" and not bounds_use(grid.body, x)
    packed = packed_references(grid, best.columns, types) if packs else ()
    if not packed:
        if triangular:
            return Untiled("its columns depend on the row, and none are packed")
        if not loads_most(grid.body):  # 8
            return Untiled("its loops compute more than they load")
    part = _PACKED_BYTES // (width * sum(sizes[each.array] for each in packed)) if packed else 0
    plane = _plane(grid, best) if packed else None
    return RegisterTiling(best.number, _rows(grid, vector_bytes), width, packed, part, triangular, plane)


def _unsuitable(region: PythonRegion, grid: Grid, triangular: bool) -> str:
    if region.options.bounds:
        return "indices are checked"
    if region.reductions:  # 1
        return "it is a reduction"
    if len(grid.axes) < 2:  # 1
        return "it has one axis"
    if triangular and (grid.x == 0 or len(grid.axes) > 2):
        return "the bounds of one axis depend on another, and it has no rows and columns"
    return unfit(grid)


def _plane(grid: Grid, rows: _Candidate) -> int | None:
    """The third axis, if columns and loops are the same in all of its iterations."""
    used = {name for each in rows.columns for name in reads(each.slice)}
    for number, axis in enumerate(grid.axes):
        is_third = number not in (grid.x, rows.number)
        if is_third and axis.variable not in used and not bounds_use(grid.body, axis.variable):
            return number
    return None


def _is_triangular(grid: Grid) -> bool:
    """True if an axis has bounds that depend on the outermost loop."""
    first, *others = grid.axes
    return any(first.variable in reads(bound) for axis in others for bound in axis.bounds)


def _rows(grid: Grid, vector_bytes: int) -> int:
    """The rows at a time whose sums, or other values that go around the loops, fit the registers."""
    values = max((len(carried(loop.body)) for loop in loops_of(grid.body)), default=0)
    registers = _REGISTERS.get(vector_bytes, 16) - _OTHER_REGISTERS
    most = registers // (_VECTORS * max(values, 1))
    return next((rows for rows in _ROWS if rows <= most), _ROWS[-1])


def _shared(grid: Grid, row: str, types: Mapping[str, Type]) -> list[ast.Subscript]:
    """Loads from inputs in innermost loops that don't depend on the row."""
    loops = loops_of(grid.body)
    counters = {loop.target.id for loop in loops if isinstance(loop.target, ast.Name)}
    varying = (assigned(grid.body) - counters) | {row}
    found: list[ast.Subscript] = []
    for part in (part for loop in loops if not loops_of(loop.body) for part in walk(loop)):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load) and isinstance(part.value, ast.Name):
            type_ = types.get(part.value.id)
            indices = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
            if isinstance(type_, Array) and not reads(part) & varying and len(indices) == type_.ndim:
                found.append(part)
    return found
