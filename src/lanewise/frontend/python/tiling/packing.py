# SPDX-License-Identifier: Apache-2.0
"""References that are packed, and the values that rows keep meanwhile: conditions 6 and 7 of `plan`."""

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, final

from lanewise.frontend.python.names import assigned, reads, uses
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import Array, Number, Type
from lanewise.frontend.python.tiling.fitness import loops_of
from lanewise.frontend.python.trees import text, walk

_TUPLES: Final = frozenset({"divmod", "modf", "frexp", "shape"})
"""Functions whose results are tuples."""


class PackedReference(NamedTuple):
    """An element of an input, `array[subscripts]`, that is packed. `key`: its syntax tree as a text."""

    array: str
    key: str


class LoopBetween(NamedTuple):
    """A loop, and the statements before and after it."""

    before: tuple[ast.stmt, ...]
    loop: ast.For
    after: tuple[ast.stmt, ...]

    @property
    def kept(self) -> list[str]:
        """The variables that a row keeps between parts of the loop."""
        wanted = {*uses(self.loop.body).exposed, *uses(self.after).exposed}
        return sorted(wanted & (assigned(self.before) | assigned(self.loop.body)))


def only_loop(body: Sequence[ast.stmt]) -> LoopBetween | None:
    """The loop of a body that has one, without loops in it; else None."""
    loops = loops_of(body)
    if len(loops) != 1:
        return None
    place = next(number for number, statement in enumerate(body) if statement is loops[0])
    return LoopBetween(tuple(body[:place]), loops[0], tuple(body[place + 1 :]))


def packed_references(
    grid: Grid, columns: Iterable[ast.Subscript], types: Mapping[str, Type]
) -> tuple[PackedReference, ...]:
    """The references to columns that are packed: none if the conditions don't hold."""
    found = only_loop(grid.body)
    if found is None:
        return ()
    before, loop, _ = found
    if not isinstance(loop.iter, ast.Call) or not isinstance(loop.target, ast.Name) or len(loop.iter.args) > 2:
        return ()
    if any(isinstance(p, ast.Subscript) and isinstance(p.ctx, ast.Store) for s in before for p in walk(s)):
        return ()  # 6
    numbers = _Numbers(grid, types)
    if not all(name in assigned(before) and numbers.has(name) for name in found.kept):
        return ()
    always = {id(part) for part in _unconditional(loop.body)}
    packed: dict[str, PackedReference] = {}
    for each in columns:
        is_plain = not any(isinstance(part, ast.Slice | ast.Call | ast.NamedExpr) for part in walk(each))
        if id(each) in always and loop.target.id in reads(each.slice) and is_plain:  # 7
            assert isinstance(each.value, ast.Name)
            packed[text(each)] = PackedReference(each.value.id, text(each))
    return tuple(packed.values())


def _unconditional(body: Sequence[ast.stmt]) -> list[ast.AST]:
    """Expressions that every iteration evaluates."""
    found: list[ast.AST] = []
    open_: list[ast.AST] = [part.test if isinstance(part, ast.If) else part for part in body]
    while open_:
        part = open_.pop()
        found.append(part)
        match part:
            case ast.IfExp():
                open_.append(part.test)
            case ast.BoolOp():
                open_.append(part.values[0])
            case ast.Compare():
                open_ += [part.left, part.comparators[0]]
            case _:
                open_ += ast.iter_child_nodes(part)
    return found


@final
class _Numbers:
    """The variables of a body that are known to be numbers, and no views of arrays or tuples."""

    def __init__(self, grid: Grid, types: Mapping[str, Type]) -> None:
        self._types: Final = types
        self._known: Final = {axis.variable for axis in grid.axes}
        self._known.update(loop.target.id for loop in loops_of(grid.body) if isinstance(loop.target, ast.Name))
        self._assignments: Final = [
            part for statement in grid.body for part in walk(statement) if isinstance(part, ast.Assign)
        ]

    def has(self, name: str, seen: frozenset[str] = frozenset()) -> bool:
        if name in self._known or name in seen:
            return True
        if name in self._types:
            return isinstance(self._types[name], Number)
        values = [pair for each in self._assignments for target in each.targets for pair in _pairs(target, each.value)]
        return all(
            value is not None and self._is_number(value, seen | {name}) for target, value in values if target == name
        )

    def _is_number(self, node: ast.expr, seen: frozenset[str]) -> bool:
        match node:
            case ast.Constant():
                return isinstance(node.value, int | float)
            case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.BoolOp():
                return True
            case ast.IfExp():
                return self._is_number(node.body, seen) and self._is_number(node.orelse, seen)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                return name not in _TUPLES
            case ast.Name():
                return self.has(node.id, seen)
            case ast.Subscript(value=ast.Attribute(attr="shape")):
                return True
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                type_ = self._types.get(name)
                indices = index.elts if isinstance(index, ast.Tuple) else [index]
                is_slice = any(isinstance(each, ast.Slice) for each in indices)
                return isinstance(type_, Array) and type_.ndim == len(indices) and not is_slice
            case _:
                return False


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[str, ast.expr | None]]:
    """The names in a target with the values that they get; None for a value that isn't known."""
    match target, value:
        case ast.Name(), _:
            return [(target.id, value)]
        case ast.Tuple() | ast.List(), ast.Tuple() | ast.List() if len(target.elts) == len(value.elts):
            both = zip(target.elts, value.elts, strict=True)
            return [pair for part, item in both for pair in _pairs(part, item)]
        case _:
            return [(name, None) for name in assigned(target)]
