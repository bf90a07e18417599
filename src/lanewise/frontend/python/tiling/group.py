# SPDX-License-Identifier: Apache-2.0
"""The rows and columns of a tiled work-group.

A group has as many columns as work-items, and rows from a first one to an end. It takes several rows at a time if all
of its columns are iterations of them, else one row after the other, each for the columns that are.
"""

from collections.abc import Callable, Sequence
from typing import Final, final

from lanewise.frontend.python.code import PythonCode
from lanewise.frontend.python.expressions import expression
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import INT
from lanewise.frontend.python.tiling.flow import least, turns
from lanewise.frontend.python.tiling.plan import RegisterTiling
from lanewise.frontend.python.tiling.rows import in_row, name_in_row
from lanewise.frontend.python.values import NumberValue
from lanewise.frontend.python.work_items import LoopBounds, register
from lanewise.ir import types as ty
from lanewise.ir.values import Value as IrValue
from lanewise.ir.values import i64

MakeRows = Callable[[int, IrValue], None]
"""Makes the code of some rows, and gets the first one's place in the group."""


@final
class RowsOfGroup:
    """The part of a grid that a work-group does. `own`: the variables that each row has for itself."""

    def __init__(
        self,
        code: PythonCode,
        grid: Grid,
        tiling: RegisterTiling,
        bounds: Sequence[LoopBounds],
        own: frozenset[str],
    ) -> None:
        self._code: Final = code
        self._grid: Final = grid
        self._tiling: Final = tiling
        self._bounds: Final = bounds
        self._own: Final = own
        x, y = bounds[grid.x], bounds[tiling.row]
        width = self._register("ntid.x")
        self._start: Final = code.times(self._register("ctaid.x"), width)
        self._stop: Final = code.plus(self._start, width)
        self._column: Final = code.plus(self._start, self._register("tid.x"))
        self._write(grid.axes[grid.x].variable, x, self._column)
        for number in range(len(grid.axes)):
            if number not in (grid.x, tiling.row, tiling.plane):
                self._write(grid.axes[number].variable, bounds[number], self._register("ctaid.z"))
        count: IrValue = y.iterations.ir
        if tiling.plane is not None:
            count = code.times(count, bounds[tiling.plane].iterations.ir)
        rows = i64(tiling.rows)
        each = code.times(turns(code, turns(code, count, rows), self._register("nctaid.y")), rows)
        self._first: Final = code.times(self._register("ctaid.y"), each)
        self._end: Final = least(code, code.plus(self._first, each), count)
        self.is_full: Final = code.compare("sle", self._stop, x.iterations.ir)
        """All columns are iterations in some row."""
        if tiling.triangular:
            self._leave_if_empty()

    def for_rows(self, made: Callable[[int, IrValue], None]) -> None:
        """Do statements for all rows of the group: `made` makes them for some rows, and gets the first one's place in
        the group."""
        code, rows = self._code, self._tiling.rows
        counter = code.entry.alloca(ty.I64, "row.counter")
        code.build.store(self._first, counter)
        test, step, many, one, inside, after, end = (
            code.new_block(f"rows.{name}") for name in ("test", "step", "many", "one", "inside", "next", "end")
        )
        code.branch(test)
        code.go_on(test)
        row = code.build.load(ty.I64, counter)
        code.build.branch_if(code.compare("slt", row, self._end), step, end)
        code.go_on(step)
        are_rows = code.compare("sle", code.plus(row, i64(rows)), self._end)
        code.build.branch_if(self._both(are_rows, self._are_full(row)), many, one)
        code.go_on(many)
        self._do(made, rows, row)
        code.build.store(code.plus(row, i64(rows)), counter)
        code.branch(test)
        code.go_on(one)
        code.build.branch_if(self._is_inside(row), inside, after)
        code.go_on(inside)
        self._do(made, 1, row)
        code.branch(after)
        code.go_on(after)  # all work-items go on together, also if some did nothing
        code.build.store(code.plus(row, i64(1)), counter)
        code.branch(test)
        code.go_on(end)

    def _do(self, made: Callable[[int, IrValue], None], rows: int, row: IrValue) -> None:
        code = self._code
        for number in range(rows):
            self._write_row(number, code.plus(row, i64(number)))
        made(rows, code.build.binary("sub", row, self._first, flags=("nsw",)))

    def _is_column(self) -> IrValue:
        """True for a column that is an iteration in some row."""
        return self._code.compare("slt", self._column, self._bounds[self._grid.x].iterations.ir)

    def _is_inside(self, row: IrValue) -> IrValue:
        """True for a column that is an iteration in a row."""
        code, is_column = self._code, self._is_column()
        if not self._tiling.triangular:
            return is_column
        first, stop = self._columns_of(row)
        is_in_row = self._both(code.compare("sge", self._column, first), code.compare("slt", self._column, stop))
        return self._both(is_column, is_in_row)

    def _are_full(self, row: IrValue) -> IrValue:
        """True if all columns of the group are iterations in this row and the next ones: then in the first and the last
        of them."""
        code, full = self._code, self.is_full
        if self._tiling.triangular:
            for place in (0, self._tiling.rows - 1):
                first, stop = self._columns_of(code.plus(row, i64(place)))
                end = self._stop
                full = self._both(full, code.compare("sge", self._start, first))
                full = self._both(full, code.compare("sle", end, stop))
        return full

    def _leave_if_empty(self) -> None:
        """End if no column of the group is an iteration in any of its rows: then in neither the first nor the last."""
        code = self._code
        end = self._stop
        found: IrValue = code.compare("ne", i64(0), i64(0))
        for row in (self._first, code.plus(self._end, i64(-1))):
            first, stop = self._columns_of(row)
            overlap = self._both(code.compare("slt", self._start, stop), code.compare("sgt", end, first))
            found = code.build.binary("or", found, overlap)
        go_on, leave = code.new_block("group.some"), code.new_block("group.empty")
        code.build.branch_if(found, go_on, leave)
        code.go_on(leave)
        code.build.ret()
        code.go_on(go_on)

    def _columns_of(self, row: IrValue) -> tuple[IrValue, IrValue]:
        """The first column of a row and the one after its last, counted as `_column` is."""
        code, tiling, axis = self._code, self._tiling, self._grid.axes[self._grid.x]
        variable = self._grid.axes[tiling.row].variable
        self._write(name_in_row(variable, 0), self._bounds[tiling.row], row)
        bounds = [code.index(expression(code, in_row(each, 0, self._own))).ir for each in axis.bounds]
        first = bounds[0] if len(bounds) == 2 else i64(0)
        start = self._bounds[self._grid.x].start.ir
        return (
            code.build.binary("sub", first, start, flags=("nsw",)),
            code.build.binary("sub", bounds[-1], start, flags=("nsw",)),
        )

    def _both(self, a: IrValue, b: IrValue) -> IrValue:
        return self._code.build.binary("and", a, b)

    def is_in_partial_group(self) -> IrValue:
        """True for a column that is an iteration, in a group in which not all are."""
        code = self._code
        partial = code.build.binary("xor", self.is_full, code.compare("eq", i64(0), i64(0)))
        return self._both(partial, self._is_column())

    def _write_row(self, number: int, position: IrValue) -> None:
        """Set the variables of a row."""
        code, tiling, axes = self._code, self._tiling, self._grid.axes
        if tiling.plane is not None:
            extent = self._bounds[tiling.row].iterations.ir
            plane = code.build.binary("sdiv", position, extent)
            self._write(name_in_row(axes[tiling.plane].variable, number), self._bounds[tiling.plane], plane)
            position = code.build.binary("srem", position, extent)
        self._write(name_in_row(axes[tiling.row].variable, number), self._bounds[tiling.row], position)

    def _write(self, variable: str, bounds: LoopBounds, position: IrValue) -> None:
        code = self._code
        offset = position if bounds.step.constant == 1 else code.times(position, bounds.step.ir)
        code.write(variable, NumberValue(INT, code.plus(bounds.start.ir, offset)))

    def _register(self, name: str) -> IrValue:
        return self._code.build.cast("zext", register(self._code, name), ty.I64)
