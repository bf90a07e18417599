# SPDX-License-Identifier: Apache-2.0
"""Arrays whose elements several iterations of a parallel loop add to, such as a histogram's.

`hist[bins[i]] += 1` reads an element and writes it, and two iterations may have the same one: the sum is right only if
no other comes in between. Such an array is found if all accesses to it are `a[...] += x` and the like, by operations
whose order doesn't matter, and in no dimension the index alone tells which iteration it is of.

An index tells iterations of a loop apart if its variable occurs in it once in a sum, times one or a factor that nothing
in the loop changes. Of what varies in an index, one term at most may have the factor one: `i * n + j` tells both loops
apart, as whoever writes it means `j < n`, and `i + j` neither.
"""

import ast
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final, final

from lanewise.frontend.python.names import assigned, reads
from lanewise.frontend.python.trees import copied, text, walk
from lanewise.frontend.python.views import UNKNOWN_INDEX, Views, base_of

OPERATIONS: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "add", ast.Sub: "sub", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
"""The atomic operation of each augmented assignment whose order doesn't matter."""
_OTHER: Final = "?"
"""A term of a sum that varies otherwise than by a variable."""


def shared_elements(body: Sequence[ast.stmt], axes: Sequence[str], arrays: Collection[str]) -> frozenset[str]:
    """The arrays, among `arrays`, with elements that several iterations add to, and the names of views of them.
    `axes`: variables of loops. Views that may be of several arrays count as shared, too, if statements only add to
    them."""
    if not any(_updates_element(part) for statement in body for part in walk(statement)):
        return frozenset()
    views = Views(body, set(arrays) - assigned(body))
    indices = _Indices(body, axes)
    shared: set[str] = set()
    for name in set(arrays) - assigned(body):
        accesses = _Accesses(body, name, views)
        if accesses.only_add_up and not all(indices.tell_apart(axis, accesses.indices) for axis in axes):
            shared |= {name, *(view for view, element in views.of.items() if element.array == name)}
    for name in _of_unknown_arrays(body, views):
        if _Accesses(body, name, Views(body, {name})).only_add_up:
            shared.add(name)
    return frozenset(shared)


def _updates_element(node: ast.AST) -> bool:
    return isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript)


def shared_in_function(
    body: Sequence[ast.stmt], parameters: Collection[str], shared: Collection[str]
) -> frozenset[str]:
    """The names in a function that a parallel loop calls of arrays with elements that several iterations add to.
    `shared`: the parameters that are such arrays."""
    views = Views(body, set(parameters) - assigned(body))
    names = {*shared, *(view for view, element in views.of.items() if element.array in shared)}
    others = _of_unknown_arrays(body, views)
    return frozenset(names | {name for name in others if _Accesses(body, name, Views(body, {name})).only_add_up})


def _of_unknown_arrays(body: Sequence[ast.stmt], views: Views) -> set[str]:
    """The names of parts that statements add to, of arrays that aren't known."""
    targets = [part.target for statement in body for part in walk(statement) if isinstance(part, ast.AugAssign)]
    bases = [base_of(each) for each in targets if isinstance(each, ast.Subscript) and views.element(each) is None]
    return {base.id for base in bases if base is not None} & assigned(body)


def with_augmented_assignments(loop: ast.For) -> ast.For:
    """A loop with `a[i] += x` in place of `a[i] = a[i] + x` and `a[i] = x + a[i]`, and `a[i]['x'] = y` in place of
    `a[i].x = y`."""
    return _Augmenter().visit(copied(loop))


def augmented(body: Sequence[ast.stmt]) -> tuple[ast.stmt, ...]:
    """The same of other statements."""
    return tuple(_Augmenter().visit(copied(statement)) for statement in body)


