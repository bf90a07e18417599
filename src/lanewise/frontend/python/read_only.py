# SPDX-License-Identifier: Apache-2.0
"""Arrays that a kernel only reads, by its syntax tree: devices with memory of their own needn't copy them back."""

import ast
from collections.abc import Sequence
from typing import Final

from lanewise.frontend.python.trees import walk

_ATTRIBUTES: Final = frozenset({"shape", "ndim", "size", "dtype"})


def is_only_read(body: Sequence[ast.stmt], name: str, ndim: int) -> bool:
    """True if a parameter is used for nothing but to read single elements, its shape and the like. A view, a call that
    it is passed to, or an assignment may lead to a store."""
    nodes = [part for statement in body for part in walk(statement)]
    harmless = {id(_read_by(part, ndim)) for part in nodes}
    return all(id(part) in harmless for part in nodes if isinstance(part, ast.Name) and part.id == name)


def _read_by(node: ast.AST, ndim: int) -> ast.AST | None:
    """The array of `a[i, j]` that is read, of `a.shape` and of `len(a)`; None for all else."""
    match node:
        case ast.Attribute(value=array, attr=name) if name in _ATTRIBUTES:
            return array
        case ast.Call(func=ast.Name(id="len"), args=[array]):
            return array
        case ast.Subscript(value=array, slice=index, ctx=ast.Load()):
            indices = index.elts if isinstance(index, ast.Tuple) else [index]
            if len(indices) == ndim and not any(isinstance(each, ast.Slice) for each in indices):
                return array
        case _:
            pass
    return None
