# SPDX-License-Identifier: Apache-2.0
"""Parts of arrays by other names: after `row = a[i]`, the element `row[j]` is `a[i, j]`.

A view's name is known if one statement assigns to it, and what it is a part of has a known name in turn.
"""

import ast
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple, final

from lanewise.frontend.python.trees import walk

UNKNOWN_INDEX: Final = "$"
"""The name that an index has of which nothing is known; no variable is called so."""


class Element(NamedTuple):
    """An expression as a part of an array: its indices there, as far as they are given, and the node of the name that
    the expression begins with."""

    array: str
    indices: tuple[ast.expr, ...]
    base: ast.Name


@final
class Views:
    """The views of arrays in statements. `arrays`: names of arrays that nothing in the statements assigns to."""

    def __init__(self, body: Sequence[ast.stmt], arrays: Collection[str]) -> None:
        self._arrays: Final = frozenset(arrays)
        self._definitions: Final = _definitions(body)
        self.of: Final[Mapping[str, Element]] = self._found()
        """The views by their names."""

    def element(self, node: ast.expr) -> Element | None:
        """The part of an array that an expression is; None if that isn't known."""
        return self._element(node, self.of)

    def definition(self, name: str) -> ast.expr:
        """The expression that a view is."""
        return self._definitions[name]

    def _found(self) -> dict[str, Element]:
        found: dict[str, Element] = {}
        more = True
        while more:
            more = False
            for name, value in self._definitions.items():
                element = None if name in found else self._element(value, found)
                if element is not None:
                    found[name] = element
                    more = True
        return found

    def _element(self, node: ast.expr, known: Mapping[str, Element]) -> Element | None:
        match node:
            case ast.Name(id=name) if name in self._arrays:
                return Element(name, (), node)
            case ast.Name(id=name) if name in known:
                return known[name]._replace(base=node)
            case ast.Subscript(value=value, slice=index):
                of = self._element(value, known)
                if of is None:
                    return None
                return of._replace(indices=_joined(of.indices, index.elts if isinstance(index, ast.Tuple) else [index]))
            case ast.Attribute(value=value, attr="T"):
                of = self._element(value, known)
                return None if of is None else of._replace(indices=(unknown(node),))
            case _:
                return None


def base_of(node: ast.expr) -> ast.Name | None:
    """The name that `a[i][j]` and `a.T[i]` begin with."""
    while isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr == "T"):
        node = node.value
    return node if isinstance(node, ast.Name) else None


def _joined(before: tuple[ast.expr, ...], indices: Sequence[ast.expr]) -> tuple[ast.expr, ...]:
    """The indices of a part of a part: those of the second go to the dimensions that the first has slices of."""
    rest = list(indices)
    made: list[ast.expr] = []
    for each in before:
        if not isinstance(each, ast.Slice) or not rest:
            made.append(each)
            continue
        index = rest.pop(0)
        whole = each.lower is None and each.upper is None and each.step is None
        made.append(index if whole else unknown(each, index))
    return (*made, *rest)


def unknown(*parts: ast.AST) -> ast.expr:
    """An index that varies with its parts in an unknown way."""
    nodes = [part for part in parts if isinstance(part, ast.expr)]
    return ast.Subscript(ast.Name(UNKNOWN_INDEX, ast.Load()), ast.Tuple(nodes, ast.Load()), ast.Load())


def _definitions(body: Sequence[ast.stmt]) -> dict[str, ast.expr]:
    """The names that one statement assigns to, and nothing else, and what they are set to."""
    parts = [part for statement in body for part in walk(statement)]
    counts = Counter(part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    return {
        part.targets[0].id: part.value
        for part in parts
        if isinstance(part, ast.Assign)
        and len(part.targets) == 1
        and isinstance(part.targets[0], ast.Name)
        and counts[part.targets[0].id] == 1
    }
