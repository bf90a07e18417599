# SPDX-License-Identifier: Apache-2.0
"""A region as a module of kernel IR: its kernel, and the functions that this calls."""

import ast
import itertools
import linecache
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias, final

from lanewise.errors import CompileError
from lanewise.frontend.info import KernelInfo, ProgramInfo
from lanewise.frontend.python.code import CompiledFunction, Options, PythonCode, described
from lanewise.frontend.python.device_functions.group_arrays import shared_bytes
from lanewise.frontend.python.kernel import RegionBuilder, attributes, symbol_of
from lanewise.frontend.python.numbers_in_memory import load_number, store_number
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import INT, Array, Number, Tuple, Type, joined
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.region import PythonRegion
from lanewise.frontend.python.shared_elements import augmented, shared_in_function
from lanewise.frontend.python.statements import statements
from lanewise.frontend.python.temporaries import release_all
from lanewise.frontend.python.tiling.plan import RegisterTiling
from lanewise.frontend.python.unrolling.shape import Unrolling
from lanewise.frontend.python.values import (
    ArrayValue,
    NumberValue,
    PythonObject,
    TupleValue,
    Value,
    from_registers,
    numbers_in,
    numbers_of,
    part_types,
    parts,
    read_from,
    rebuilt,
)
from lanewise.frontend.python.watching import is_watch
from lanewise.frontend.python.whole_arrays import fresh_variables, unshared_variables
from lanewise.frontend.signature import Signature
from lanewise.ir import types as ty
from lanewise.ir.debug_info import LINES_WANTED, Location
from lanewise.ir.function import Function
from lanewise.ir.line_nodes import LineNodes
from lanewise.ir.module import Module
from lanewise.ir.values import Argument, poison

_HEADER: Final = (
    'target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"',
    'target triple = "nvptx64-nvidia-cuda"',
)
_MOST_ATTEMPTS: Final = 20
"""Types widen a few times at most; each attempt widens one at least."""


class TranslatedRegion(NamedTuple):
    """A module with one kernel, and its description."""

    module: Module
    info: ProgramInfo


def translate(
    region: PythonRegion, types: Mapping[str, Type], grid: Grid | None, tiling: RegisterTiling | Unrolling | None = None
) -> TranslatedRegion:
    """The kernel of a region for inputs of these types. CompileError for Python that isn't compiled."""
    return _Program(region).translated(types, grid, tiling)


_Key: TypeAlias = "tuple[int, tuple[Type | None, ...], frozenset[str]]"
"""A function that is called, the types of the arguments, and the parameters with shared elements."""


class _Made(NamedTuple):
    """A function that is called: its IR, the type of its result in this attempt, and the types that it was found to
    return so far."""

    function: Function
    result: Type | None
    found: list[Type | None]


