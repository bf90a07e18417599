# SPDX-License-Identifier: Apache-2.0
"""Functions marked with `lw.jit`."""

from __future__ import annotations

import ast
import functools
import inspect
import operator
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, cast, final

from lanewise import locks
from lanewise.errors import CompileError, Error
from lanewise.frontend.python.code import Options
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.jit.annotations import checks_of
from lanewise.jit.driver import PREFIX, FunctionSource, SplitFunction, are_arrays, parameters_of, split
from lanewise.jit.function_lines import parsed_function
from lanewise.toolchain import has_compiler

if TYPE_CHECKING:
    from lanewise.jit.fused import FusedExpression
    from lanewise.jit.region_kernel import RegionKernel
    from lanewise.program.profile.profile import Profile
    from lanewise.transfer.plan import Transfers


class CompiledParts:
    """A function's split, its regions and its expressions of whole arrays, in order."""

    __slots__ = ("expressions", "regions", "split")

    def __init__(
        self, split: SplitFunction, regions: Sequence[RegionKernel], expressions: Sequence[FusedExpression]
    ) -> None:
        self.split: Final = split
        self.regions: Final = regions
        self.expressions: Final = expressions


@final
class JitFunction:
    """A function of Python whose loops run compiled: the result of `lw.jit`.

    `f(...)` runs it. `f.py_func` is the function as Python has it.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        options: Options,
        *,
        fallback: bool = False,
        transfers: Transfers = "auto",
        gpu: bool = False,
    ) -> None:
        self.py_func: Final = function
        self.options: Final = options
        self._fallback: Final = fallback
        self._transfers: Final[Transfers] = transfers
        self._gpu: Final = gpu
        self._lock: Final = locks.reentrant_lock()
        self._driver: Callable[..., Any] | None = None
        self._split: SplitFunction | None = None
        self._regions: list[RegionKernel] = []
        self._expressions: list[FusedExpression] = []
        functools.update_wrapper(self, function)

    def __repr__(self) -> str:
        return f"<compiled function {self.py_func.__qualname__}>"

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        driver = self._driver
        if driver is None:
            driver = self._made()
        return driver(*arguments, **named)

    def for_gpu(self) -> JitFunction:
        """The same function, whose loops run on the first GPU, if there is one that can run them."""
        return JitFunction(self.py_func, self.options, fallback=self._fallback, transfers=self._transfers, gpu=True)

    def inspect(self) -> str:
        """A report on what calls so far made of the function: regions, types, axes, reductions, decisions of the CPU,
        and why Python runs the other loops. Error before the first call."""
        if self._split is None:
            raise Error(f"{self.py_func.__name__} has not been called yet, and types come from the first call")
        from lanewise.jit.inspection import facts_of, inspected

        facts = facts_of([(each, each.made) for each in self._regions], self._expressions, self._split.interpreted)
        return inspected(self.py_func.__name__, self._source.file, facts, len(self._regions))

    def profile(self, *arguments: Any, **named: Any) -> tuple[Profile, ...]:
        """Call the function, and count what a GPU would have had to do for each launch of its loops, in order; see
        `Kernel.profile`. The chosen device must be "cpu" or a simulated GPU."""
        made: list[Profile] = []
        kernels = [each for each in self.parts().regions if each.profiles is None]
        for each in kernels:
            each.profiles = made
        try:
            self(*arguments, **named)
        finally:
            for each in kernels:
                each.profiles = None
        return tuple(made)

    def parts(self) -> CompiledParts:
        """The parts that are compiled. CompileError for Python that isn't, also with `fallback`."""
        with self._lock:
            if self._split is None:
                self._driver = self._compiled()
            assert self._split is not None
            return CompiledParts(self._split, self._regions, self._expressions)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    @property
    def __lanewise_jit__(self) -> _Callee:
        """The function as compiled code calls it."""
        return self._callee

    @functools.cached_property
    def _callee(self) -> _Callee:
        return _Callee(self._source, defaults_of(self.py_func))

    @functools.cached_property
    def _source(self) -> FunctionSource:
        return source_of(self.py_func)

    def _made(self) -> Callable[..., Any]:
        with self._lock:
            if self._driver is None:
                try:
                    self._driver = self.py_func if self._is_left_to_python() else self._compiled()
                except CompileError:
                    if not self._fallback:
                        raise
                    self._driver = self.py_func
            return self._driver

    def _is_left_to_python(self) -> bool:
        """True, with a warning, if the module was built ahead of time without this function, and nothing here can
        compile it."""
        if has_compiler():
            return False
        from lanewise.jit.built import built_beside  # rare

        file, name = inspect.getsourcefile(self.py_func) or "", self.py_func.__qualname__
        built = built_beside(file)
        if built is None or name not in built.others:
            return False
        import warnings

        place = f"{file}:{self.py_func.__code__.co_firstlineno}"
        why = f"it wasn't built ahead of time ({built.others[name]}), and there is no compiler"
        warnings.warn(f"{place}: Python runs '{name}': {why}", RuntimeWarning, stacklevel=4)
        return True

    def _compiled(self) -> Callable[..., Any]:
        from lanewise.jit.region_kernel import UNSET, RegionKernel
        from lanewise.session import session_of_this_process

        source, checks = self._source, checks_of(self.py_func)
        try:
            self._split = made = split(source, self.options, checks)
        except UnsupportedError as error:
            line = getattr(error.node, "lineno", 0)
            import linecache

            raise error.told(source.file, linecache.getline(source.file, line) or None) from None
        kernels = [
            RegionKernel(region, session_of_this_process, self._transfers, gpu=self._gpu) for region in made.regions
        ]
        namespace = source.namespace
        expressions: list[FusedExpression] = []
        if made.expressions:
            from lanewise.jit.fused import FusedExpression  # many functions have none

            expressions += [
                FusedExpression(each, namespace, self.options, session_of_this_process, self._transfers)
                for each in made.expressions
            ]
        code = compile(made.factory, source.file, "exec", dont_inherit=True)
        local: dict[str, Any] = {}
        exec(code, self.py_func.__globals__, local)
        free = [source.namespace.get(name) for name in source.free]
        driver: FunctionType = local[f"{PREFIX}factory"](
            *kernels, *expressions, UNSET, checks, slice, operator.index, are_arrays, *free
        )
        given = cast("FunctionType", self.py_func)
        driver.__defaults__, driver.__kwdefaults__ = given.__defaults__, given.__kwdefaults__
        driver.__qualname__ = given.__qualname__  # the name in Python's own errors
        self._regions, self._expressions = kernels, expressions
        return driver


