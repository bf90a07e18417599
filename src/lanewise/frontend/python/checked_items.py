# SPDX-License-Identifier: Apache-2.0
"""The code of a parallel loop whose iterations one work-item runs, one after the other, so that they can be watched."""

from typing import Final, final

from lanewise.frontend.python.code import LoopTargets, PythonCode
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import INT
from lanewise.frontend.python.statements import statements
from lanewise.frontend.python.values import NumberValue
from lanewise.frontend.python.watching import ITERATION
from lanewise.frontend.python.work_items import LoopBounds
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.values import i64


@final
class CheckedItems:
    """The loops of a grid's axes, the first of them outermost. Before each iteration its number is told."""

    def __init__(self, code: PythonCode, grid: Grid, bounds: list[LoopBounds]) -> None:
        assert code.watched is not None
        self._code: Final = code
        self._grid: Final = grid
        self._bounds: Final = bounds
        self._room: Final = code.build.offset(code.watched, 8 * ITERATION)

    def build(self) -> None:
        """Make the code; it goes on after the loops."""
        self._code.build.store(i64(0), self._room, 8)
        self._loop(0)

    def _loop(self, number: int) -> None:
        code, bounds = self._code, self._bounds[number]
        variable = self._grid.axes[number].variable
        place = code.entry.alloca(ty.I64, f"{variable}.turn")
        test, body, after, end = (code.new_block(f"checked.{name}") for name in ("test", "body", "next", "end"))
        code.build.store(i64(0), place)
        code.branch(test)
        code.go_on(test)
        turn = code.build.load(ty.I64, place)
        code.build.branch_if(code.compare("slt", turn, bounds.iterations.ir), body, end)
        code.go_on(body)
        value = code.plus(bounds.start.ir, code.times(code.build.load(ty.I64, place), bounds.step.ir))
        code.write(variable, NumberValue(INT, value))
        if number + 1 < len(self._bounds):
            self._loop(number + 1)
        else:
            self._iteration(after)
        code.branch(after)
        code.go_on(after)
        code.build.store(code.plus(code.build.load(ty.I64, place), i64(1)), place)
        code.branch(test)
        code.go_on(end)

    def _iteration(self, after: Block) -> None:
        code = self._code
        code.build.store(code.plus(code.build.load(ty.I64, self._room), i64(1)), self._room, 8)
        code.loops.append(LoopTargets(after, None))
        statements(code, self._grid.body)
        code.loops.pop()
