# SPDX-License-Identifier: Apache-2.0
"""The grid of a parallel loop: which loops of its nest become axes.

The loop over `prange` is one. A loop directly in it becomes an axis, too, if its iterations are independent: each array
that is written is accessed by the same index, one that steps with the loop, in some dimension (1); no scalar goes from
one iteration to the next (2); its bounds are the same in all iterations of the loops around (3); and nothing else
leaves it or is called that might write (4). Statements before it are computed once per work-item, if they only assign
to scalars what no iteration changes (5).

Of the axes, x is the one along which most accesses are neighbours in memory.
"""

import ast
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from lanewise.frontend.python.callees import with_callees
from lanewise.frontend.python.mathematics import builtin
from lanewise.frontend.python.names import assigned, reads, uses
from lanewise.frontend.python.python_types import Array, Number, Type
from lanewise.frontend.python.region import PythonRegion, is_counted, is_parallel, resolved
from lanewise.frontend.python.shared_elements import shared_elements
from lanewise.frontend.python.trees import text, walk
from lanewise.frontend.python.whole_arrays import has_whole_arrays, is_array_call

_MOST_AXES: Final = 3


class LoopAxis(NamedTuple):
    """A loop that is an axis of the grid: its variable, and the arguments of its range."""

    variable: str
    bounds: tuple[ast.expr, ...]
    given: bool
    """It is over `prange`."""

    @property
    def line(self) -> int:
        """The line of its range; 0 for a loop that no source has."""
        return getattr(self.bounds[0], "lineno", 0)

    @property
    def step(self) -> int | None:
        """The step, if it is written as a number; neighbours in memory are known to be such only then."""
        if len(self.bounds) < 3:
            return 1
        step, sign = self.bounds[2], 1
        if isinstance(step, ast.UnaryOp) and isinstance(step.op, ast.USub):
            step, sign = step.operand, -1
        return sign * step.value if isinstance(step, ast.Constant) and isinstance(step.value, int) else None


class Grid(NamedTuple):
    """The axes from the outside to the inside, the number of x among them, and what each work-item runs.

    `neighbours`: accesses that are neighbours along x; `strided`: accesses that are so along a loop within a
    work-item, whose iterations can be done side by side. `written`: arrays that are written to. `shared`: those of them
    with elements that several iterations add to. `has_loops`: work-items run loops. `has_whole`: they compute with
    whole arrays.
    """

    axes: tuple[LoopAxis, ...]
    x: int
    body: tuple[ast.stmt, ...]
    neighbours: int
    strided: int
    written: frozenset[str]
    shared: frozenset[str]
    has_loops: bool
    has_whole: bool = False
    copied: frozenset[str] = frozenset()

    @property
    def order(self) -> list[int]:
        """Numbers of the axes in the order x, y, z: then from the inside to the outside."""
        return [self.x, *(number for number in reversed(range(len(self.axes))) if number != self.x)]

    @property
    def is_by_row(self) -> bool:
        """True if work-items do best one after the other: each runs along rows of its own, in loops."""
        return (
            bool(self.copied)
            or self.has_whole
            or (len(self.axes) == 1 and self.has_loops and self.strided > max(self.neighbours, 0))
        )

    @property
    def runs_in_turn(self) -> bool:
        """True if work-items do best one after the other in their blocks: no accesses are neighbours along any axis,
        and some are along a loop within a work-item, such as that over the colours of a pixel. Lanes would gather and
        scatter each element: on an image that is turned, bilinear, twice the time (AVX2)."""
        return self.is_by_row or (self.has_loops and self.neighbours < 0 < self.strided)

    @property
    def has_found(self) -> bool:
        """True if an axis is a loop over `range`, whose iterations depend on each other if arrays overlap."""
        return not all(axis.given for axis in self.axes)


