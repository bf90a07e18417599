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
from lanewise.frontend.python.trees import copied, walk

OPERATIONS: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "add", ast.Sub: "sub", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
"""The atomic operation of each augmented assignment whose order doesn't matter."""
_OTHER: Final = "?"
"""A term of a sum that varies otherwise than by a variable."""


def shared_elements(body: Sequence[ast.stmt], axes: Sequence[str], arrays: Collection[str]) -> frozenset[str]:
    """The arrays, among `arrays`, with elements that several iterations add to. `axes`: variables of loops."""
    named = set(arrays) - assigned(body)
    found = {name: _Accesses(body, name) for name in named}
    indices = _Indices(body, axes)
    return frozenset(
        name
        for name, accesses in found.items()
        if accesses.only_add_up and not all(indices.tell_apart(axis, accesses.indices) for axis in axes)
    )


def with_augmented_assignments(loop: ast.For) -> ast.For:
    """A loop with `a[i] += x` in place of `a[i] = a[i] + x` and `a[i] = x + a[i]`."""
    return _Augmenter().visit(copied(loop))


@final
class _Augmenter(ast.NodeTransformer):
    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        match node:
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=array)) as target],
                value=ast.BinOp(left=left, op=op, right=right),
            ) if type(op) in OPERATIONS:
                pairs = [(left, right)] if isinstance(op, ast.Sub) else [(left, right), (right, left)]
                for same, added in pairs:
                    if _is_element(same, target) and array not in reads(added):
                        return ast.copy_location(ast.AugAssign(target, op, added), node)
            case _:
                pass
        return node


def _is_element(node: ast.expr, target: ast.Subscript) -> bool:
    """True if an expression is the element that is assigned to."""
    return isinstance(node, ast.Subscript) and all(
        ast.dump(a) == ast.dump(b) for a, b in ((node.value, target.value), (node.slice, target.slice))
    )


@final
class _Accesses:
    """All uses of an array by its name. `only_add_up`: they are augmented assignments of elements, by operations of one
    kind. `indices`: those of each."""

    def __init__(self, body: Sequence[ast.stmt], name: str) -> None:
        parts = [part for statement in body for part in walk(statement)]
        uses = sum(isinstance(part, ast.Name) and part.id == name for part in parts)
        shapes = sum(_is_of_shape(part, name) for part in parts)
        kinds: set[str] = set()
        self.indices: Final[list[list[ast.expr]]] = []
        for part in parts:
            match part:
                case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=target), slice=index), op=op) if (
                    target == name and type(op) in OPERATIONS
                ):
                    kinds.add("add" if isinstance(op, ast.Sub) else OPERATIONS[type(op)])
                    self.indices.append(index.elts if isinstance(index, ast.Tuple) else [index])
                case _:
                    pass
        self.only_add_up: Final = (
            len(kinds) == 1
            and uses == len(self.indices) + shapes
            and len({len(each) for each in self.indices}) == 1
            and not any(isinstance(each, ast.Slice) for index in self.indices for each in index)
        )


def _is_of_shape(node: ast.AST, name: str) -> bool:
    """True for `a.shape`, another attribute, and `len(a)`."""
    match node:
        case ast.Attribute(value=ast.Name(id=array)) | ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=array)]):
            return array == name
        case _:
            return False


@final
class _Indices:
    def __init__(self, body: Sequence[ast.stmt], axes: Sequence[str]) -> None:
        self._varying: Final = {*axes, *assigned(body)}
        self._meant: Final = _defined_once(body)

    def tell_apart(self, axis: str, indices: Sequence[Sequence[ast.expr]]) -> bool:
        """True if accesses by these indices in two iterations of a loop are of two elements."""
        for dimension in zip(*indices, strict=True):
            if len({ast.dump(each) for each in dimension}) == 1:
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
                return [(_OTHER, "one")] if reads(node) & (self._varying | set(self._meant)) else []


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
