# SPDX-License-Identifier: Apache-2.0
"""Iterations of a parallel loop that certainly conflict: one writes an element that another reads or writes.

Needs, for two references to an array of which one at least writes
    1. no condition around them, no jump in the loop, and no loops but the axes of the grid
    2. subscripts that are sums of axes times constants, and of the same inputs in both
    3. a distance, in iterations, at which the subscripts are equal, other than 0 along some axis over `prange`.

Method  The distance solves c . x = d, a row for each dimension. Few are tried: along each axis 0, 1, -1, and what
        solves a row that has that axis alone. Iterations conflict if each axis has more of them than the
        distance along it; that is known at the call.
"""

import ast
import itertools
from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

from lanewise.errors import CompileError
from lanewise.frontend.python.callees import ExpandedBody, SourceOfNode, with_callees
from lanewise.frontend.python.parallel import Grid, LoopAxis
from lanewise.frontend.python.python_types import Array, Type
from lanewise.frontend.python.references import ReferenceOfRegion, references_of
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.region import PythonRegion


class ProvenConflict(NamedTuple):
    """Iterations that conflict if each axis has more than `fewest` of them."""

    fewest: tuple[int, ...]
    error: CompileError


def conflicts_of(region: PythonRegion, grid: Grid, types: Mapping[str, Type]) -> tuple[ProvenConflict, ...]:
    """The conflicts of a grid's iterations that can be proven."""
    if any(axis.step is None for axis in grid.axes):
        return ()
    ranks = {name: of.ndim for name, of in types.items() if isinstance(of, Array) and name not in grid.copied}
    expanded = with_callees(grid.body, region.namespace)
    found = references_of(region, grid._replace(body=expanded.statements), ranks, frozenset()).references
    around = tuple(axis.variable for axis in grid.axes)
    certain = [
        each
        for each in found
        if each.subscripts is not None and not each.conditional and each.around == around and each.node is not None  # 1
    ]
    made: list[ProvenConflict] = []
    for number, first in enumerate(certain):
        for second in certain[number:]:
            if first.array != second.array or first.array in grid.shared or first.access == second.access == "read":
                continue
            distance = _distance(first, second, grid.axes)
            if distance is not None:
                fewest = tuple(abs(each) for each in distance)
                made.append(ProvenConflict(fewest, _told(region, grid, first, second, distance, expanded)))
    return tuple(made)


def _distance(first: ReferenceOfRegion, second: ReferenceOfRegion, axes: Sequence[LoopAxis]) -> tuple[int, ...] | None:
    """The iterations from the second reference's to the first one's at which both access one element, other than 0;
    None if none is found."""
    rows: list[tuple[tuple[int, ...], int]] = []
    for a, b in zip(first.subscripts or (), second.subscripts or (), strict=True):
        x, y = _form(a), _form(b)
        if x is None or y is None or any(x.get(name, 0) != y.get(name, 0) for name in {*x, *y} - {""}):  # 2
            return None
        steps = tuple(x.get(axis.variable, 0) * (axis.step or 0) for axis in axes)
        rows.append((steps, y.get("", 0) - x.get("", 0)))
    tried = [{0, 1, -1} for _ in axes]
    for steps, difference in rows:
        for number, step in enumerate(steps):
            if step and difference % step == 0:
                tried[number].add(difference // step)
    candidates = [
        each
        for each in itertools.product(*tried)
        if any(way for way, axis in zip(each, axes, strict=True) if axis.given)
        and all(sum(map(prod, zip(steps, each, strict=True))) == difference for steps, difference in rows)
    ]
    return min(candidates, key=lambda each: (sum(map(abs, each)), each), default=None)  # 3


def _form(node: ast.expr) -> dict[str, int] | None:
    """A subscript as the factors of names and shapes, and of "" the constant; None for another."""
    form = sum_of(node)
    if form is not None and form.get("", 0) < 0 and not any(factor for name, factor in form.items() if name):
        form["$end"] = 1  # counted from the end
    return form


def sum_of(node: ast.expr) -> dict[str, int] | None:
    """An index as the factors of names and shapes, and of "" the constant; None for what is no such sum."""
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return {"": value}
        case ast.Name(id=name) if not name.startswith("$"):
            return {name: 1}
        case ast.Subscript(value=ast.Attribute(value=ast.Name(), attr="shape"), slice=ast.Constant()):
            return {ast.unparse(node): 1}
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _scaled(sum_of(operand), -1)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            a, b = sum_of(left), _scaled(sum_of(right), -1 if isinstance(op, ast.Sub) else 1)
            return None if a is None or b is None else {name: a.get(name, 0) + b.get(name, 0) for name in {*a, *b}}
        case ast.BinOp(left=ast.Constant(value=int(factor)), op=ast.Mult(), right=other):
            return _scaled(sum_of(other), factor)
        case ast.BinOp(left=other, op=ast.Mult(), right=ast.Constant(value=int(factor))):
            return _scaled(sum_of(other), factor)
        case _:
            return None


def _scaled(form: dict[str, int] | None, factor: int) -> dict[str, int] | None:
    return None if form is None else {name: factor * each for name, each in form.items()}


def _told(
    region: PythonRegion,
    grid: Grid,
    first: ReferenceOfRegion,
    second: ReferenceOfRegion,
    distance: Sequence[int],
    expanded: ExpandedBody,
) -> CompileError:
    if first.access == "read":
        first, second, distance = second, first, [-each for each in distance]
    assert first.node is not None
    assert second.node is not None
    (file, node), (other_file, other_node) = (
        expanded.origins.get(id(each), SourceOfNode(region.file, each)) for each in (first.node, second.node)
    )
    ways = [
        f"{axis.variable} is {abs(each * (axis.step or 0))} {'less' if each * (axis.step or 0) > 0 else 'more'}"
        for axis, each in zip(grid.axes, distance, strict=True)
        if each
    ]
    other = f"'{ast.unparse(other_node)}'"
    if other_file != file:
        other += f" in {other_file}:{other_node.lineno}"
    elif other_node.lineno != node.lineno:
        other += f" in line {other_node.lineno}"
    reason = (
        f"iterations of this parallel loop conflict: each writes '{ast.unparse(node)}', and the one whose "
        f"{' and '.join(ways)} {'reads' if second.access == 'read' else 'writes'} the same element as {other}: "
        "iterations of prange run at the same time, in any order; use range, or an array of its own for the result"
    )
    import linecache

    return UnsupportedError(reason, node).told(file, linecache.getline(file, node.lineno) or None)
