# SPDX-License-Identifier: Apache-2.0
"""Bodies of nests that several rows may run side by side, and gain from it: conditions 2, 3, 4 and 8 of `plan`."""

import ast
from collections import Counter
from collections.abc import Sequence
from typing import Final

from lanewise.frontend.python.names import assigned, reads, uses
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.trees import walk

_MOST_NODES: Final = 190
"""Nodes of a body's syntax tree, operators left out: larger ones would become too much code."""


def unfit(grid: Grid) -> str:
    """The reason why a body isn't fit; empty if it is."""
    reason = unfit_to_jam(grid)
    if reason:
        return reason
    loops = loops_of(grid.body)
    if not loops:
        return "its body has no loop"
    if any(isinstance(p, ast.Subscript) and isinstance(p.ctx, ast.Store) for loop in loops for p in walk(loop)):
        return "its loops store to memory: add up in a variable"  # 4
    return ""


def unfit_to_jam(grid: Grid) -> str:
    """The reason why copies of a body can't be done side by side, its loops together; empty if they can."""
    parts = [part for statement in grid.body for part in walk(statement)]
    if grid.has_whole:
        return "it computes with whole arrays"
    if any(isinstance(part, ast.While | ast.Break | ast.Continue | ast.Return) for part in parts):  # 2
        return "it has jumps or while loops"
    if len(parts) > _MOST_NODES:
        return "its body is large"
    if any(isinstance(part, ast.If) and loops_of([part]) for part in parts):
        return "it has a loop under a condition"
    if {axis.variable for axis in grid.axes} & assigned(grid.body):
        return "the variable of a parallel loop is assigned to in it"
    return next(filter(None, (_unfit_loop(grid, loop, parts) for loop in loops_of(grid.body))), "")


def _unfit_loop(grid: Grid, loop: ast.For, parts: Sequence[ast.AST]) -> str:
    if not isinstance(loop.target, ast.Name):
        return "a loop counts by no variable"
    counter = loop.target.id
    stores = Counter(part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    if stores[counter] > 1:  # 3
        return f"a loop's variable, '{counter}', is assigned to elsewhere, too"
    inside = {id(part) for part in walk(loop)}
    if any(isinstance(part, ast.Name) and part.id == counter and id(part) not in inside for part in parts):  # 3
        return f"a loop's variable, '{counter}', is used outside of it"
    around = {
        other.target.id
        for other in loops_of(grid.body)
        if other is not loop and isinstance(other.target, ast.Name) and loop in walk(other)
    }
    own = assigned(grid.body) - around
    if reads(loop.iter) & own or any(isinstance(p, ast.Subscript) and _is_memory(p) for p in walk(loop.iter)):  # 2
        return f"the bounds of the loop over '{counter}' aren't known to be the same in all rows"
    return ""


def loops_of(body: Sequence[ast.stmt]) -> list[ast.For]:
    """All loops in statements."""
    return [part for statement in body for part in walk(statement) if isinstance(part, ast.For)]


def counters_of(body: Sequence[ast.stmt]) -> set[str]:
    """The variables that loops count by."""
    return {loop.target.id for loop in loops_of(body) if isinstance(loop.target, ast.Name)}


def bounds_use(body: Sequence[ast.stmt], variable: str) -> bool:
    """True if the bounds of some loop depend on a variable."""
    return any(variable in reads(loop.iter) for loop in loops_of(body))


def loads_most(body: Sequence[ast.stmt]) -> bool:
    """True if innermost loops have at most two operations for each load."""
    loads = operations = 0
    open_: list[ast.AST] = [part for loop in loops_of(body) if not loops_of(loop.body) for part in loop.body]
    while open_:
        part = open_.pop()
        if isinstance(part, ast.Subscript) and _is_memory(part):  # what its subscripts compute is an address
            loads += isinstance(part.ctx, ast.Load)
            continue
        operations += isinstance(part, ast.BinOp | ast.UnaryOp | ast.Call | ast.AugAssign)
        open_ += ast.iter_child_nodes(part)
    return operations <= 2 * loads


def carried(body: Sequence[ast.stmt]) -> set[str]:
    """The variables that go from one iteration of a loop with this body to the next."""
    found = uses(body)
    return set(found.assigned) & set(found.exposed)


def _is_memory(node: ast.Subscript) -> bool:
    return not (isinstance(node.value, ast.Attribute) and node.value.attr == "shape")
