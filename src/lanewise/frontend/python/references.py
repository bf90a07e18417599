# SPDX-License-Identifier: Apache-2.0
"""The references to arrays in a parallel region, and the loops around each, as far as the source tells.

What a device needs of an array follows from them: `jit.nests` puts in the numbers that a call has. Whatever isn't
understood here counts as a use of the whole array, read and written.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, final

from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.region import PythonRegion, is_counted, resolved
from lanewise.frontend.python.trees import copied, walk

Access = Literal["read", "write", "update"]


class SlicedAxis(NamedTuple):
    """A slice of an axis of an array, other than `:`; its bounds and its step in names of loops and of inputs."""

    array: str
    axis: int
    part: ast.Slice


class LoopOfRegion(NamedTuple):
    """A loop with a name of its own, and the arguments of its range, in names of loops around it and of inputs. Those
    of an axis of the grid aren't given: a call has them. `along`: the loop is over the positions of a slice."""

    name: str
    bounds: tuple[ast.expr, ...] | None
    along: SlicedAxis | None = None


class ReferenceOfRegion(NamedTuple):
    """An access to an element of an input; `subscripts` is None for one of all elements. `around`: names of loops,
    those over the elements of a row, `a[i]`, among them: `a.1` is along the axis 1. `node`: the access in the source,
    if it is one."""

    array: str
    subscripts: tuple[ast.expr, ...] | None
    access: Access
    conditional: bool
    around: tuple[str, ...]
    node: ast.Subscript | None = None


class RegionReferences(NamedTuple):
    """All loops, outer ones before those in them, and all references."""

    loops: tuple[LoopOfRegion, ...]
    references: tuple[ReferenceOfRegion, ...]


def references_of(
    region: PythonRegion, grid: Grid, ranks: Mapping[str, int], read_only: frozenset[str]
) -> RegionReferences:
    """The references of a region to the arrays among its inputs, whose dimensions are `ranks`. Arrays that are
    `read_only` are never copied back: their memory may be protected."""
    walk = _Walk(region, grid.body, ranks, read_only)
    around: tuple[str, ...] = ()
    for axis in grid.axes:
        around = (*around, walk.enter(axis.variable, None))
    walk.block(grid.body, _Place(around, conditional=_jumps(grid.body)))
    return RegionReferences(tuple(walk.loops), tuple(dict.fromkeys(walk.references)))


class _Place(NamedTuple):
    """The loops and conditions around a statement."""

    around: tuple[str, ...]
    conditional: bool


class _Row(NamedTuple):
    """A part of an input, by its first subscripts; None for a part that isn't understood. The subscript `:` of a whole
    axis is `_WHOLE_AXIS`. `loose`: it is within such a part, but needn't be all of it: an element of a slice counts as
    the slice, since its position depends on the sign of the slice's bounds."""

    array: str
    subscripts: tuple[ast.expr, ...] | None
    loose: bool = False