@final
class _Program:
    """The module of one region; see `code.Program`. It is made again until the types of all variables are known."""

    def __init__(self, region: PythonRegion) -> None:
        self._region: Final = region
        self.options: Final[Options] = region.options
        self.is_kernel: Final = region.is_kernel
        self._results: Final[dict[_Key, Type]] = {}
        """Types of functions' results, as far as they are known."""
        self._locals: Final[dict[_Key, dict[str, Type]]] = {}
        """Types of functions' variables."""
        self._is_watched = False
        self._is_parallel = False
        self._has_news = False
        """A type was found that code made before needs."""
        self._restart()

    def _restart(self) -> None:
        self.module = Module()
        self.module.header += _HEADER
        self._nodes = LineNodes(self.module, self._region.file)
        self._programs: dict[str, tuple[str, str]] = {}
        self._made: dict[_Key, _Made] = {}
        self._has_news = False

    def translated(
        self, types: Mapping[str, Type], grid: Grid | None, tiling: RegisterTiling | Unrolling | None
    ) -> TranslatedRegion:
        region = self._region
        self._is_watched = region.options.watched and grid is not None
        self._is_parallel = grid is not None
        known: dict[str, Type] = dict(types)
        result: Type | None = None
        for _ in range(_MOST_ATTEMPTS):
            self._restart()
            kernel = RegionBuilder(self, region, types, known, grid, tiling, result)
            try:
                kernel.build()
            except UnsupportedError as error:
                raise self._told(error) from None
            if not kernel.code.widened and kernel.result == result and not self._has_news:
                break
            result = kernel.result
        else:
            raise self._told(UnsupportedError("the types of variables don't settle", region.body[0]))
        self.module.metadata[LINES_WANTED] = "!{}"
        signature = Signature(kernel.symbol, tuple(kernel.parameters))
        info = KernelInfo(region.name, region.name, signature, shared_bytes(self.module))
        return TranslatedRegion(self.module, ProgramInfo((info,), (), {}, ()))

    def _told(self, error: UnsupportedError) -> CompileError:
        file = error.file or self._region.file
        return error.told(file, linecache.getline(file, getattr(error.node, "lineno", 0)) or None)

    def open_function(self, function: Function, file: str, name: str, line: int) -> None:
        """Give a function its debug information."""
        node = self._nodes.program(name, Location(file, line, 0))
        function.metadata = (*function.metadata, ("!dbg", node))
        self._programs[function.symbol] = node, file

    def place(self, node: ast.AST, function: Function) -> str:
        program, file = self._programs[function.symbol]
        return self._nodes.location(Location(file, getattr(node, "lineno", 0), 0), program)

    # -- calls -------------------------------------------------------------------------------------------------

    def call(
        self,
        code: PythonCode,
        function: CompiledFunction,
        arguments: list[Value],
        shared: frozenset[str] = frozenset(),
    ) -> Value:
        unknown = next((argument for argument in arguments if isinstance(argument, PythonObject)), None)
        if unknown is not None:
            raise UnsupportedError(f"{described(unknown)} can't be passed to {function.name} in compiled code")
        key = id(function), tuple(argument.type for argument in arguments), shared
        made = self._made.get(key) or self._function(key, function)
        if made.result is None:
            result = self._results.get(key) or _joined_results(made.found, function)
            if result is not None:  # known from the next attempt on
                self._results[key] = result
                self._has_news = True
                return rebuilt(result, map(_unknown, numbers_in(result)))
        passed = [part for argument in arguments for part in parts(argument)]
        if not is_watch(function):  # whose own accesses nobody looks at
            passed += [each for each in (code.faults, code.watched) if each is not None]
        if _is_register(made.result):
            assert isinstance(made.result, Number)
            return NumberValue(made.result, code.build.call_function(made.function, passed))
        if made.result is None:
            code.build.call_function(made.function, passed)
            return PythonObject(None)
        numbers = numbers_in(made.result)
        places = [code.entry.alloca(each.memory) for each in numbers]
        code.build.call_function(made.function, [*passed, *places])
        loaded = [load_number(code, place, each) for each, place in zip(numbers, places, strict=True)]
        return rebuilt(made.result, iter(loaded))

    def _function(self, key: _Key, function: CompiledFunction) -> _Made:
        """Make the function for arguments of certain types. It returns a tuple through its last arguments."""
        types = [type_ for type_ in key[1] if type_ is not None]
        result = self._results.get(key)
        pointers = [] if result is None or _is_register(result) else [ty.PTR] * len(numbers_in(result))
        faults = [ty.PTR] if self.options.bounds and not is_watch(function) else []
        watched = [ty.PTR] if self._is_watched and not is_watch(function) else []
        parameters = (*(part for type_ in types for part in part_types(type_)), *faults, *watched, *pointers)
        returned = result.register if isinstance(result, Number) and _is_register(result) else ty.VOID
        ir = Function(
            f"{symbol_of(function.name)}.{len(self._made)}",
            ty.function(returned, parameters),
            [Argument(part) for part in parameters],
            linkage="internal",
            suffix=attributes(self._region),
        )
        self.module.add(ir)
        made = self._made[key] = _Made(ir, result, [])
        self.open_function(ir, function.file, function.name, function.body[0].lineno)
        known = self._locals.setdefault(key, dict(zip(function.parameters, types, strict=True)))
        code = PythonCode(self, ir, function.namespace, known)
        arguments = iter(ir.arguments)
        for name, type_ in zip(function.parameters, types, strict=True):
            code.write(name, _argument(type_, arguments))
        if faults:
            code.faults = next(arguments)
        if watched:
            code.watched = next(arguments)
        places = tuple(arguments)

        def give_back(code: PythonCode, value: Value, node: ast.AST) -> None:
            made.found.append(value.type)
            _return(code, value, result, places)

        code.return_value = give_back
        body = function.body
        if self._is_parallel and not is_watch(function):
            body = augmented(body)
            code.shared = shared_in_function(body, function.parameters, key[2])
            code.updated_in_place = fresh_variables(body, function.parameters)
            body = body if code.shared else function.body
        code.unshared = unshared_variables(body)
        try:
            statements(code, body)
        except UnsupportedError as error:
            error.file = error.file or function.file
            raise
        if not code.has_ended:
            _return(code, PythonObject(None), result, places)
        release_all(code)
        code.finish()
        after = _joined_results(made.found, function)
        if after is not None and after != result:
            self._results[key] = after
            self._has_news = True
        self._has_news |= code.widened
        return made


