# SPDX-License-Identifier: Apache-2.0
"""The loads of a nest's innermost statements, and how many remain when iterations of its axes are done side by side.

Two loads are one if they are of the same array, and their subscripts are equal: as sums of names times constants
(`conflicts.sum_of`), in which each copy puts its own value of the axes' variables, or as texts that depend on nothing
that the copies have for themselves.
"""

import ast
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, final

from lanewise.frontend.python.conflicts import sum_of
from lanewise.frontend.python.names import assigned, reads
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import Array, Type
from lanewise.frontend.python.tiling.fitness import loops_of
from lanewise.frontend.python.trees import text, walk
from lanewise.frontend.python.unrolling.shape import ItemShape


class _Subscript(NamedTuple):
    """A subscript in one copy: the names in it with their factors, or its text, and a constant. `own`: the copy, if
    it depends on variables that each copy has for itself."""

    form: object
    constant: int = 0
    own: tuple[int, ...] = ()


_Key = tuple[str, tuple[_Subscript, ...]]
"""An element that a copy loads."""


class LoadsOfItem(NamedTuple):
    """The loads of one turn of the innermost loops. `requests`: instructions that load; `bytes`: what they load;
    `kept`: bytes of elements that are the same in all turns; `starts`: addresses at no constant distance from
    another."""

    requests: int
    bytes: int
    kept: int
    starts: int


class _Load(NamedTuple):
    array: str
    size: int
    indices: tuple[ast.expr, ...]
    turns: bool
    """The loop around it changes it."""


@final
class LoadsOfNest:
    """The loads of elements of inputs. `wide_bytes`: size of a vector that is loaded at once; 0: there are none."""

    def __init__(self, grid: Grid, types: Mapping[str, Type]) -> None:
        self._grid: Final = grid
        loops = [loop for loop in loops_of(grid.body) if not loops_of(loop.body)]
        counters = {loop.target.id for loop in loops_of(grid.body) if isinstance(loop.target, ast.Name)}
        self._own: Final = assigned(grid.body) - counters
        """Variables that each copy has for itself."""
        self._loads: Final = [
            load
            for loop in loops
            for load in _loads(loop.body, types, {loop.target.id} if isinstance(loop.target, ast.Name) else set())
        ] or [load._replace(turns=True) for load in _loads(grid.body, types, set())]

    def are_vectors(self, wide: frozenset[str], wide_bytes: int) -> bool:
        """True if the loads of neighbouring columns are vectors: all that move along x do so from the start of one, in
        arrays whose rows begin at such addresses."""
        x = self._grid.axes[self._grid.x].variable
        for load in self._loads:
            form = sum_of(load.indices[-1]) if load.indices else {}
            if form is None or not form.get(x):
                if any(x in reads(index) for index in load.indices):
                    return False
                continue
            constant = form.get("", 0)
            others = [factor for name, factor in form.items() if name not in ("", x) and factor]
            if load.array not in wide or form[x] != 1 or others or constant * load.size % wide_bytes:
                return False
        return True

    def columns_of_vector(self, wide_bytes: int) -> int:
        """The columns of one vector, in the array with the largest elements: then lanes side by side load vectors side
        by side."""
        x = self._grid.axes[self._grid.x].variable
        sizes = [load.size for load in self._loads if load.indices and x in reads(load.indices[-1])]
        return wide_bytes // max(sizes, default=1)

    def of(self, shape: ItemShape, wide: frozenset[str], wide_bytes: int) -> LoadsOfItem:
        """The loads of copies. `wide`: arrays of which neighbouring columns are loaded as vectors."""
        elements: dict[_Key, _Load] = {}
        for row in range(shape.rows):
            for column in range(shape.columns):
                for load in self._loads:
                    elements.setdefault(self._key(load, shape, row, column), load)
        turning = {key: load for key, load in elements.items() if load.turns}
        vectors: dict[_Key, int] = {}
        requests = 0
        for key, load in turning.items():
            if load.array in wide and self._moves_along_x(load):
                row = _row_of(key)
                vectors[row] = vectors.get(row, 0) + load.size
            else:
                requests += 1
        requests += sum(-(-size // wide_bytes) for size in vectors.values())
        starts = {_row_of(key) for key in turning}
        return LoadsOfItem(
            requests,
            sum(load.size for load in turning.values()),
            sum(load.size for load in elements.values() if not load.turns),
            len(starts),
        )

    def _moves_along_x(self, load: _Load) -> bool:
        form = sum_of(load.indices[-1]) if load.indices else None
        return form is not None and form.get(self._grid.axes[self._grid.x].variable, 0) == 1

    def _key(self, load: _Load, shape: ItemShape, row: int, column: int) -> _Key:
        """The element that a copy loads."""
        parts: list[_Subscript] = []
        copies = [(number, each) for number, each in ((shape.row, row), (self._grid.x, column)) if number is not None]
        axes = self._grid.axes
        for index in load.indices:
            form, names = sum_of(index), reads(index)
            own = (row, column) if names & self._own else ()
            if form is None:
                own = (*own, *(each for number, each in copies if axes[number].variable in names))
                parts.append(_Subscript(text(index), 0, own))
                continue
            moved = [form.get(axes[number].variable, 0) * (axes[number].step or 1) * each for number, each in copies]
            named = tuple(sorted((name, factor) for name, factor in form.items() if name and factor))
            parts.append(_Subscript(named, form.get("", 0) + sum(moved), own))
        return load.array, tuple(parts)


def _row_of(key: _Key) -> _Key:
    """The element's row, as far as constants say: loads from it have addresses at constant distances."""
    array, subscripts = key
    return array, (*subscripts[:-1], *(each._replace(constant=0) for each in subscripts[-1:]))


def _loads(body: Sequence[ast.stmt], types: Mapping[str, Type], counter: set[str]) -> list[_Load]:
    inside = assigned(body) | counter
    found: list[_Load] = []
    for part in (part for statement in body for part in walk(statement)):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load) and isinstance(part.value, ast.Name):
            of = types.get(part.value.id)
            indices = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
            if isinstance(of, Array) and len(indices) == of.ndim and not any(isinstance(i, ast.Slice) for i in indices):
                found.append(_Load(part.value.id, of.element.size, tuple(indices), bool(reads(indices) & inside)))
    return found
