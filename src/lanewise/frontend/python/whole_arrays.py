# SPDX-License-Identifier: Apache-2.0
"""Expressions of whole arrays, by the syntax tree: which statements have them, and which variables share arrays."""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, final

from lanewise.frontend.python.array_functions import METHODS, array_function
from lanewise.frontend.python.mathematics import builtin
from lanewise.frontend.python.names import assigned
from lanewise.frontend.python.region import resolved
from lanewise.frontend.python.trees import walk
from lanewise.frontend.python.views import Views

_OF_SHAPE: Final = frozenset({"len", "shape"})


def has_whole_arrays(body: Sequence[ast.stmt], ranks: Mapping[str, int], namespace: Mapping[str, Any]) -> bool:
    """True if statements compute with whole arrays, or make some. `ranks`: dimensions of arrays by their names."""
    search = _Search(body, ranks, namespace)
    return any(search.is_whole(part) for statement in body for part in _computed(statement, namespace))


def is_array_call(node: ast.Call, namespace: Mapping[str, Any]) -> bool:
    """True for functions and methods of whole arrays, which write to none that is known elsewhere."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS and resolved(node.func, namespace) is None:
        return True
    return array_function(resolved(node.func, namespace)) is not None


@final
class _Search:
    def __init__(self, body: Sequence[ast.stmt], ranks: Mapping[str, int], namespace: Mapping[str, Any]) -> None:
        self._namespace: Final = namespace
        self._ranks: Final = ranks
        self._views: Final = Views(body, ranks.keys() - assigned(body))
        self._made: Final[set[str]] = set()
        """Variables that are set to expressions of whole arrays."""
        assignments = [part for each in body for part in walk(each) if isinstance(part, ast.Assign)]
        more = True
        while more:
            more = False
            for each in assignments:
                names = {target.id for target in each.targets if isinstance(target, ast.Name)} - self._made
                if names and self.is_whole(each.value):
                    self._made.update(names)
                    more = True

    def is_whole(self, node: ast.expr) -> bool:
        """True if an expression is an array, unless its elements only become one number."""
        element = self._views.element(node)
        if element is not None:
            rank = self._ranks[element.array]
            return len(element.indices) < rank or any(isinstance(each, ast.Slice) for each in element.indices)
        match node:
            case ast.Name(id=name):
                return name in self._made or name in self._ranks
            case ast.Subscript(value=value, slice=index):
                indices = index.elts if isinstance(index, ast.Tuple) else [index]
                return any(isinstance(each, ast.Slice) for each in indices) and self.is_whole(value)
            case ast.BinOp(left=left, right=right):
                return self.is_whole(left) or self.is_whole(right)
            case ast.UnaryOp(operand=operand):
                return self.is_whole(operand)
            case ast.Compare(left=left, comparators=others):
                return any(self.is_whole(each) for each in (left, *others))
            case ast.Call():
                return is_array_call(node, self._namespace) or any(self.is_whole(each) for each in node.args)
            case _:
                return False


def _computed(statement: ast.stmt, namespace: Mapping[str, Any]) -> Iterator[ast.expr]:
    """The expressions in a statement that are computed with, rather than looked up."""
    for part in walk(statement):
        match part:
            case ast.BinOp(left=left, right=right):
                yield left
                yield right
            case ast.UnaryOp(operand=operand):
                yield operand
            case ast.Compare(left=left, comparators=others):
                yield left
                yield from others
            case ast.Call(func=func, args=arguments):
                target = resolved(func, namespace)
                if is_array_call(part, namespace):
                    yield part
                elif builtin(target) is not None and getattr(target, "__name__", "") not in _OF_SHAPE:
                    yield from arguments
            case ast.Assign(targets=targets):
                yield from (each for each in targets if isinstance(each, ast.Subscript))
            case ast.AugAssign(target=ast.Subscript() as target, value=value):
                yield target
                yield value
            case ast.AugAssign(value=value):
                yield value
            case _:
                pass


def unshared_variables(body: Sequence[ast.stmt]) -> frozenset[str]:
    """The variables whose arrays no other variable or tuple refers to, as far as assignments tell."""
    shared: set[str] = set()
    for part in (part for statement in body for part in walk(statement)):
        match part:
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                shared |= _referred(value)
            case ast.For(iter=value) | ast.Return(value=ast.expr() as value):
                shared |= _referred(value)
            case ast.Tuple(ctx=ast.Load()):
                shared |= {name for each in part.elts for name in _referred(each)}
            case _:
                pass
    return frozenset(assigned(body) - shared)


def is_only_updated(body: Sequence[ast.stmt], name: str) -> bool:
    """True if a variable is assigned to by statements such as `x += y` alone."""
    parts = [part for statement in body for part in walk(statement)]
    updates = {id(part.target) for part in parts if isinstance(part, ast.AugAssign)}
    stores = [part for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    return all(id(part) in updates for part in stores if part.id == name)


def fresh_variables(body: Sequence[ast.stmt], inputs: Collection[str]) -> frozenset[str]:
    """The variables that are never set to an array, or a part of one, that has another name."""
    views: set[str] = set(inputs)
    for part in (part for statement in body for part in walk(statement)):
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                views |= {name} if _referred(value) else set()
            case ast.Assign(targets=targets):
                views |= assigned(targets)
            case ast.For(target=target):
                views |= assigned(target)
            case _:
                pass
    return frozenset(assigned(body) - views)


def _referred(node: ast.expr) -> set[str]:
    """The variables whose arrays an expression may be, or a part of."""
    match node:
        case ast.Name(id=name):
            return {name}
        case ast.Subscript(value=value) | ast.Attribute(value=value):
            return _referred(value)
        case ast.Tuple(elts=parts) | ast.BoolOp(values=parts):
            return {name for each in parts for name in _referred(each)}
        case ast.IfExp(body=a, orelse=b):
            return _referred(a) | _referred(b)
        case ast.Call(func=ast.Attribute(attr="reshape") as func, args=arguments):
            return {name for each in (func, *arguments) for name in _referred(each)}
        case _:
            return set()
