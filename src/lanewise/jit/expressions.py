# SPDX-License-Identifier: Apache-2.0
"""Expressions of whole arrays in the code that stays Python's, which become one loop: `np.sqrt(a * a + b) / 2`.

NumPy evaluates such an expression operation by operation, each over all elements, into an array of its own. Here, all
operations that work element by element become the body of one parallel loop. What they work on, the *leaves* of the
expression, is evaluated by Python as before, in its order. The sum of one, `np.sum(a * b)` or `(a * b).sum()`, is a
reduction of the same loop.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, final

from lanewise.frontend.python.mathematics import builtin
from lanewise.frontend.python.region import resolved
from lanewise.frontend.python.trees import copied, walk

_OPERATORS: Final = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.BitAnd, ast.BitOr, ast.BitXor,
)  # fmt: skip
_COMPARISONS: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_FEWEST: Final = 2
"""Operations from which one loop is better than NumPy's. Functions count as two."""
TOTAL: Final = "total"
"""The variable in which a loop adds up."""
LEAF: Final = "x"
"""Names of leaves in an expression: x0, x1, and so on."""
WHERE: Final = "__lanewise_where"
"""The name of `np.where` in an expression."""


class ArrayExpression(NamedTuple):
    """An expression in names of its leaves, and the leaves. `name`: for messages. `has_powers`: it has `**`. `total`:
    the sum of all elements in the same names, if that is wanted."""

    name: str
    file: str
    line: int
    body: ast.expr
    leaves: tuple[ast.expr, ...]
    has_powers: bool
    total: ast.expr | None = None


@final
class ExpressionFinder:
    """A search for the expressions of whole arrays in statements. `call` makes the call that stands for one, from its
    number among `found` and its leaves. `sums`: sums may be rounded otherwise than NumPy's."""

    def __init__(
        self,
        name: str,
        file: str,
        namespace: Mapping[str, Any],
        local: frozenset[str],
        call: Callable[[int, tuple[ast.expr, ...]], ast.expr],
        *,
        sums: bool,
    ) -> None:
        self.found: Final[list[ArrayExpression]] = []
        self._name: Final = name
        self._file: Final = file
        self._namespace: Final = namespace
        self._local: Final = local
        self._call: Final = call
        self._sums: Final = sums

    def value(self, node: ast.expr) -> ast.expr:
        """A value, with calls in place of its expressions of whole arrays."""
        added = self._added(node) if self._sums else None
        parts = _Parts(self)
        body = parts.operation(node if added is None else added)
        if body is None or parts.weight < (_FEWEST if added is None else _FEWEST - 1) or not parts.leaves:
            return self._within(node)
        total = None if added is None else ast.copy_location(_sum_of(node, body), node)
        leaves = tuple([self.value(each) for each in parts.leaves])
        made = ArrayExpression(
            f"{self._name}:{node.lineno}", self._file, node.lineno, body, leaves, parts.has_powers, total
        )
        self.found.append(made)
        return ast.copy_location(self._call(len(self.found) - 1, made.leaves), node)

    def _added(self, node: ast.expr) -> ast.expr | None:
        """The expression whose elements are added up by `np.sum` or its method `sum`; None for another node."""
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="sum"), args=[], keywords=[]):
                return value
            case ast.Call(func=func, args=[value], keywords=[]) if self._is_numpys(func, "sum"):
                return value
            case _:
                return None

    def _within(self, node: ast.expr) -> ast.expr:
        """A value that is no such expression: its parts may be."""
        match node:
            case ast.Call():
                node.args = [each if isinstance(each, ast.Starred) else self.value(each) for each in node.args]
                for keyword in node.keywords:
                    keyword.value = self.value(keyword.value)
                if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
                    node.func.value = self.value(node.func.value)
            case ast.BinOp():
                node.left, node.right = self.value(node.left), self.value(node.right)
            case ast.UnaryOp():
                node.operand = self.value(node.operand)
            case ast.Tuple() | ast.List():
                node.elts = [each if isinstance(each, ast.Starred) else self.value(each) for each in node.elts]
            case _:
                pass
        return node

    def is_function(self, node: ast.expr, count: int) -> bool:
        """True for a function that NumPy applies to each element, and compiled code, too."""
        target = self._resolved(node)
        if type(target).__name__ != "ufunc":
            return target is abs and count == 1
        return target.nin == count and target.nout == 1 and builtin(target) is not None

    def is_where(self, node: ast.expr) -> bool:
        return self._is_numpys(node, "where")

    def _is_numpys(self, node: ast.expr, name: str) -> bool:
        target = self._resolved(node)
        return getattr(target, "__name__", "") == name and getattr(target, "__module__", "") == "numpy"

    def _resolved(self, node: ast.expr) -> Any:
        """The object that a name with attributes means, unless it is one of the function's variables."""
        names = {part.id for part in walk(node) if isinstance(part, ast.Name)}
        return None if names & self._local else resolved(node, self._namespace)


