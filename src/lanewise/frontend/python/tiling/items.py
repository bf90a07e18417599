# SPDX-License-Identifier: Apache-2.0
"""The code of a tiled work-item; `plan` shows it as loops."""

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Final, final

from lanewise.frontend.python.code import PythonCode
from lanewise.frontend.python.expressions import expression
from lanewise.frontend.python.names import assigned
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import INT, Array, Number, Type
from lanewise.frontend.python.statements import range_of, statements
from lanewise.frontend.python.tiling.fitness import loops_of
from lanewise.frontend.python.tiling.flow import count, least, when
from lanewise.frontend.python.tiling.group import RowsOfGroup
from lanewise.frontend.python.tiling.memory import element, own_array, set_element
from lanewise.frontend.python.tiling.packing import LoopBetween, only_loop
from lanewise.frontend.python.tiling.plan import ROWS_OF_GROUP, RegisterTiling
from lanewise.frontend.python.tiling.rows import name_in_row, side_by_side, with_packed
from lanewise.frontend.python.trees import text, walk
from lanewise.frontend.python.values import ArrayValue, NumberValue
from lanewise.frontend.python.work_items import LoopBounds
from lanewise.ir.values import Value as IrValue
from lanewise.ir.values import i64

_PLACE: Final = "part$place"
"""The variable that counts the iterations of a part of the packed loop."""


def tiled_items(
    code: PythonCode, grid: Grid, tiling: RegisterTiling, bounds: Sequence[LoopBounds], types: Mapping[str, Type]
) -> None:
    """Make the code. `types`: those of inputs."""
    counters = {loop.target.id for loop in loops_of(grid.body) if isinstance(loop.target, ast.Name)}
    rows = {grid.axes[number].variable for number in (tiling.row, tiling.plane) if number is not None}
    own = frozenset((assigned(grid.body) - counters) | rows)
    group = RowsOfGroup(code, grid, tiling, bounds, own)
    loop = only_loop(grid.body)
    if tiling.packed and loop is not None:
        _LoopInParts(code, group, tiling, loop, own).build(types)
    else:
        group.for_rows(lambda rows, _: statements(code, side_by_side(grid.body, rows, own)))
    code.build.ret()


@final
class _LoopInParts:
    """A loop with packed columns, between statements. Rows keep their values from one part of the loop to the next."""

    def __init__(
        self, code: PythonCode, group: RowsOfGroup, tiling: RegisterTiling, loop: LoopBetween, own: frozenset[str]
    ) -> None:
        self._code: Final = code
        self._group: Final = group
        self._tiling: Final = tiling
        self._loop: Final = loop
        self._own: Final = own
        self._kept: Final[dict[str, ArrayValue]] = {}
        """Memory of values, by the variables."""
        self._columns: Final[dict[str, ArrayValue]] = {}
        """Memory of packed columns, by the references' keys."""

    def build(self, types: Mapping[str, Type]) -> None:
        code, loop, tiling = self._code, self._loop.loop, self._tiling
        self._group.for_rows(self._before)
        for number, each in enumerate(tiling.packed):
            array = types[each.array]
            assert isinstance(array, Array)
            column = own_array(code, f"packed.{number}", tiling.part, array.element)
            self._columns[each.key] = column
            code.write(_packed(number), column)
        with code.at(loop):
            start, stop, _ = range_of(code, loop.iter)
            count(code, start.ir, stop.ir, tiling.part, lambda first: self._part(first, stop.ir))
        self._group.for_rows(self._after)

    def _before(self, rows: int, place: IrValue) -> None:
        statements(self._code, side_by_side(self._loop.before, rows, self._own))
        self._keep(rows, place)

    def _after(self, rows: int, place: IrValue) -> None:
        self._fetch(rows, place)
        statements(self._code, side_by_side(self._loop.after, rows, self._own))

    def _part(self, first: IrValue, stop: IrValue) -> None:
        """The iterations of the loop from a first one on, for all rows."""
        code, loop, group = self._code, self._loop.loop, self._group
        iterations = least(code, code.build.binary("sub", stop, first, flags=("nsw",)), i64(self._tiling.part))
        assert isinstance(loop.target, ast.Name)
        counter = loop.target.id

        def for_iterations(made: Callable[[], None]) -> None:
            def iteration(place: IrValue) -> None:
                code.write(counter, NumberValue(INT, code.plus(first, place)))
                code.write(_PLACE, NumberValue(INT, place))
                made()

            count(code, i64(0), iterations, 1, iteration)

        for condition in (group.is_full, group.is_in_partial_group()):
            with when(code, condition):
                for_iterations(self._pack)
        packed = {
            each.key: ast.Subscript(ast.Name(_packed(number), ast.Load()), ast.Name(_PLACE, ast.Load()), ast.Load())
            for number, each in enumerate(self._tiling.packed)
        }
        body = with_packed(loop.body, packed)

        def for_some_rows(rows: int, place: IrValue) -> None:
            self._fetch(rows, place)
            for_iterations(lambda: statements(code, side_by_side(body, rows, self._own)))
            self._keep(rows, place)

        group.for_rows(for_some_rows)

    def _pack(self) -> None:
        """Copy what an iteration reads of each packed column."""
        code = self._code
        place = code.read(_PLACE)
        assert isinstance(place, NumberValue)
        references = {text(part): part for part in walk(self._loop.loop) if isinstance(part, ast.Subscript)}
        for key, column in self._columns.items():
            set_element(code, column, place.ir, expression(code, references[key]))

    def _keep(self, rows: int, place: IrValue) -> None:
        code = self._code
        for name in self._loop.kept:
            if name not in self._kept:
                type_ = code.types[name_in_row(name, 0)]
                assert isinstance(type_, Number)
                self._kept[name] = own_array(code, f"{name}.kept", ROWS_OF_GROUP, type_)
            for row in range(rows):
                set_element(code, self._kept[name], code.plus(place, i64(row)), code.read(name_in_row(name, row)))

    def _fetch(self, rows: int, place: IrValue) -> None:
        code = self._code
        for name, values in self._kept.items():
            for row in range(rows):
                code.write(name_in_row(name, row), element(code, values, code.plus(place, i64(row))))


def _packed(number: int) -> str:
    """The variable of a packed column."""
    return f"packed${number}"
