# SPDX-License-Identifier: Apache-2.0
"""The code of an unrolled work-item; `plan` shows it as loops.

A work-item whose iterations are all in the nest does them side by side; else it does those that are, one by one.
"""

from collections.abc import Sequence
from typing import Final, final

from lanewise.frontend.python.code import PythonCode
from lanewise.frontend.python.expressions import expression
from lanewise.frontend.python.names import assigned
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import INT
from lanewise.frontend.python.statements import statements
from lanewise.frontend.python.tiling.fitness import counters_of
from lanewise.frontend.python.tiling.flow import count, least, turns, when
from lanewise.frontend.python.tiling.rows import in_row, name_in_row, side_by_side
from lanewise.frontend.python.unrolling.alignment import multiple
from lanewise.frontend.python.unrolling.shape import EVEN, Unrolling
from lanewise.frontend.python.values import NumberValue
from lanewise.frontend.python.work_items import LoopBounds, global_id, register
from lanewise.ir import types as ty
from lanewise.ir.values import Value as IrValue
from lanewise.ir.values import i64


def unrolled_items(code: PythonCode, grid: Grid, unrolling: Unrolling, bounds: Sequence[LoopBounds]) -> None:
    """Make the code."""
    _UnrolledItem(code, grid, unrolling, bounds).build()
    code.build.ret()


@final
class _UnrolledItem:
    def __init__(self, code: PythonCode, grid: Grid, unrolling: Unrolling, bounds: Sequence[LoopBounds]) -> None:
        self._code: Final = code
        self._grid: Final = grid
        self._bounds: Final = bounds
        self._shape: Final = unrolling.shape
        self._triangular: Final = unrolling.triangular
        ids = {number: global_id(code, letter) for number, letter in zip(grid.order, "xyz", strict=False)}
        self._places: Final[dict[int, IrValue]] = ids
        """First iterations, by the numbers of the axes."""
        self._starts: Final = [each.start.ir for each in bounds]
        if unrolling.adjacent:
            self._starts[grid.x] = multiple(code, bounds[grid.x].start.ir, EVEN)
        columns = unrolling.shape.columns
        self._apart: IrValue = i64(1)
        """Iterations from one column to the next."""
        if unrolling.adjacent or columns == 1:
            ids[grid.x] = code.times(ids[grid.x], i64(columns))
        else:
            self._apart = width = code.build.cast("zext", register(code, "ntid.x"), ty.I64)
            group, item = (code.build.cast("zext", register(code, f"{of}.x"), ty.I64) for of in ("ctaid", "tid"))
            ids[grid.x] = code.plus(code.times(code.times(group, width), i64(columns)), item)
        if unrolling.shape.row is not None:
            ids[unrolling.shape.row] = code.times(ids[unrolling.shape.row], i64(unrolling.shape.rows))

    def build(self) -> None:
        code, grid, shape = self._code, self._grid, self._shape
        unrolled = [number for number in (grid.x, shape.row) if number is not None]
        variables = {grid.axes[number].variable for number in unrolled}
        own = frozenset((assigned(grid.body) - counters_of(grid.body)) | variables)
        inside: IrValue = code.compare("eq", i64(0), i64(0))
        for number in range(len(grid.axes)):
            if number not in unrolled:
                inside = self._both(inside, self._is_in(number, self._places[number]))
                self._write(number, grid.axes[number].variable, self._places[number])
        rows, columns = i64(shape.rows - 1), i64(shape.columns - 1)
        all_ = inside
        for number in unrolled:
            all_ = self._both(all_, self._is_in(number, self._place(number, rows, columns)))
        if self._triangular:
            for corner in ((i64(0), i64(0)), (i64(0), columns), (rows, i64(0)), (rows, columns)):
                all_ = self._both(all_, self._is_in_triangle(*corner))
        many, some, end = (code.new_block(f"items.{name}") for name in ("many", "some", "end"))
        code.build.branch_if(all_, many, some)
        code.go_on(many)
        for copy in range(shape.copies):
            row, column = divmod(copy, shape.columns)
            for number in unrolled:
                place = self._place(number, i64(row), i64(column))
                self._write(number, name_in_row(grid.axes[number].variable, copy), place)
        statements(code, side_by_side(grid.body, shape.copies, own))
        code.branch(end)
        code.go_on(some)
        with when(code, inside):
            self._one_by_one()
        code.branch(end)
        code.go_on(end)

    def _one_by_one(self) -> None:
        """The iterations that are in the nest, one after the other."""
        code, grid, shape = self._code, self._grid, self._shape
        x = self._left(grid.x)
        columns = least(code, turns(code, x, self._apart) if shape.columns > 1 else x, i64(shape.columns))

        def columns_of(row: IrValue) -> None:
            if shape.row is not None:
                self._write(shape.row, grid.axes[shape.row].variable, self._place(shape.row, row, i64(0)))
            count(code, i64(0), columns, 1, lambda column: one(row, column))

        def one(row: IrValue, column: IrValue) -> None:
            self._write(grid.x, grid.axes[grid.x].variable, self._place(grid.x, row, column))
            if not self._triangular:
                statements(code, grid.body)
                return
            with when(code, self._is_in_triangle(row, column)):
                statements(code, grid.body)

        if shape.row is None:
            columns_of(i64(0))
        else:
            count(code, i64(0), least(code, self._left(shape.row), i64(shape.rows)), 1, columns_of)

    def _left(self, number: int) -> IrValue:
        """Iterations of an axis from the work-item's first on."""
        iterations = self._bounds[number].iterations.ir
        return self._code.build.binary("sub", iterations, self._places[number], flags=("nsw",))

    def _place(self, number: int, row: IrValue, column: IrValue) -> IrValue:
        """The iteration of an axis that a copy does."""
        if number == self._grid.x:
            return self._code.plus(self._places[number], self._code.times(column, self._apart))
        return self._code.plus(self._places[number], row) if number == self._shape.row else self._places[number]

    def _is_in(self, number: int, place: IrValue) -> IrValue:
        return self._code.compare("slt", place, self._bounds[number].iterations.ir)

    def _is_in_triangle(self, row: IrValue, column: IrValue) -> IrValue:
        """True if the second axis has the iteration of a copy in that of the first one. What holds in the corners of a
        work-item's iterations holds in all, since the bounds are sums."""
        code, (outer, inner) = self._code, self._grid.axes[:2]
        self._write(0, name_in_row(outer.variable, self._shape.copies), self._place(0, row, column))
        bounds = [
            code.index(expression(code, in_row(each, self._shape.copies, {outer.variable}))).ir for each in inner.bounds
        ]
        first = bounds[0] if len(bounds) == 2 else i64(0)
        variable = code.plus(self._starts[1], self._place(1, row, column))
        return self._both(code.compare("sge", variable, first), code.compare("slt", variable, bounds[-1]))

    def _write(self, number: int, variable: str, place: IrValue) -> None:
        """Set the variable of an axis for an iteration."""
        code, bounds = self._code, self._bounds[number]
        offset = place if bounds.step.constant == 1 else code.times(place, bounds.step.ir)
        code.write(variable, NumberValue(INT, code.plus(self._starts[number], offset)))

    def _both(self, a: IrValue, b: IrValue) -> IrValue:
        return self._code.build.binary("and", a, b)