def _argument(type_: Type, arguments: Iterator[Argument]) -> Value:
    """A parameter's value, from the registers that it consists of."""
    if isinstance(type_, Number):
        return read_from(type_, arguments)
    if isinstance(type_, Tuple):
        return TupleValue(tuple(_argument(item, arguments) for item in type_.items))
    pointer = next(arguments)
    shape = tuple(NumberValue(INT, next(arguments)) for _ in range(type_.ndim))
    return ArrayValue(type_, pointer, shape, tuple(next(arguments) for _ in range(type_.ndim)))


def _return(code: PythonCode, value: Value, result: Type | None, places: tuple[Argument, ...]) -> None:
    """End a function that is called. A value that isn't of the result's type is one that the next attempt knows of."""
    if isinstance(value, NumberValue) and isinstance(result, Number) and _is_register(result):
        code.build.ret(code.convert(value, result).ir)
    elif (
        isinstance(value, TupleValue | NumberValue)
        and result is not None
        and not isinstance(result, Array)
        and not _is_register(result)
        and isinstance(value, TupleValue) == isinstance(result, Tuple)
        and len(numbers_of(value)) == len(places)
    ):
        for part, each, place in zip(numbers_of(value), numbers_in(result), places, strict=True):
            store_number(code, place, code.convert(part, each))
        code.build.ret()
    elif _is_register(result):
        code.build.unreachable()
    else:
        code.build.ret()


def _unknown(type_: Number) -> NumberValue:
    """A number of which nothing but the type is known yet."""
    return from_registers(type_, itertools.repeat(poison(type_.part.register)))


def _is_register(result: Type | None) -> bool:
    """True for results in one register; others are stored by the function."""
    return isinstance(result, Number) and result.kind != "complex"


def _joined_results(found: list[Type | None], function: CompiledFunction) -> Type | None:
    """The type of a function's result; None if it returns nothing."""
    result: Type | None = None
    for type_ in found:
        if type_ is None:
            continue
        if isinstance(type_, Number) and type_.kind == "record":
            raise UnsupportedError(f"{function.name} returns a record, which isn't compiled", function.body[0])
        if isinstance(type_, Array):
            raise UnsupportedError(f"{function.name} returns an array, which isn't compiled", function.body[0])
        both = type_ if result is None else joined(result, type_)
        if both is None:
            assert result is not None
            raise UnsupportedError(f"{function.name} returns a {result.name} and a {type_.name}", function.body[0])
        result = both
    return result
