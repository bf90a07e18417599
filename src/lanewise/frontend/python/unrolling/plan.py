# SPDX-License-Identifier: Apache-2.0
"""The plan by which a work-item of a GPU does several iterations of a parallel nest: unroll-and-jam.

Why     A work-item that does one element of a matrix product loads two numbers for each multiplication, and a
        multiprocessor has a quarter as many units that load as units that multiply. One that does four rows of two
        columns loads six numbers for eight multiplications, or five requests if the two columns are one vector.

As written
    for i in prange(n):
        for j in prange(m):
            s = 0.0
            for k in range(l):
                s += a[i, k] * b[k, j]
            c[i, j] = s

As done, with j as x, by 2 rows; i is the work-item's, the last row is done by itself if n is odd
    s, s' = 0.0, 0.0
    for k in range(l):
        s += a[i, k] * b[k, j]
        s' += a[i + 1, k] * b[k, j]
    c[i, j], c[i + 1, j] = s, s'

Needs   The iterations of an axis are independent, so that their statements may be done in turns.
    1. No reduction over the nest, whose tree of additions belongs to its work-items, and no shared elements.
    2. Loops over ranges whose bounds are the same in all copies, and no other loops or jumps.
    3. Variables of loops that nothing else assigns to or reads.
    4. Arrays that are written overlap no other one (known at the call): loads of later copies pass stores of earlier
       ones.
    5. Fewer loads for each iteration, by a quarter at least.
    6. Registers for all copies, by an estimate (`pressure`).

Method  Unroll-and-jam, Garg and Amaral, section 3.4. All shapes of up to 8 rows and 4 columns are tried, and the one
        with the fewest loads for each iteration is taken. Copies are jammed in the source; LLVM then finds the loads
        that are the same, and its NVPTX back end those that are neighbours. It knows of these only if their addresses
        are multiples of a vector's size: kernels for arrays whose rows begin at such addresses are told so (`wide`),
        and a call takes them if that holds. Columns of a work-item are neighbours then, else as many apart as its group
        has work-items along x, so that each load is of neighbours.

When not
        Launches that would leave too few work-items run the kernel that isn't unrolled.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from lanewise.frontend.python.names import reads
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import Array, Type
from lanewise.frontend.python.region import PythonRegion
from lanewise.frontend.python.tiling.fitness import bounds_use, unfit_to_jam
from lanewise.frontend.python.tiling.plan import Untiled
from lanewise.frontend.python.unrolling.loads import LoadsOfNest
from lanewise.frontend.python.unrolling.pressure import registers_of
from lanewise.frontend.python.unrolling.shape import MOST_COPIES, WIDE_BYTES, ItemShape, Offer, Unrolling

_ROWS: Final = (1, 2, 4, 8)
_COLUMNS: Final = (1, 2, 4)
_MOST_REGISTERS: Final = 128
"""Registers of a work-item, as many as 32 of four components: a multiprocessor has room for 16 warps then."""
_LEAST_SAVED: Final = 0.25


def unrolling_of(
    region: PythonRegion, grid: Grid, types: Mapping[str, Type], offer: Offer, *, triangular: bool = False
) -> Unrolling | Untiled:
    """The unrolling of a grid; Untiled if neither iterations nor loads are done together. `triangular`: the bounds of
    its second axis depend on the first."""
    tiling = region.options.tiling
    wide = offer.wide & reads(grid.body) if tiling in ("auto", "vectors") else frozenset[str]()
    found: Unrolling | str = "it isn't asked for" if tiling == "vectors" else _unsuitable(region, grid, types)
    if not found:
        found = _best(grid, types, offer._replace(wide=wide))
    if isinstance(found, Unrolling):
        return found._replace(triangular=triangular)
    return Unrolling(ItemShape(None, 1, 1), tuple(sorted(wide)), reason=found) if wide else Untiled(found, "unrolled")


def _best(grid: Grid, types: Mapping[str, Type], offer: Offer) -> Unrolling | str:
    """The unrolling with the fewest loads, or the reason why there is none."""
    nest, x = LoadsOfNest(grid, types), grid.axes[grid.x]
    adjacent = offer.even and x.step == 1 and nest.are_vectors(offer.wide, WIDE_BYTES)
    vectors = offer.wide if adjacent else frozenset[str]()
    rolled = nest.of(ItemShape(None, 1, 1), vectors, WIDE_BYTES).requests
    found: list[tuple[float, int, Unrolling]] = []
    reason = "its iterations share few loads"
    for shape in _shapes(grid, nest.columns_of_vector(WIDE_BYTES) if adjacent else _COLUMNS[-1]):
        loads = nest.of(shape, vectors, WIDE_BYTES)
        if loads.requests > (1 - _LEAST_SAVED) * rolled * shape.copies:  # 5
            continue
        registers = registers_of(grid, types, shape, loads)
        if registers > min(_MOST_REGISTERS, offer.registers):  # 6
            reason = "it needs more registers than there are"
        elif shape.copies > offer.copies:
            reason = "there are few iterations"
        else:
            made = Unrolling(shape, tuple(sorted(offer.wide)), adjacent, registers, loads.requests, rolled)
            found.append((loads.requests / shape.copies, registers, made))
    return min(found, key=lambda each: each[:2])[2] if found else reason


def _shapes(grid: Grid, most_columns: int) -> Iterator[ItemShape]:
    """The shapes that are tried."""
    axes = [number for number, axis in enumerate(grid.axes) if not bounds_use(grid.body, axis.variable)]  # 2
    for row in [*(number for number in axes if number != grid.x), None]:
        for rows in _ROWS[1:] if row is not None else (1,):
            for columns in (each for each in _COLUMNS if each <= most_columns) if grid.x in axes else (1,):
                if 1 < rows * columns <= MOST_COPIES:
                    yield ItemShape(row, rows, columns)


def _unsuitable(region: PythonRegion, grid: Grid, types: Mapping[str, Type]) -> str:
    if region.options.bounds:
        return "indices are checked"
    if region.reductions:  # 1
        return "it is a reduction, whose order of additions stays"
    if grid.shared:  # 1
        return "its iterations add to the same elements"
    if any(isinstance(of, Array) and of.element.fields for of in types.values()):
        return "it has records"
    return unfit_to_jam(grid)
