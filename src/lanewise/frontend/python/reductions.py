# SPDX-License-Identifier: Apache-2.0
"""Variables in which the iterations of a parallel loop add up, found by the syntax tree.

All statements that use such a variable are `s += x`, `s = s + x`, `s = max(s, x)` and the like, by one operation. If it
is an array at the call, each chunk of iterations adds to a copy of its own (`private_copies`); then `s[:] += x` is such
a statement, too.
"""

import ast
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from lanewise.frontend.python.names import reads, uses
from lanewise.frontend.python.trees import walk

Form = Literal["update", "rebind", "both", "part"]


class LoopReduction(NamedTuple):
    """A variable in which the iterations of a parallel loop add up.

    `operation`: "+", "*", "min", "max", "minimum", "maximum", "and", "or", "&", "|" or "^"; "minimum" and "maximum" are
    NumPy's, which keep NaN. `form`: "update" for `s += x`, which changes an array in place; "rebind" for `s = s + x`,
    which makes a new one; "both"; "part" for `s[:] += x` alone, which never assigns to the variable.
    """

    name: str
    operation: str
    form: Form = "update"


def reductions_of(body: tuple[ast.stmt, ...], namespace: Mapping[str, Any]) -> tuple[LoopReduction, ...]:
    """The variables in which statements only add up what they compute. `namespace`: what the function's names mean."""
    found: dict[str, LoopReduction | None] = {}
    known: dict[str, set[int]] = {}
    """Parts of the tree in which a variable may occur."""
    exposed = set(uses(body).exposed)
    nodes = [part for statement in body for part in walk(statement)]
    for node in nodes:
        made = _reduction(node, namespace)
        if made is not None and made.name in exposed:
            before = found.get(made.name, made)
            found[made.name] = None if before is None else _joined(before, made)
            known.setdefault(made.name, set()).update(id(part) for part in walk(node))
    shapes = {id(_with_shape(node)) for node in nodes}
    reductions: list[LoopReduction] = []
    for name, reduction in found.items():
        others = [
            part for part in nodes if isinstance(part, ast.Name) and part.id == name and id(part) not in known[name]
        ]
        if reduction is not None and all(id(part) in shapes for part in others):
            reductions.append(reduction)
    return tuple(reductions)


def _joined(a: LoopReduction, b: LoopReduction) -> LoopReduction | None:
    """Two statements of one variable together; None if their operations differ."""
    if a.operation != b.operation:
        return None
    forms = {a.form, b.form}
    if "both" in forms or ("rebind" in forms and len(forms) > 1):
        return a._replace(form="both")
    return a if len(forms) == 1 else a._replace(form="update")


def _with_shape(node: ast.AST) -> ast.AST | None:
    """The array of `a.shape` and the like, and of `len(a)`."""
    match node:
        case ast.Attribute(value=array, attr="shape" | "ndim" | "size" | "dtype"):
            return array
        case ast.Call(func=ast.Name(id="len"), args=[array]):
            return array
        case _:
            return None


_SIGNS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+", ast.Sub: "+", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip


def _reduction(node: ast.AST, namespace: Mapping[str, Any]) -> LoopReduction | None:
    """The reduction that a statement is; None for another."""
    match node:
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value) if type(op) in _SIGNS and name not in reads(
            value
        ):
            return LoopReduction(name, _SIGNS[type(op)])
        case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name), slice=index), op=op, value=value) if (
            type(op) in _SIGNS and _is_everything(index) and name not in reads(value)
        ):
            return LoopReduction(name, _SIGNS[type(op)], "part")
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            operation = _rebinding(name, value, namespace)
            return LoopReduction(name, operation, "rebind") if operation else None
        case _:
            return None


def _rebinding(name: str, value: ast.expr, namespace: Mapping[str, Any]) -> str:
    """The operation of `name = name + x` and the like, by its right side; empty for another."""
    match value:
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            if _is(left, name) and name not in reads(right):
                return _SIGNS[type(op)]
            if _is(right, name) and name not in reads(left) and not isinstance(op, ast.Sub):
                return _SIGNS[type(op)]
        case ast.Call(func=function, args=[a, b], keywords=[]) if operation := _extreme(function, namespace):
            if (_is(a, name) and name not in reads(b)) or (_is(b, name) and name not in reads(a)):
                return operation
        case ast.BoolOp(op=op, values=[first, *rest]):
            if _is(first, name) and name not in reads(rest):
                return "and" if isinstance(op, ast.And) else "or"
        case _:
            pass
    return ""


def _extreme(function: ast.expr, namespace: Mapping[str, Any]) -> str:
    """The name of `min`, `max`, `np.minimum` or `np.maximum`; empty for another function."""
    match function:
        case ast.Name(id="min" | "max" as operation):
            return operation
        case ast.Attribute(value=ast.Name(id=module), attr="minimum" | "maximum" as operation):
            return operation if namespace.get(module) is np else ""
        case _:
            return ""


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_everything(index: ast.expr) -> bool:
    """True for `:` in all dimensions that are given, and for `...`."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return all(
        (isinstance(each, ast.Constant) and each.value is ...)
        or (isinstance(each, ast.Slice) and each.lower is each.upper is each.step is None)
        for each in parts
    )