@final
class _Walk:
    def __init__(
        self, region: PythonRegion, body: Sequence[ast.stmt], ranks: Mapping[str, int], read_only: frozenset[str]
    ) -> None:
        self.loops: Final[list[LoopOfRegion]] = []
        self.references: Final[list[ReferenceOfRegion]] = []
        self._namespace: Final = region.namespace
        self._ranks: Final = ranks
        self._read_only: Final = read_only
        parts = [part for statement in body for part in walk(statement)]
        counts = Counter(part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
        self._once: Final = {name for name, count in counts.items() if count == 1 and name not in region.inputs}
        counters = {id(part.target) for part in parts if isinstance(part, ast.For)}
        self._changed: Final = {
            part.id
            for part in parts
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and id(part) not in counters
        }
        """Variables that statements other than loops assign to."""
        self._meant: Final[dict[str, ast.expr]] = dict.fromkeys(counts, _UNKNOWN)
        """Local variables as expressions in names of loops and of inputs."""
        self._rows: Final[dict[str, _Row]] = {name: _Row(name, ()) for name in ranks if name not in counts}
        for name in ranks.keys() & counts.keys():
            self._whole(name)

    # -- statements --------------------------------------------------------------------------------------------

    def enter(self, variable: str, bounds: tuple[ast.expr, ...] | None) -> str:
        """Begin a loop; its variable means its counter from now on."""
        name = variable
        if any(loop.name == name for loop in self.loops):
            name = f"{variable}${len(self.loops)}"  # a loop of its own, by the same variable
        self.loops.append(LoopOfRegion(name, bounds))
        self._meant[variable] = _UNKNOWN if variable in self._changed else ast.Name(name, ast.Load())
        return name

    def block(self, body: Iterable[ast.stmt], place: _Place) -> None:
        for statement in body:
            self._statement(statement, place)

    def _statement(self, node: ast.stmt, place: _Place) -> None:
        maybe = _Place(place.around, conditional=True)
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if name in self._once:
                self._define(name, node.value, place)
            case ast.Assign():
                self._expression(node.value, place)
                for target in node.targets:
                    self._target(target, "write", place)
            case ast.AugAssign():
                self._expression(node.value, place)
                self._target(node.target, "update", place)
            case ast.AnnAssign():
                if node.value is not None:
                    self._expression(node.value, place)
                self._target(node.target, "write", place)
            case ast.If():
                self._expression(node.test, place)
                self.block(node.body, maybe)
                self.block(node.orelse, maybe)
            case ast.While():
                self._expression(node.test, place)
                self.block(node.body, maybe)
                self.block(node.orelse, maybe)
            case ast.For(target=ast.Name(id=variable), iter=ast.Call(args=bounds)) if is_counted(node, self._namespace):
                self._all(bounds, place)
                meant = tuple(self._inlined(each) for each in bounds)
                name = self.enter(variable, meant)
                self.block(node.body, place._replace(around=(*place.around, name)))
                self._meant[variable] = _UNKNOWN
                self.block(node.orelse, maybe)
            case ast.For():
                self._expression(node.iter, place)
                self._target(node.target, "write", place)
                self.block(node.body, maybe)
                self.block(node.orelse, maybe)
            case _:
                for part in ast.iter_child_nodes(node):
                    if isinstance(part, ast.stmt):
                        self._statement(part, maybe)
                    elif isinstance(part, ast.expr):
                        self._expression(part, maybe)

    def _define(self, name: str, value: ast.expr, place: _Place) -> None:
        """A local variable that has one assignment."""
        row = self._row(value)
        if row is not None and row.subscripts is not None and self._is_part(row):
            if isinstance(value, ast.Subscript):
                self._all(_all_indices(value), place)
            self._rows[name] = row
            return
        self._expression(value, place)
        self._meant[name] = self._inlined(value)

    def _target(self, node: ast.expr, access: Access, place: _Place) -> None:
        match node:
            case ast.Name():
                pass
            case ast.Subscript():
                self._all(_all_indices(node), place)
                if not self._access(node, access, place):
                    self._expression(node.value, place)
            case ast.Tuple() | ast.List():
                for part in node.elts:
                    self._target(part, access, place)
            case _:
                self._expression(node, place)

    # -- expressions -------------------------------------------------------------------------------------------

    def _all(self, nodes: Iterable[ast.expr], place: _Place) -> None:
        for node in nodes:
            self._expression(node, place)

    def _expression(self, node: ast.AST, place: _Place) -> None:
        maybe = _Place(place.around, conditional=True)
        match node:
            case ast.Subscript(value=ast.Attribute(attr="shape", value=ast.Name(id=name))) if name in self._rows:
                self._all(_indices(node), place)
            case ast.Attribute(attr="shape" | "ndim" | "size", value=ast.Name(id=name)) if name in self._rows:
                pass
            case ast.Call(args=[ast.Name(id=name)]) if name in self._rows and self._is_len(node.func):
                pass
            case ast.Subscript():
                self._all(_all_indices(node), place)
                if not self._access(node, "read", place):
                    self._expression(node.value, place)
            case ast.Name(id=name) if name in self._rows:
                row = self._rows[name]
                self._part(row, "read" if row.array in self._read_only else "update", place, None)
            case ast.IfExp():
                self._expression(node.test, place)
                self._expression(node.body, maybe)
                self._expression(node.orelse, maybe)
            case ast.BoolOp(values=[first, *rest]):
                self._expression(first, place)
                self._all(rest, maybe)
            case ast.Compare(left=left, comparators=[first, *rest]):
                self._all((left, first), place)
                self._all(rest, maybe)
            case _:
                for part in ast.iter_child_nodes(node):
                    self._expression(part, place)

    def _is_len(self, node: ast.expr) -> bool:
        return resolved(node, self._namespace) is len

    def _access(self, node: ast.Subscript, access: Access, place: _Place) -> bool:
        """Note an access by subscripts, or to a whole array. Returns False if it is to no input."""
        row = self._row(node)
        if row is None:
            return False
        if row.array not in self._read_only and access == "read" and self._is_part(row):
            access = "update"  # what a view is kept by may write to it
        self._part(row, access, place, node)
        return True

    def _is_part(self, row: _Row) -> bool:
        """True if a part may have several elements."""
        return (
            row.subscripts is None
            or len(row.subscripts) < self._ranks[row.array]
            or any(isinstance(each, ast.Slice) for each in row.subscripts)
        )

    def _part(self, row: _Row, access: Access, place: _Place, node: ast.Subscript | None) -> None:
        """Note an access to all elements of a part: a loop over each axis that has no subscript."""
        if not row.subscripts:
            self._whole(row.array)
            return
        subscripts = list(row.subscripts)
        subscripts += [_WHOLE_AXIS] * (self._ranks[row.array] - len(subscripts))
        around = place.around
        for axis, each in enumerate(subscripts):
            if isinstance(each, ast.Slice):
                name = f"{row.array}.{axis}"
                loop = LoopOfRegion(name, (_extent_of(row.array, axis),))
                if each is not _WHOLE_AXIS:
                    name = f"{name}[{ast.unparse(each)}]"
                    loop = LoopOfRegion(name, (), SlicedAxis(row.array, axis, each))
                if all(other.name != name for other in self.loops):
                    self.loops.append(loop)
                subscripts[axis] = ast.Name(name, ast.Load())
                around = (*around, name)
        conditional = place.conditional or row.loose
        self.references.append(ReferenceOfRegion(row.array, tuple(subscripts), access, conditional, around, node))

    def _whole(self, array: str) -> None:
        access: Access = "read" if array in self._read_only else "update"
        self.references.append(ReferenceOfRegion(array, None, access, conditional=True, around=()))

    def _row(self, node: ast.expr) -> _Row | None:
        """The part of an input that an expression is; None if it is none."""
        if isinstance(node, ast.Name):
            return self._rows.get(node.id)
        if not isinstance(node, ast.Subscript):
            return None
        of = self._row(node.value)
        if of is None:
            return None
        indices = _indices(node)
        if of.subscripts is None or any(_is_constant(each) for each in indices):
            return _Row(of.array, None)
        given = [self._inlined(each) if _is_some_slice(each) or not isinstance(each, ast.Slice) else _WHOLE_AXIS
                 for each in indices]  # fmt: skip
        subscripts: list[ast.expr] = []
        loose = of.loose
        for each in of.subscripts:
            if not isinstance(each, ast.Slice) or not given:
                subscripts.append(each)
                continue
            position = given.pop(0)
            subscripts.append(position if each is _WHOLE_AXIS else each)
            loose = loose or (each is not _WHOLE_AXIS and position is not _WHOLE_AXIS)
        subscripts += given
        return _Row(of.array, tuple(subscripts) if len(subscripts) <= self._ranks[of.array] else None, loose)

    def _inlined(self, node: ast.expr) -> ast.expr:
        """An expression with what its local variables mean put in."""
        return _Inliner(self._meant, self._rows, self._is_len).visit(copied(node))


_UNKNOWN: Final = ast.Name("$", ast.Load())
"""Stands for what isn't known; no variable has this name."""
_WHOLE_AXIS: Final = ast.Slice()
"""Stands for all positions along an axis."""


@final
class _Inliner(ast.NodeTransformer):
    def __init__(
        self, meant: Mapping[str, ast.expr], rows: Mapping[str, _Row], is_len: Callable[[ast.expr], bool]
    ) -> None:
        self._meant: Final = meant
        self._rows: Final = rows
        self._is_len: Final = is_len

    def visit_Name(self, node: ast.Name) -> Any:
        return copied(self._meant.get(node.id, node))

    def visit_Call(self, node: ast.Call) -> Any:
        match node.args:
            case [ast.Name(id=name)] if name in self._rows and self._is_len(node.func):
                return self._extent(self._rows[name], 0)
            case _:
                return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        match node:
            case ast.Subscript(
                value=ast.Attribute(attr="shape", value=ast.Name(id=name)), slice=ast.Constant(value=int(axis))
            ) if name in self._rows and axis >= 0:
                return self._extent(self._rows[name], axis)
            case _:
                return self.generic_visit(node)

    def _extent(self, row: _Row, axis: int) -> ast.expr:
        """An extent of a part of an array, as one of the array."""
        if row.subscripts is None or any(isinstance(each, ast.Slice) for each in row.subscripts):
            return _UNKNOWN
        return _extent_of(row.array, axis + len(row.subscripts))


def _extent_of(array: str, axis: int) -> ast.expr:
    shape = ast.Attribute(ast.Name(array, ast.Load()), "shape", ast.Load())
    return ast.Subscript(shape, ast.Constant(axis), ast.Load())


def _indices(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _all_indices(node: ast.Subscript) -> list[ast.expr]:
    """The indices of `a[i][j]`, and of all that it is a part of."""
    outer = _all_indices(node.value) if isinstance(node.value, ast.Subscript) else []
    return [*outer, *_indices(node)]


def _is_constant(node: ast.expr) -> bool:
    """An index such as `...`, which is no number."""
    return isinstance(node, ast.Constant) and not isinstance(node.value, int)


def _is_some_slice(node: ast.expr) -> bool:
    """A slice other than `:`."""
    return isinstance(node, ast.Slice) and any(each is not None for each in (node.lower, node.upper, node.step))


def _jumps(body: Sequence[ast.stmt]) -> bool:
    """True if statements may be left out because of a jump."""
    jumps = ast.Break | ast.Continue | ast.Return | ast.Raise | ast.Assert
    return any(isinstance(part, jumps) for statement in body for part in walk(statement))
