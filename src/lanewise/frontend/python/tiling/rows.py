# SPDX-License-Identifier: Apache-2.0
"""Statements for one row or several: each row has variables of its own, and loops are done by all rows together."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, final

from lanewise.frontend.python.trees import copied, text


def name_in_row(name: str, row: int) -> str:
    """A variable of a row; no variable of Python has such a name."""
    return f"{name}${row}"


def side_by_side(body: Sequence[ast.stmt], rows: int, own: frozenset[str]) -> list[ast.stmt]:
    """Statements for rows 0 to `rows` - 1, one statement after the other. `own`: the variables that each row has."""
    made: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.For):
            together = ast.For(statement.target, statement.iter, side_by_side(statement.body, rows, own), [])
            made.append(ast.copy_location(together, statement))
        else:
            made += [in_row(statement, row, own) for row in range(rows)]
    return made


def in_row(node: Any, row: int, own: Iterable[str]) -> Any:
    """A statement or an expression with the variables of a row."""
    return _Renaming({name: name_in_row(name, row) for name in own}).visit(copied(node))


def with_packed(body: Sequence[ast.stmt], packed: Mapping[str, ast.expr]) -> list[ast.stmt]:
    """Statements with other expressions in place of packed references. `packed`: these, by the references' trees."""
    return [_Replacement(packed).visit(copied(statement)) for statement in body]


@final
class _Renaming(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names: Final = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node


@final
class _Replacement(ast.NodeTransformer):
    def __init__(self, packed: Mapping[str, ast.expr]) -> None:
        self._packed: Final = packed

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        found = self._packed.get(text(node))
        return self.generic_visit(node) if found is None else ast.copy_location(copied(found), node)
