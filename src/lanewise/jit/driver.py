# SPDX-License-Identifier: Apache-2.0
"""Splits a function into regions and the code that stays Python's: its driver.

The outermost loops become regions, each a kernel. All else is run by Python as it is written: what allocates, calls a
library or prints needs no compiler. A loop around a parallel loop is the driver's, too. A function that calls itself,
or that returns from within a loop, is one region.
"""

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast, final

from lanewise.frontend.python.code import Options
from lanewise.frontend.python.mathematics import builtin
from lanewise.frontend.python.names import assigned, reads, uses
from lanewise.frontend.python.parallel import factor_of, is_triangular
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.region import (
    PythonRegion,
    is_counted,
    is_parallel,
    parallel_region,
    resolved,
    serial_region,
    variables_of,
)
from lanewise.frontend.python.trees import copied, walk
from lanewise.jit.expressions import ArrayExpression, ExpressionFinder

PREFIX: Final = "__lanewise_"
EXPRESSION: Final = f"{PREFIX}expression_"
_GIVEN: Final = (f"{PREFIX}unset", f"{PREFIX}checks", f"{PREFIX}slice", f"{PREFIX}index", f"{PREFIX}are_arrays")
"""Further parameters of a factory."""
_MOST_AXES: Final = 3


class FunctionSource(NamedTuple):
    """A function's syntax tree, and what its names mean. `file` is its file; lines in the tree are those of it."""

    name: str
    file: str
    tree: ast.FunctionDef
    namespace: Mapping[str, Any]
    free: tuple[str, ...]
    """Variables of the functions around it."""


class InterpretedLoop(NamedTuple):
    """A loop that Python runs: its line, and why."""

    line: int
    reason: str


class SplitFunction(NamedTuple):
    """A function's regions, the driver as a factory that takes them, and why loops stayed Python's, if any did."""

    regions: tuple[PythonRegion, ...]
    factory: ast.Module
    interpreted: tuple[InterpretedLoop, ...]
    expressions: tuple[ArrayExpression, ...]
    """Expressions of whole arrays; the factory takes what evaluates them after the regions."""


def split(source: FunctionSource, options: Options, checked: Iterable[str] = ()) -> SplitFunction:
    """The driver of a function. `checked`: parameters that it checks first. UnsupportedError for a parallel loop that
    can't be one."""
    return _Splitter(source, options).split(checked)