@final
class _Callee:
    """A function as calls of it in compiled code see it; see `translate.CompiledFunction`."""

    def __init__(self, source: FunctionSource, defaults: dict[str, Any]) -> None:
        self.defaults: Final = defaults
        self.name: Final = source.name
        self.file: Final = source.file
        self.parameters: Final = parameters_of(source.tree)
        self.namespace: Final = source.namespace
        self.body: Final = tuple(source.tree.body)


def defaults_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The values of parameters that a call needn't give."""
    parameters = inspect.signature(function).parameters.values()
    return {each.name: each.default for each in parameters if each.default is not each.empty}


def source_of(function: Callable[..., Any]) -> FunctionSource:
    """The syntax tree of a function and what its names mean. Error for a function without source."""
    try:
        tree, first = parsed_function(function)
        file = inspect.getsourcefile(function) or "<source>"
    except (OSError, TypeError):
        raise Error(
            f"lw.jit needs the source of {getattr(function, '__name__', function)!r}: write it into a file"
        ) from None
    if not isinstance(tree, ast.FunctionDef):
        raise Error(f"lw.jit compiles functions that are written with def, not {function!r}")
    ast.increment_lineno(tree, first - 1)
    closure = inspect.getclosurevars(function)
    namespace = {**function.__globals__, **closure.nonlocals}
    return FunctionSource(function.__name__, file, tree, namespace, function.__code__.co_freevars)