@final
class _Augmenter(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            return node
        index = ast.copy_location(ast.Constant(node.attr), node)
        return ast.copy_location(ast.Subscript(node.value, index, node.ctx), node)

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        self.generic_visit(node)
        match node:
            case ast.Assign(
                targets=[ast.Subscript() as target],
                value=ast.BinOp(left=left, op=op, right=right),
            ) if type(op) in OPERATIONS:
                array = base_of(target)
                pairs = [(left, right)] if isinstance(op, ast.Sub) else [(left, right), (right, left)]
                for same, added in pairs:
                    if array is not None and _is_element(same, target) and array.id not in reads(added):
                        return ast.copy_location(ast.AugAssign(target, op, added), node)
            case _:
                pass
        return node


def _is_element(node: ast.expr, target: ast.Subscript) -> bool:
    """True if an expression is the element that is assigned to."""
    return isinstance(node, ast.Subscript) and all(
        text(a) == text(b) for a, b in ((node.value, target.value), (node.slice, target.slice))
    )


@final
class _Accesses:
    """All uses of an array, by its name and those of its views. `only_add_up`: they are augmented assignments of
    elements, by operations of one kind. `indices`: those of each."""

    def __init__(self, body: Sequence[ast.stmt], name: str, views: Views) -> None:
        parts = [part for statement in body for part in walk(statement)]
        named = {name, *(view for view, element in views.of.items() if element.array == name)}
        uses = {id(part) for part in parts if isinstance(part, ast.Name) and part.id in named}
        known = {id(_with_shape(part)) for part in parts}
        if name in assigned(body):  # whatever it is a view of
            known |= {id(part) for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        kinds: set[str] = set()
        found: list[tuple[ast.expr, ...]] = []
        for part in parts:
            match part:
                case ast.AugAssign(target=ast.Subscript() as target, op=op) if type(op) in OPERATIONS:
                    element = views.element(target)
                    if element is not None and element.array == name:
                        kinds.add("add" if isinstance(op, ast.Sub) else OPERATIONS[type(op)])
                        found.append(element.indices)
                        known.add(id(element.base))
                case ast.Assign(targets=[ast.Name(id=view) as target]) if view in named and view in views.of:
                    element = views.element(views.definition(view))
                    assert element is not None
                    known |= {id(target), id(element.base)}
                case _:
                    pass
        most = max((len(each) for each in found), default=0)
        self.indices: Final = [[*each, *[ast.Slice()] * (most - len(each))] for each in found]
        self.only_add_up: Final = len(kinds) == 1 and uses <= known


def _with_shape(node: ast.AST) -> ast.AST | None:
    """The array of `a.shape`, of another attribute but `T`, and of `len(a)`."""
    match node:
        case ast.Attribute(value=array, attr=attribute) if attribute != "T":
            return array
        case ast.Call(func=ast.Name(id="len"), args=[array]):
            return array
        case _:
            return None


@final
class _Indices:
    def __init__(self, body: Sequence[ast.stmt], axes: Sequence[str]) -> None:
        self._varying: Final = {*axes, *assigned(body)}
        self._meant: Final = _defined_once(body)

    def tell_apart(self, axis: str, indices: Sequence[Sequence[ast.expr]]) -> bool:
        """True if accesses by these indices in two iterations of a loop are of two elements."""
        for dimension in zip(*indices, strict=True):
            if len({text(each) for each in dimension}) == 1:
                factors = Counter(self._factors(dimension[0]))
                units = sum(count for (_, factor), count in factors.items() if factor == "one")
                mine = [count for (name, _), count in factors.items() if name == axis]
                if mine == [1] and units <= 1:
                    return True
        return False

    def _factors(self, node: ast.expr) -> list[tuple[str, str]]:
        """The variables in a sum, and whether the factor of each is one or another."""
        match node:
            case ast.Name(id=name) if name in self._meant:
                return self._factors(self._meant[name])
            case ast.Name(id=name):
                return [(name, "one")] if name in self._varying else []
            case ast.Constant():
                return []
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                return self._factors(operand)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
                return [*self._factors(left), *self._factors(right)]
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                a, b = self._factors(left), self._factors(right)
                if a and b:
                    return [(_OTHER, "one")]
                factor = right if a else left
                if isinstance(factor, ast.Constant) and factor.value in (0, 1, -1):
                    return [] if factor.value == 0 else [*a, *b]
                return [(name, "another") for name, _ in (*a, *b)]
            case _:
                return [(_OTHER, "one")] if reads(node) & (self._varying | set(self._meant) | {UNKNOWN_INDEX}) else []


def _defined_once(body: Sequence[ast.stmt]) -> dict[str, ast.expr]:
    """Local variables that one statement assigns to, and their values."""
    parts = [part for statement in body for part in walk(statement)]
    counts = Counter(part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    found: dict[str, ast.expr] = {}
    for part in parts:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if counts[name] == 1 and name not in reads(value):
                found[name] = copied(value)
            case _:
                pass
    return found