@final
class _Splitter:
    def __init__(self, source: FunctionSource, options: Options) -> None:
        self._source: Final = source
        self._options: Final = options
        self._regions: Final[list[PythonRegion]] = []
        self._interpreted: Final[list[InterpretedLoop]] = []
        parameters = parameters_of(source.tree)
        arrays = {name for name in reads(source.tree.body) if _is_array(source.namespace.get(name))}
        self._local: Final = variables_of(tuple(source.tree.body), parameters) | arrays
        self._expressions: Final = ExpressionFinder(
            source.name, source.file, source.namespace, self._local, _call_of_expression, sums=not options.exact
        )

    def split(self, checked: Iterable[str]) -> SplitFunction:
        tree = copied(self._source.tree)
        whole = self._is_whole(tree)
        body = self._whole(tree) if whole else self._block(tree.body, frozenset())
        checks = [f"{name} = {PREFIX}checks[{name!r}]({name})" for name in checked]
        first = [_placed(part, tree.body[0]) for check in checks for part in ast.parse(check).body]
        tree.body = [*first, *body] or [ast.Pass()]
        return SplitFunction(
            tuple(self._regions), self._factory(tree), tuple(self._interpreted), tuple(self._expressions.found)
        )

    # -- regions -----------------------------------------------------------------------------------------------

    def _is_whole(self, tree: ast.FunctionDef) -> bool:
        if any(is_parallel(part, self._source.namespace) for part in walk(tree) if isinstance(part, ast.For)):
            return False
        returns = any(
            isinstance(part, ast.Return)
            for loop in walk(tree)
            if isinstance(loop, ast.For | ast.While)
            for part in walk(loop)
        )
        if any(self._iterated(part) for part in walk(tree) if isinstance(part, ast.For)):
            return False  # what it iterates over is known at the call
        return (returns or tree.name in reads(tree.body)) and not any(self._reason(part) for part in tree.body)

    def _whole(self, tree: ast.FunctionDef) -> list[ast.stmt]:
        body = tuple(part for part in self._source.tree.body)
        region = serial_region(
            self._source.name, self._source.file, body, self._source.namespace, self._options, self._local, frozenset()
        )
        self._regions.append(region._replace(returns=True))
        call = self._call(region, [])
        return [ast.copy_location(ast.Return(call), tree.body[0])]

    def _block(self, body: Sequence[ast.stmt], later: frozenset[str]) -> list[ast.stmt]:
        """Statements with their loops replaced by calls of regions. `later`: names read after them."""
        made: list[ast.stmt] = []
        for place, statement in enumerate(body):
            made += self._statement(statement, later | frozenset(uses(body[place + 1 :]).exposed))
        return made

    def _statement(self, node: ast.stmt, later: frozenset[str]) -> list[ast.stmt]:
        namespace = self._source.namespace
        if is_parallel(node, namespace):
            assert isinstance(node, ast.For)
            return self._parallel(node, later)
        if isinstance(node, ast.For | ast.While):
            reason = self._reason(node)
            if not reason:
                return self._if_over_arrays(node, self._serial(copied(node), later))
            if reason != _HAS_PARALLEL:
                self._interpreted.append(InterpretedLoop(node.lineno, reason))
            around = later | frozenset(uses([node]).exposed)
            node.body = self._block(node.body, around)
            node.orelse = self._block(node.orelse, around)
        elif isinstance(node, ast.If):
            node.body, node.orelse = self._block(node.body, later), self._block(node.orelse, later)
        elif isinstance(node, ast.With):
            node.body = self._block(node.body, later)
        elif isinstance(node, ast.Try):
            around = later | frozenset(reads(node))
            node.body, node.orelse = self._block(node.body, around), self._block(node.orelse, around)
            node.finalbody = self._block(node.finalbody, later)
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return | ast.Expr):
            return [self._with_expressions(node)]
        return [node]

    def _with_expressions(self, node: ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return | ast.Expr) -> ast.stmt:
        """A statement with calls in place of its expressions of whole arrays."""
        if node.value is None:
            return node
        node.value = self._expressions.value(node.value)
        match node:
            case ast.Assign(
                targets=[ast.Subscript(value=array, slice=index)],
                value=ast.Call(func=ast.Name(id=name) as function, args=leaves),
            ) if name.startswith(EXPRESSION):
                found = _as_value(index)
                if found is not None:
                    into = ast.Attribute(function, "into", ast.Load())
                    return _placed(ast.Expr(ast.Call(into, [array, found, *leaves], [])), node)
            case _:
                pass
        return node

    def _iterated(self, node: ast.For) -> str:
        """The variable that a loop goes through, as `for x in a`; empty for other loops."""
        is_simple = isinstance(node.iter, ast.Name) and isinstance(node.target, ast.Name)
        return node.iter.id if is_simple and isinstance(node.iter, ast.Name) and node.iter.id in self._local else ""

    def _if_over_arrays(self, node: ast.For | ast.While, compiled: list[ast.stmt]) -> list[ast.stmt]:
        """Compiled loops over variables, if these are arrays at the call; else the loops as they are."""
        loops = [part for part in walk(node) if isinstance(part, ast.For)]
        names = sorted({self._iterated(each) for each in loops} - {"", *assigned(node)})
        if not names:
            return compiled
        tests = ast.Call(
            ast.Name(f"{PREFIX}are_arrays", ast.Load()), [ast.Name(name, ast.Load()) for name in names], []
        )
        return [ast.copy_location(ast.If(_placed(tests, node), compiled, [node]), node)]

    def _reason(self, node: ast.stmt) -> str:
        """The reason for which a loop stays Python's; nothing if it doesn't."""
        namespace = self._source.namespace
        for part in walk(node):
            if isinstance(part, ast.For) and is_parallel(part, namespace):
                return _HAS_PARALLEL
            if isinstance(part, ast.For) and not is_counted(part, namespace) and not self._iterated(part):
                return f"line {part.lineno} is no loop over range"
            if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
                indices = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
                if any(isinstance(each, ast.Slice) for each in indices):
                    return f"line {part.lineno} assigns to a slice"
            if isinstance(part, ast.Call) and _runs_parallel_loops(resolved(part.func, namespace), frozenset()):
                return _HAS_PARALLEL
            if isinstance(part, ast.Call) and not self._is_compiled(part.func):
                return f"'{ast.unparse(part.func)}' in line {part.lineno} isn't compiled"
        if isinstance(node, ast.For | ast.While) and any(isinstance(part, ast.Return) for part in walk(node)):
            return "it returns, and the function has parallel loops" if not self._is_single(node) else ""
        return ""

    def _is_single(self, node: ast.stmt) -> bool:
        tree = self._source.tree
        return not any(is_parallel(part, self._source.namespace) for part in walk(tree) if isinstance(part, ast.For))

    def _is_compiled(self, function: ast.expr) -> bool:
        target = resolved(function, self._source.namespace)
        return (
            target is None  # an unknown name, of which the compiler tells
            or target is range
            or getattr(target, "__lanewise_range__", False)
            or hasattr(target, "__lanewise_jit__")
            or hasattr(target, "__lanewise_device__")
            or builtin(target) is not None
        )

    def _serial(self, node: ast.stmt, later: frozenset[str]) -> list[ast.stmt]:
        source = self._source
        region = serial_region(
            f"{source.name}:{node.lineno}", source.file, (node,), source.namespace, self._options, self._local, later
        )
        self._regions.append(region)
        call = self._call(region, [])
        if not region.outputs:
            return [_placed(ast.Expr(call), node)]
        result = f"{PREFIX}result"
        made: list[ast.stmt] = [_placed(ast.Assign([ast.Name(result, ast.Store())], call), node)]
        for number, name in enumerate(region.outputs):
            part = f"{result}[{number}]"
            made += [_placed(each, node) for each in ast.parse(f"if {part} is not {PREFIX}unset: {name} = {part}").body]
        return made

    def _parallel(self, node: ast.For, later: frozenset[str]) -> list[ast.stmt]:
        source = self._source
        region = parallel_region(
            f"{source.name}:{node.lineno}", source.file, node, source.namespace, self._options, self._local, later
        )
        self._regions.append(region)
        bounds = ast.Tuple([ast.Tuple(list(each), ast.Load()) for each in self._bounds(node)], ast.Load())
        call = self._call(region, [bounds], tuple(reduction.name for reduction in region.reductions))
        if not region.outputs:
            return [_placed(ast.Expr(call), node)]
        targets = ast.Tuple([ast.Name(name, ast.Store()) for name in region.outputs], ast.Store())
        return [_placed(ast.Assign([targets], call), node)]

    def _bounds(self, node: ast.For) -> list[list[ast.expr]]:
        """The arguments of the ranges of a nest, as far as they are known before it runs."""
        changed = assigned(node)
        bounds: list[list[ast.expr]] = []
        outer = loop = cast("ast.stmt", node)
        while len(bounds) < _MOST_AXES and isinstance(loop, ast.For) and is_counted(loop, self._source.namespace):
            assert isinstance(loop.iter, ast.Call)
            if bounds and reads(loop.iter.args) & changed:
                if len(bounds) == 1 and isinstance(outer, ast.For) and is_triangular(loop, outer):
                    bounds += _widest(loop, outer, self._source.namespace)
                break
            bounds.append(loop.iter.args)
            loop = loop.body[-1]
        return bounds

    def _call(self, region: PythonRegion, first: list[ast.expr], last: tuple[str, ...] = ()) -> ast.Call:
        names = [ast.Name(name, ast.Load()) for name in (*region.inputs, *last)]
        return ast.Call(ast.Name(f"{PREFIX}region_{len(self._regions) - 1}", ast.Load()), [*first, *names], [])

    # -- the driver --------------------------------------------------------------------------------------------

    def _factory(self, tree: ast.FunctionDef) -> ast.Module:
        """A module with a function that takes the regions and returns the driver."""
        tree.decorator_list, tree.returns = [], None
        arguments = tree.args
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            each.annotation = None
        arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]
        arguments.kw_defaults = [None if each is None else ast.Constant(None) for each in arguments.kw_defaults]
        names = [f"{PREFIX}region_{number}" for number in range(len(self._regions))]
        names += [f"{EXPRESSION}{number}" for number in range(len(self._expressions.found))]
        factory = ast.parse(f"def {PREFIX}factory({', '.join([*names, *_GIVEN, *self._source.free])}): pass")
        made = factory.body[0]
        assert isinstance(made, ast.FunctionDef)
        made.body = [tree, ast.Return(ast.Name(tree.name, ast.Load()))]
        return ast.fix_missing_locations(factory)


