# SPDX-License-Identifier: Apache-2.0
"""Statements with the functions that they call put in: a form for analyses, which nothing runs.

`add(h, i)` with `def add(a, k): a[k] += 1` becomes `a$1 = h`, `k$1 = i` and `a$1[k$1] += 1`, so that whatever looks at
accesses to arrays finds those of the function. Its result is known if it has one `return`, at its end.

A function is put in if it does something with a parameter that only an array allows. One that calls itself is put in
twice; of further calls, only their scalars count, as assigned to once more.
"""

import ast
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, Final, NamedTuple, final

from lanewise.frontend.python.code import CompiledFunction
from lanewise.frontend.python.mathematics import builtin
from lanewise.frontend.python.names import assigned
from lanewise.frontend.python.region import resolved
from lanewise.frontend.python.shared_elements import augmented
from lanewise.frontend.python.trees import copied, named_arguments, walk
from lanewise.frontend.python.views import base_of, unknown

_MOST_TIMES: Final = 2
"""The most times that a function is put in, one in another."""


class SourceOfNode(NamedTuple):
    """The source of a node of a function that was put in."""

    file: str
    node: ast.expr


class ExpandedBody(NamedTuple):
    """Statements, and the origins of subscripts that are another function's, by `id` of the node. `recursive`: names
    of functions that call themselves."""

    statements: tuple[ast.stmt, ...]
    origins: Mapping[int, SourceOfNode]
    recursive: tuple[str, ...] = ()


def with_callees(body: Sequence[ast.stmt], namespace: Mapping[str, Any], *, keep_deeper: bool = False) -> ExpandedBody:
    """Statements with the functions that they call put in; the statements themselves if there are none. `keep_deeper`:
    further calls of a function that calls itself stay calls."""
    if not any(_callee(part, namespace) for statement in body for part in walk(statement)):
        return ExpandedBody(tuple(body), {})
    expansion = _Expansion(keep_deeper=keep_deeper)
    made = expansion.block([copied(statement) for statement in body], namespace, ())
    return ExpandedBody(tuple(made), expansion.origins, tuple(expansion.recursive))


def _callee(node: ast.AST, namespace: Mapping[str, Any]) -> CompiledFunction | None:
    """The function of Python that a node calls, if it takes arrays."""
    if not isinstance(node, ast.Call):
        return None
    found: CompiledFunction | None = getattr(resolved(node.func, namespace), "__lanewise_jit__", None)
    return found if found is not None and len(_numbers(found)) < len(found.parameters) else None


def _numbers(function: CompiledFunction) -> set[str]:
    """The parameters with which a function does nothing that only an array allows."""
    others: set[str] = set()
    for part in (part for statement in function.body for part in walk(statement)):
        match part:
            case ast.Subscript(value=value) | ast.Attribute(value=value) | ast.For(iter=value):
                base = base_of(value)
                others |= set() if base is None else {base.id}
            case ast.Call(func=func, args=args, keywords=keywords):
                function_called = resolved(func, function.namespace)
                if builtin(function_called) is None or function_called is len:
                    given = [*args, *(each.value for each in keywords)]
                    others |= {each.id for each in given if isinstance(each, ast.Name)}
            case _:
                pass
    return set(function.parameters) - others