def grid_of(region: PythonRegion, types: Mapping[str, Type], *, widen: bool = True, triangular: bool = False) -> Grid:
    """The grid of a parallel region. `widen`: loops over `range` may become axes. `triangular`: so may one whose bounds
    depend on the outermost loop (`is_triangular`). Then the axis has more iterations than the loop, and the work-items
    see to it."""
    loop = region.loop
    assert loop is not None
    axes = [_axis(loop, given=True)]
    leading: list[ast.stmt] = []
    body: Sequence[ast.stmt] = loop.body
    dimensions = {name: type_.ndim for name, type_ in types.items() if isinstance(type_, Array)}
    arrays = set(dimensions)
    reduced = {reduction.name for reduction in region.reductions}
    copied = reduced & arrays
    while not copied and len(axes) < _MOST_AXES:
        *before, last = body
        if not isinstance(last, ast.For) or last.orelse or not is_counted(last, region.namespace):
            break
        given = is_parallel(last, region.namespace)
        if not given and not widen:
            break
        if not isinstance(last.target, ast.Name) or not _may_be_repeated(before, region, body, arrays):
            break
        if has_whole_arrays(before, dimensions, region.namespace):  # each work-item would compute them
            break
        outer = {axis.variable for axis in axes} | assigned([*leading, *before])
        assert isinstance(last.iter, ast.Call)
        may_depend = triangular and len(axes) == 1 and is_triangular(last, loop)
        if may_depend:
            may_depend = all(_is_integer(name, types) for name in reads(last.iter.args))
        if (reads(last.iter) & outer and not may_depend) or any(
            isinstance(part, ast.Subscript) and not _is_shape(part) for part in walk(last.iter)
        ):  # 3
            break
        if not _is_independent(last, region, arrays, reduced, given=given):
            break
        leading += before
        axes.append(_axis(last, given=given))
        body = last.body
    whole = (*leading, *body)
    scores = [_neighbours(whole, axis.variable, dimensions) for axis in axes]
    x = max(range(len(axes)), key=lambda number: (scores[number], number))
    inner = [part for statement in body for part in walk(statement) if isinstance(part, ast.For | ast.While)]
    along: list[int] = []
    for part in inner:
        if isinstance(part, ast.For) and isinstance(part.target, ast.Name):
            score = _neighbours(part.body, part.target.id, dimensions)
            along.append(0 if score > 0 and _carries(part) else score)
    strided = 0 if 0 in along else max(along, default=0)
    written = _written(whole, arrays, region.namespace) - copied
    expanded = with_callees(whole, region.namespace).statements
    shared = shared_elements(expanded, [axis.variable for axis in axes], arrays - copied)
    has_whole = has_whole_arrays(whole, dimensions, region.namespace)
    has_loops = bool(inner) or has_whole
    return Grid(tuple(axes), x, whole, scores[x], strided, written, shared, has_loops, has_whole, frozenset(copied))


def has_triangle(region: PythonRegion) -> bool:
    """True if `triangular` makes a difference to the region's grid."""
    loop = region.loop
    last = None if loop is None else loop.body[-1]
    return (
        isinstance(last, ast.For) and is_counted(last, region.namespace) and is_triangular(last, cast("ast.For", loop))
    )


def written_in(region: PythonRegion, types: Mapping[str, Type]) -> frozenset[str]:
    """The arrays that a region may write to."""
    arrays = {name for name, type_ in types.items() if isinstance(type_, Array)}
    return _written(region.body, arrays, region.namespace)


def is_triangular(inner: ast.For, outer: ast.For) -> bool:
    """True if one bound of the inner loop is a sum in which the outer one's variable has a constant factor, and the
    other bound is the same in all iterations of the outer loop. Both go by steps of 1, so that in one iteration of the
    outer loop the inner one has all iterations that it has in any."""
    assert isinstance(inner.iter, ast.Call)
    assert isinstance(outer.iter, ast.Call)
    if not isinstance(outer.target, ast.Name) or max(len(inner.iter.args), len(outer.iter.args)) > 2:
        return False
    variable, bounds = outer.target.id, inner.iter.args
    if any(isinstance(part, ast.Subscript) and not _is_shape(part) for part in walk(inner.iter)):
        return False
    if reads(bounds) & (assigned(outer) - {variable}) or variable in assigned(outer.body):
        return False
    depends = [variable in reads(each) for each in bounds]
    return sum(depends) == 1 and all(factor_of(each, variable) is not None for each in bounds)


def _is_integer(name: str, types: Mapping[str, Type]) -> bool:
    """True unless an input is a number whose sums aren't those of Python's integers."""
    type_ = types.get(name)
    return not isinstance(type_, Number) or (type_.kind == "int" and type_.is_signed and type_.bits == 64)


def _carries(loop: ast.For) -> bool:
    """True if a scalar goes from one iteration to the next: they run one after the other, in their order, and only
    work-items side by side fill a vector."""
    found = uses(loop.body)
    return any(name in found.exposed for name in found.assigned)