def _sum_of(node: ast.expr, body: ast.expr) -> ast.Call:
    """A sum with another expression in place of what it adds up."""
    assert isinstance(node, ast.Call)
    if node.args:
        return ast.Call(node.func, [body], [])
    return ast.Call(ast.Attribute(body, "sum", ast.Load()), [], [])


@final
class _Parts:
    """The operations and the leaves of one expression."""

    def __init__(self, finder: ExpressionFinder) -> None:
        self.leaves: Final[list[ast.expr]] = []
        self.weight = 0
        self.has_powers = False
        self._finder: Final = finder
        self._names: Final[dict[str, str]] = {}

    def operation(self, node: ast.expr) -> ast.expr | None:
        """An operation on leaves; None for what isn't one."""
        match node:
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _OPERATORS):
                self.weight += 1
                self.has_powers |= isinstance(op, ast.Pow)
                made = ast.BinOp(self._part(left), op, self._part(right))
            case ast.UnaryOp(op=ast.USub() | ast.Invert(), operand=operand):
                self.weight += 1
                made = ast.UnaryOp(node.op, self._part(operand))
            case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _COMPARISONS):
                self.weight += 1
                made = ast.Compare(self._part(left), [op], [self._part(right)])
            case ast.Call(func=func, args=arguments, keywords=[]) if self._finder.is_function(func, len(arguments)):
                self.weight += 2
                made = ast.Call(func, [self._part(each) for each in arguments], [])
            case ast.Call(func=func, args=[condition, a, b], keywords=[]) if self._finder.is_where(func):
                self.weight += 2
                made = ast.Call(ast.Name(WHERE, ast.Load()), [self._part(each) for each in (condition, a, b)], [])
            case _:
                return None
        return ast.copy_location(made, node)

    def _part(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Constant) and type(node.value) in (int, float, bool):
            return node
        made = self.operation(node)
        return self._leaf(node) if made is None else made

    def _leaf(self, node: ast.expr) -> ast.expr:
        known = self._names.get(node.id) if isinstance(node, ast.Name) else None
        if known is None:
            known = f"{LEAF}{len(self.leaves)}"
            self.leaves.append(node)
            if isinstance(node, ast.Name):
                self._names[node.id] = known
        return ast.copy_location(ast.Name(known, ast.Load()), node)


def loop_over(
    expression: ArrayExpression, ndim: int, subscripts: Sequence[tuple[int | None, ...] | None], prange: str
) -> ast.For:
    """The loop that computes an expression of `ndim` dimensions, into an array `out`, or adds it up in `total`.
    `subscripts`: for each leaf that is an array, the dimension that each subscript goes with, None for one that is
    always 0."""
    body = _Subscripted(subscripts).visit(copied(expression.body))
    target = ast.Subscript(ast.Name("out", ast.Load()), _index(tuple(range(ndim))), ast.Store())
    statement: ast.stmt = ast.Assign([target], body)
    if expression.total is not None:
        statement = ast.AugAssign(ast.Name(TOTAL, ast.Store()), ast.Add(), body)
    for axis in reversed(range(ndim)):
        steps = ast.Call(ast.Name(prange, ast.Load()), [ast.Name(f"n{axis}", ast.Load())], [])
        statement = ast.For(ast.Name(f"i{axis}", ast.Store()), steps, [statement], [])
    assert isinstance(statement, ast.For)
    for part in walk(statement):
        if isinstance(part, ast.expr | ast.stmt) and not hasattr(part, "lineno"):
            part.lineno = part.end_lineno = expression.line
            part.col_offset = part.end_col_offset = 0
    return statement


class _Subscripted(ast.NodeTransformer):
    def __init__(self, subscripts: Sequence[tuple[int | None, ...] | None]) -> None:
        self._subscripts: Final = {f"{LEAF}{number}": each for number, each in enumerate(subscripts)}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        dimensions = self._subscripts.get(node.id)
        return node if dimensions is None else ast.Subscript(node, _index(dimensions), ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.expr:
        node.args = [self.visit(each) for each in node.args]
        if isinstance(node.func, ast.Name) and node.func.id == WHERE:
            return ast.IfExp(*node.args)
        return node


def _index(dimensions: Sequence[int | None]) -> ast.expr:
    parts: list[ast.expr] = [
        ast.Constant(0) if dimension is None else ast.Name(f"i{dimension}", ast.Load()) for dimension in dimensions
    ]
    return parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())