def _call_of_expression(number: int, leaves: tuple[ast.expr, ...]) -> ast.expr:
    return ast.Call(ast.Name(f"{EXPRESSION}{number}", ast.Load()), list(leaves), [])


def _as_value(index: ast.expr) -> ast.expr | None:
    """A subscript of slices and constants as an expression of its own; None for another."""
    match index:
        case ast.Slice():
            none = ast.Constant(None)
            bounds = [none if each is None else each for each in (index.lower, index.upper, index.step)]
            return ast.Call(ast.Name(f"{PREFIX}slice", ast.Load()), bounds, [])
        case ast.Tuple():
            parts = [_as_value(each) for each in index.elts]
            return None if None in parts else ast.Tuple([each for each in parts if each is not None], ast.Load())
        case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
            return index
        case _:
            return None


_HAS_PARALLEL: Final = "it has a parallel loop"


def _widest(inner: ast.For, outer: ast.For, namespace: Mapping[str, Any]) -> list[list[ast.expr]]:
    """The bounds of a triangular loop in the iteration of the outer one in which it has the most iterations; none if
    that would call functions more often than the source does."""
    assert isinstance(inner.iter, ast.Call)
    assert isinstance(outer.iter, ast.Call)
    assert isinstance(outer.target, ast.Name)
    variable = outer.target.id
    for part in (part for each in outer.iter.args for part in walk(each)):
        if isinstance(part, ast.NamedExpr) or (
            isinstance(part, ast.Call) and resolved(part.func, namespace) is not len
        ):
            return []
    index = ast.Name(f"{PREFIX}index", ast.Load())
    first = ast.Call(index, [outer.iter.args[0]], []) if len(outer.iter.args) == 2 else ast.Constant(0)
    last = ast.BinOp(ast.Call(index, [outer.iter.args[-1]], []), ast.Sub(), ast.Constant(1))
    made: list[ast.expr] = []
    for number, bound in enumerate(inner.iter.args):
        is_stop = number == len(inner.iter.args) - 1
        grows = (factor_of(bound, variable) or 0) > 0
        made.append(_Substitution(variable, last if grows == is_stop else first).visit(copied(bound)))
    return [made]


