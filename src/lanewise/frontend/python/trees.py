# SPDX-License-Identifier: Apache-2.0
"""Walks over syntax trees of Python, copies and texts of them, several times as fast as those of `ast` and `copy`.

A first call whose kernels are in the cache spends most of its time in them.
"""

import ast
from collections.abc import Sequence
from typing import Any, Final, TypeVar, cast

Node = TypeVar("Node", bound=ast.AST)

_EMPTY: Final = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
"""Classes of nodes that have nothing in them; trees share them."""
_NAMES: Final = frozenset({
    "ctx", "op", "ops", "id", "attr", "arg", "name", "kind", "type_comment", "conversion", "lineno", "level",
    "module",
})  # fmt: skip
"""Fields with names and the like, and no parts that anyone looks for."""
_fields: Final[dict[type[ast.AST], tuple[str, ...]]] = {}


def walk(node: ast.AST) -> Sequence[ast.AST]:
    """A node and all nodes in it, outer ones first, as `ast.walk` has them, but for operators and contexts."""
    found = [node]
    for each in found:
        kind = type(each)
        fields = _fields.get(kind)
        if fields is None:
            fields = _fields[kind] = tuple(name for name in kind._fields if name not in _NAMES)
        for name in fields:
            value: Any = getattr(each, name, None)
            if type(value) is list:
                found += [part for part in cast("list[Any]", value) if isinstance(part, ast.AST)]
            elif isinstance(value, ast.AST):
                found.append(value)
    return found


def copied(node: Node) -> Node:
    """A copy of a tree, at the same lines. Operators and contexts are the same objects."""
    kind = type(node)
    made = kind.__new__(kind)
    parts: dict[str, Any] = made.__dict__
    for name, value in vars(node).items():
        if isinstance(value, ast.AST):
            parts[name] = value if isinstance(value, _EMPTY) else copied(value)
        elif type(value) is list:
            items = cast("list[Any]", value)
            parts[name] = [copied(each) if isinstance(each, ast.AST) else each for each in items]
        else:
            parts[name] = value
    return made


def text(node: ast.AST, *, places: bool = False) -> str:
    """A text that two trees have in common if they are the same. `places`: if they are at the same lines and columns,
    too."""
    made: list[str] = []
    _append_text(node, made, places)
    return "".join(made)


def _append_text(node: ast.AST, made: list[str], places: bool) -> None:
    kind = type(node)
    made.append(kind.__name__)
    if places:
        made.append(f"@{getattr(node, 'lineno', '')}:{getattr(node, 'col_offset', '')}")
    made.append("(")
    for name in kind._fields:
        value: Any = getattr(node, name, None)
        if type(value) is list:
            made.append("[")
            for each in cast("list[Any]", value):
                if isinstance(each, ast.AST):
                    _append_text(each, made, places)
                else:
                    made.append(repr(each))
                made.append(",")
            made.append("]")
        elif not isinstance(value, ast.AST):
            made.append(repr(value))
        elif isinstance(value, _EMPTY):
            made.append(type(value).__name__)
        else:
            _append_text(value, made, places)
        made.append(",")
    made.append(")")


def named_arguments(call: ast.Call, parameters: Sequence[str]) -> dict[str, ast.expr]:
    """The arguments of a call by the names of the parameters, as far as they are given."""
    by_position = dict(zip(parameters, call.args, strict=False))
    return by_position | {each.arg: each.value for each in call.keywords if each.arg is not None}