@final
class _Expansion:
    def __init__(self, *, keep_deeper: bool) -> None:
        self._keep_deeper: Final = keep_deeper
        self.origins: Final[dict[int, SourceOfNode]] = {}
        self.recursive: Final[dict[str, None]] = {}
        self._count = 0

    def block(
        self, body: Sequence[ast.stmt], namespace: Mapping[str, Any], callers: tuple[tuple[CompiledFunction, int], ...]
    ) -> list[ast.stmt]:
        """Statements with what they call before them. They are changed. `callers`: the functions that they are of,
        with the numbers that their names have."""
        made: list[ast.stmt] = []
        for statement in body:
            calls = _Calls(self, namespace, callers)
            if isinstance(statement, ast.While):  # the test is evaluated in each iteration
                calls.conditional = True
                statement.test = calls.visit(statement.test)
                made += calls.before
                statement.body = [*calls.before, *self.block(statement.body, namespace, callers)]
            elif isinstance(statement, ast.If | ast.For):
                if isinstance(statement, ast.If):
                    statement.test = calls.visit(statement.test)
                else:
                    statement.iter = calls.visit(statement.iter)
                statement.body = self.block(statement.body, namespace, callers)
                statement.orelse = self.block(statement.orelse, namespace, callers)
                made += calls.before
            else:
                statement = calls.visit(statement)
                made += calls.before
            made.append(statement)
        return made

    def call(
        self, function: CompiledFunction, node: ast.Call, callers: tuple[tuple[CompiledFunction, int], ...]
    ) -> tuple[list[ast.stmt], ast.expr]:
        """The statements of a function that is called, and its result."""
        given = named_arguments(node, function.parameters)
        times = [number for each, number in callers if each is function]
        if len(times) == _MOST_TIMES:
            self.recursive.setdefault(function.name)
        if len(times) == _MOST_TIMES and self._keep_deeper:
            return [], node
        if len(times) == _MOST_TIMES:
            return [_assignment(f"{name}${times[-1]}", unknown()) for name in _numbers(function)], unknown()
        self._count += 1
        number = self._count
        made = [
            _assignment(f"{name}${number}", given.get(name) or _default(function, name)) for name in function.parameters
        ]
        names = _Names(number, {*function.parameters, *assigned(function.body)}, function.namespace)
        body: list[ast.stmt] = []
        for statement in augmented(function.body):
            for part in walk(statement):
                if isinstance(part, ast.Subscript):
                    self.origins[id(part)] = SourceOfNode(function.file, copied(part))
            body.append(names.visit(statement))
        result = unknown()
        match body[-1]:
            case ast.Return(value=ast.expr() as value):  # no jump: nothing is left out
                body[-1] = _assignment(f"return${number}", value)
                result = ast.Name(f"return${number}", ast.Load())
            case _:
                pass
        return made + self.block(body, function.namespace, (*callers, (function, number))), result


@final
class _Calls(ast.NodeTransformer):
    """Takes the calls out of an expression. `before`: what they run."""

    def __init__(
        self, expansion: _Expansion, namespace: Mapping[str, Any], callers: tuple[tuple[CompiledFunction, int], ...]
    ) -> None:
        self._expansion: Final = expansion
        self._namespace: Final = namespace
        self._callers: Final = callers
        self.before: Final[list[ast.stmt]] = []
        self.conditional = False

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        function = _callee(node, self._namespace)
        if function is None:
            return node
        made, result = self._expansion.call(function, node, self._callers)
        self.before.extend([ast.If(unknown(), made, [])] if self.conditional else made)
        return result

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        node.test = self.visit(node.test)
        node.body, node.orelse = self._perhaps(node.body), self._perhaps(node.orelse)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        node.values = [self.visit(node.values[0]), *map(self._perhaps, node.values[1:])]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        node.left, first = self.visit(node.left), self.visit(node.comparators[0])
        node.comparators = [first, *map(self._perhaps, node.comparators[1:])]
        return node

    def _perhaps(self, node: ast.expr) -> ast.expr:
        """A part that isn't always evaluated."""
        before, self.conditional = self.conditional, True
        made = self.visit(node)
        self.conditional = before
        return made


@final
class _Names(ast.NodeTransformer):
    """Gives names of a function that no other one has."""

    def __init__(self, number: int, variables: set[str], namespace: Mapping[str, Any]) -> None:
        self._number: Final = number
        self._variables: Final = variables
        self._namespace: Final = namespace

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._variables:
            value = resolved(node, self._namespace)
            if type(value) is int:
                return ast.copy_location(ast.Constant(value), node)
            if callable(value) or isinstance(value, ModuleType):
                return node
        node.id = f"{node.id}${self._number}"
        return node


def _assignment(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _default(function: CompiledFunction, name: str) -> ast.expr:
    value = function.defaults.get(name)
    return ast.Constant(value) if type(value) is int else unknown()