@final
class _Substitution(ast.NodeTransformer):
    """Puts an expression in place of a variable."""

    def __init__(self, variable: str, value: ast.expr) -> None:
        self._variable: Final = variable
        self._value: Final = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copied(self._value) if node.id == self._variable else node


def _runs_parallel_loops(target: object, seen: frozenset[int]) -> bool:
    """True for a function marked with `lw.jit` that has parallel loops, or calls one that has."""
    compiled = getattr(target, "__lanewise_jit__", None)
    if compiled is None or id(compiled) in seen:
        return False
    namespace: Mapping[str, Any] = compiled.namespace
    parts = [part for statement in compiled.body for part in walk(statement)]
    return any(isinstance(part, ast.For) and is_parallel(part, namespace) for part in parts) or any(
        _runs_parallel_loops(resolved(part.func, namespace), seen | {id(compiled)})
        for part in parts
        if isinstance(part, ast.Call)
    )


def parameters_of(tree: ast.FunctionDef) -> tuple[str, ...]:
    """Names of a function's parameters. UnsupportedError for `*` and `**`."""
    arguments = tree.args
    if arguments.vararg or arguments.kwarg:
        raise UnsupportedError("'*' and '**' among the parameters aren't compiled", tree)
    return tuple(each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def _placed(made: Any, node: ast.stmt) -> Any:
    for part in walk(made):
        ast.copy_location(part, node)
    return made


def _is_array(value: object) -> bool:
    return type(value).__name__ == "ndarray" and type(value).__module__ == "numpy"


def are_arrays(*values: object) -> bool:
    """True if all values are NumPy's arrays."""
    return all(_is_array(each) for each in values)


Factory = Callable[..., Callable[..., Any]]