def _axis(loop: ast.For, *, given: bool) -> LoopAxis:
    assert isinstance(loop.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    return LoopAxis(loop.target.id, tuple(loop.iter.args), given)


def _is_shape(node: ast.Subscript) -> bool:
    """`a.shape[0]`."""
    return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"


def _may_be_repeated(
    before: Sequence[ast.stmt], region: PythonRegion, body: Sequence[ast.stmt], arrays: set[str]
) -> bool:
    """Condition 5."""
    written = set(_stores(body)) | {None}
    for statement in before:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        if not isinstance(statement, ast.Assign) or not all(isinstance(t, ast.Name) for t in statement.targets):
            return False
        if not _calls_are_pure(statement, region.namespace) or reads(statement) & written:
            return False
    changed = assigned(before)
    return not changed & assigned([body[-1]]) and not changed & {each.name for each in region.reductions}


def _is_independent(loop: ast.For, region: PythonRegion, arrays: set[str], reduced: set[str], *, given: bool) -> bool:
    """Conditions 1, 2 and 4."""
    if _leaves(loop.body) or not _calls_are_pure(loop, region.namespace):  # 4
        return False
    found = uses(loop.body)
    if set(found.assigned) & set(found.exposed) - reduced:  # 2
        return False
    if given:
        return True
    assert isinstance(loop.target, ast.Name)
    changed = assigned(loop.body)
    for name in _stores(loop.body):  # 1
        if name is None or name not in arrays or name in changed:
            return False
        indices = _indices(loop.body, name)
        if indices is None or not _separated(indices, loop.target.id, changed):
            return False
    return True


def _separated(indices: list[list[ast.expr]], variable: str, changed: set[str]) -> bool:
    """True if all accesses have the same index in some dimension, and it steps with `variable`."""
    if len({len(each) for each in indices}) != 1:
        return False
    for dimension in zip(*indices, strict=True):
        first = dimension[0]
        if all(text(each) == text(first) for each in dimension[1:]):
            factor = factor_of(first, variable)
            if factor and not (reads(first) - {variable}) & changed:
                return True
    return False


def factor_of(node: ast.expr, variable: str) -> int | None:
    """The constant factor of a variable in a sum; 0 if it doesn't occur; None if the index is no such sum."""
    match node:
        case ast.Name(id=name):
            return int(name == variable)
        case ast.Constant(value=int()):
            return 0
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            found = factor_of(operand, variable)
            return None if found is None else -found
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            a, b = factor_of(left, variable), factor_of(right, variable)
            if a is None or b is None:
                return None
            return a + b if isinstance(op, ast.Add) else a - b
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            a, b = factor_of(left, variable), factor_of(right, variable)
            if a is None or b is None:
                return None
            if isinstance(left, ast.Constant) and isinstance(left.value, int):
                return left.value * b
            if isinstance(right, ast.Constant) and isinstance(right.value, int):
                return a * right.value
            return 0 if a == b == 0 else None
        case _:
            return None if variable in reads(node) else 0


def _neighbours(body: Sequence[ast.stmt], variable: str, dimensions: Mapping[str, int]) -> int:
    """Accesses whose last index steps by one with a variable, less those that step with it elsewhere."""
    count = 0
    for part in (part for statement in body for part in walk(statement)):
        if not isinstance(part, ast.Subscript) or _is_shape(part):
            continue
        indices = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
        name = part.value.id if isinstance(part.value, ast.Name) else ""
        first = indices if len(indices) < dimensions.get(name, 0) else indices[:-1]
        if any(factor_of(index, variable) != 0 for index in first):
            count -= 1
        elif indices and factor_of(indices[-1], variable) in (1, -1):
            count += 1
    return count


def _stores(body: Sequence[ast.stmt]) -> list[str | None]:
    """Names of the arrays whose elements are assigned to; None for one without a name."""
    names: list[str | None] = []
    for part in (part for statement in body for part in walk(statement)):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
            names.append(part.value.id if isinstance(part.value, ast.Name) else None)
    return names


def _written(body: Sequence[ast.stmt], arrays: set[str], namespace: Mapping[str, Any]) -> frozenset[str]:
    """The arrays that may be written to: all, if some store is to a view or a function is called that might write."""
    names = set(_stores(body))
    if names <= arrays and all(_calls_are_pure(statement, namespace) for statement in body):
        return frozenset(name for name in names if name)
    return frozenset(arrays)


def _indices(body: Sequence[ast.stmt], name: str) -> list[list[ast.expr]] | None:
    """The indices of all accesses to an array; None if it is used otherwise than by elements."""
    found: list[list[ast.expr]] = []
    owners: set[int] = set()
    for part in (part for statement in body for part in walk(statement)):
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and part.value.id == name:
            owners.add(id(part.value))
            elements = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
            if any(isinstance(each, ast.Slice) for each in elements):
                return None
            found.append(list(elements))
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == name:
            owners.add(id(part.value))
    for part in (part for statement in body for part in walk(statement)):
        if isinstance(part, ast.Name) and part.id == name and id(part) not in owners:
            return None
    return found


def _leaves(body: Sequence[ast.stmt]) -> bool:
    """True if a `break` or `return` leaves the loop that has this body."""
    for statement in body:
        if isinstance(statement, ast.Break | ast.Return):
            return True
        if isinstance(statement, ast.If) and _leaves([*statement.body, *statement.orelse]):
            return True
        if isinstance(statement, ast.For | ast.While) and any(isinstance(p, ast.Return) for p in walk(statement)):
            return True
    return False


def _calls_are_pure(node: ast.AST, namespace: Mapping[str, Any], callers: tuple[Any, ...] = ()) -> bool:
    """True if all functions called are of numbers, or marked with `lw.jit` and do nothing but return a value.
    `callers`: functions that are being looked at: one that calls itself is taken for one that might write."""
    for part in walk(node):
        if isinstance(part, ast.Call):
            target = resolved(part.func, namespace)
            if is_array_call(part, namespace):
                continue
            if builtin(target) is not None or target is range or getattr(target, "__lanewise_range__", False):
                continue
            callee = getattr(target, "__lanewise_jit__", None)
            if callee is None or callee in callers or _stores(callee.body):
                return False
            if not all(_calls_are_pure(each, callee.namespace, (*callers, callee)) for each in callee.body):
                return False
    return True
