# SPDX-License-Identifier: Apache-2.0
"""A region as a kernel: its parameters, the code of one work-item or of a grid, and its outputs."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final, Protocol, final

from lanewise.frontend.python.bounds import FAULTS
from lanewise.frontend.python.checked_items import CheckedItems
from lanewise.frontend.python.code import PythonCode, RegionModule
from lanewise.frontend.python.numbers_in_memory import store_number
from lanewise.frontend.python.outputs import flag_offset
from lanewise.frontend.python.parallel import Grid, LoopAxis
from lanewise.frontend.python.python_types import INT, Array, Number, Tuple, Type, joined
from lanewise.frontend.python.read_only import is_only_read
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.region import RETURN, PythonRegion
from lanewise.frontend.python.statements import statements
from lanewise.frontend.python.temporaries import release_all
from lanewise.frontend.python.tiling.items import tiled_items
from lanewise.frontend.python.tiling.plan import RegisterTiling
from lanewise.frontend.python.unrolling.alignment import multiple
from lanewise.frontend.python.unrolling.shape import WIDE_BYTES, Unrolling
from lanewise.frontend.python.values import (
    ArrayValue,
    NumberValue,
    PythonObject,
    TupleValue,
    Value,
    described_type,
    numbers_in,
    numbers_of,
)
from lanewise.frontend.python.watching import WATCHED
from lanewise.frontend.python.whole_arrays import fresh_variables, is_only_updated, unshared_variables
from lanewise.frontend.python.work_items import LoopBounds, WorkItems
from lanewise.frontend.signature import Parameter
from lanewise.frontend.source_types import Kind
from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.values import Argument, int_constant
from lanewise.ir.values import Value as IrValue

_PREFIX: Final = "py_"
"""The start of symbols of kernels: a function of Python may be called `pow`, as one of the mathematical library is."""


class KernelProgram(RegionModule, Protocol):
    """The module that a kernel is made in."""

    def open_function(self, function: Function, file: str, name: str, line: int) -> None:
        """Give a function its debug information."""
        ...


@final
class RegionBuilder:
    """The kernel of a region in one attempt. `result`: the type that the region returns, if it is a whole function."""

    def __init__(
        self,
        program: KernelProgram,
        region: PythonRegion,
        inputs: Mapping[str, Type],
        types: dict[str, Type],
        grid: Grid | None,
        tiling: RegisterTiling | Unrolling | None,
        known_result: Type | None,
    ) -> None:
        """`inputs`: the types of what is passed. `types`: those of all variables, as far as they are known.
        `known_result`: the result's type as the last attempt found it."""
        self._region: Final = region
        self._inputs: Final = inputs
        self._types: Final = types
        self._grid: Final = grid
        self._tiling: Final = tiling
        self._known_result: Final = known_result
        self.result: Type | None = None
        self.symbol: Final = f"{_PREFIX}{symbol_of(region.name)}"
        self.parameters: Final[list[Parameter]] = []
        self._arguments: Final[list[Argument]] = []
        self._offset = 0
        self._result_places: Final[dict[str, Argument]] = {}
        self._function: Final = Function(
            self.symbol, ty.function(ty.VOID, ()), self._arguments, convention="ptx_kernel", suffix=attributes(region)
        )
        program.module.add(self._function)
        program.open_function(self._function, region.file, region.name, region.line)
        flagged = frozenset(region.outputs) if grid is None else frozenset[str]()
        self.code: Final = PythonCode(program, self._function, region.namespace, types, flagged)

    def build(self) -> None:
        """Make the code. UnsupportedError for what isn't compiled."""
        region, grid = self._region, self._grid
        bounds = [self._bounds(axis) for axis in grid.axes] if grid is not None else []
        chunk = self.number("iterations", INT) if region.reductions else None
        if region.options.bounds:
            self.code.faults = self.pointer(FAULTS, INT)
        if region.options.watched and grid is not None:
            self.code.watched = self.pointer(WATCHED, INT)
        self.code.unshared = unshared_variables(region.body if grid is None else grid.body)
        if grid is not None:
            self.code.updated_in_place = fresh_variables(grid.body, region.inputs)
        for name in region.inputs:
            self.code.write(name, self._input(name, self._inputs[name]))
        if region.is_kernel:
            self._explicit()
        elif grid is None:
            self._serial()
        elif isinstance(self._tiling, RegisterTiling):
            tiled_items(self.code, grid, self._tiling, bounds, self._inputs)
        elif self._tiling is not None and self._tiling.is_unrolled:
            from lanewise.frontend.python.unrolling.items import unrolled_items  # of GPUs alone

            unrolled_items(self.code, grid, self._tiling, bounds)
        else:
            self.code.shared = grid.shared
            items = WorkItems(self.code, region, grid, bounds, self._types, self.pointer, self.number)
            if self.code.watched is not None:
                items.build_one(CheckedItems(self.code, grid, bounds).build)
            else:
                items.build(chunk)
        self._function.value_type = ty.function(ty.VOID, tuple(each.type for each in self._arguments))
        release_all(self.code)
        self.code.finish()

    # -- parameters --------------------------------------------------------------------------------------------

    def _parameter(self, name: str, ctype: str, kind: Kind, ir: ty.Type, element: Number, *, const: bool) -> Argument:
        size = 8 if kind == "pointer" else element.size
        self._offset += -self._offset % size
        self.parameters.append(Parameter(name, ctype, kind, size, self._offset, element.dtype, const, element.size))
        self._offset += size
        argument = Argument(ir, f"{name.replace('.', '_')}_")
        self._arguments.append(argument)
        return argument

    def number(self, name: str, type_: Number) -> NumberValue:
        """A parameter that is a number; two for a complex one."""
        if type_.kind == "complex":
            real, imag = (self.number(f"{name}.{part}", type_.part).ir for part in ("real", "imag"))
            return NumberValue(type_, real, imag=imag)
        kind: Kind = "float" if type_.is_floating else "bool" if type_.kind == "bool" else "int"
        argument = self._parameter(name, type_.name, kind, type_.memory, type_, const=False)
        if type_.kind == "bool":
            return NumberValue(type_, self.code.compare("ne", argument, int_constant(ty.I8, 0)))
        return NumberValue(type_, argument)

    def pointer(self, name: str, element: Number, *, const: bool = False) -> Argument:
        """A parameter that is the address of numbers."""
        return self._parameter(name, f"{element.name} *", "pointer", ty.PTR, element, const=const)

    def _bounds(self, axis: LoopAxis) -> LoopBounds:
        iterations, start = (self.number(f"{axis.variable}.{part}", INT) for part in ("iterations", "start"))
        step = self.number(f"{axis.variable}.step", INT) if axis.step is None else self.code.constant(axis.step)
        return LoopBounds(iterations, start, step)

    def _input(self, name: str, type_: Type) -> Value:
        if isinstance(type_, Number):
            return self.number(name, type_)
        if isinstance(type_, Tuple):
            return TupleValue(tuple(self._input(f"{name}.{number}", item) for number, item in enumerate(type_.items)))
        const = type_.const or self._is_only_read(name, type_)
        pointer = self.pointer(name, type_.element, const=const)
        shape = tuple(self.number(f"{name}.shape.{axis}", INT) for axis in range(type_.ndim))
        strides: list[IrValue] = []
        if not type_.contiguous:
            strides = [self.number(f"{name}.stride.{axis}", INT).ir for axis in range(type_.ndim)]
        if isinstance(self._tiling, Unrolling):
            pointer.attributes += () if const else ("noalias",)
            if name in self._tiling.wide:
                pointer.attributes += (f"align {WIDE_BYTES}",)
                shape, strides = self._rounded(type_, shape, strides)
        return ArrayValue(type_, pointer, shape, self.code.strides_of(type_, shape, strides))

    def _rounded(
        self, type_: Array, shape: tuple[NumberValue, ...], strides: list[IrValue]
    ) -> tuple[tuple[NumberValue, ...], list[IrValue]]:
        """Extents and strides of an array whose rows start at multiples of WIDE_BYTES, in a form that tells LLVM so."""
        if not type_.contiguous:
            return shape, [*(multiple(self.code, each, WIDE_BYTES) for each in strides[:-1]), *strides[-1:]]
        *outer, last = shape
        if outer:
            last = NumberValue(INT, multiple(self.code, last.ir, WIDE_BYTES // type_.element.size))
        return (*outer, last), strides

    def _is_only_read(self, name: str, type_: Array) -> bool:
        if self._region.is_kernel:
            return is_only_read(self._region.body, name, type_.ndim)
        return self._grid is not None and name not in self._grid.written

    # -- one work-item -----------------------------------------------------------------------------------------

    def _explicit(self) -> None:
        """Each work-item of a launch runs the region, and asks for its place itself."""
        code = self.code
        code.return_value = _end
        statements(code, self._region.body)
        if not code.has_ended:
            code.build.ret()

    def _serial(self) -> None:
        code, region = self.code, self._region
        if region.returns:
            code.return_value = self._give_back
        statements(code, region.body)
        if not code.has_ended:
            for name in region.outputs:
                self._store_output(name)
            code.build.ret()

    def _store_output(self, name: str) -> None:
        """Store what the region leaves behind in a variable, and whether it was assigned to."""
        code, type_ = self.code, self._types.get(name)
        if type_ is None:  # not assigned to on any path that is left
            return
        if isinstance(type_, Array) and is_only_updated(self._region.body, name):  # in place
            return
        value = code.read(name)
        if not isinstance(value, NumberValue) or not isinstance(type_, Number):
            raise UnsupportedError(
                f"'{name}' is {described_type(type_)} that a compiled loop leaves behind: only numbers are"
            )
        place = self.pointer(name, type_)
        store_number(code, place, value)
        assigned = code.variables[name].assigned
        assert assigned is not None
        code.build.store(code.build.load(ty.I8, assigned, align=1), code.build.offset(place, flag_offset(type_)), 1)

    def _give_back(self, code: PythonCode, value: Value, node: ast.AST) -> None:
        """Return from a region that is a whole function."""
        if isinstance(value, ArrayValue):
            raise UnsupportedError("an array is returned from within a loop, which isn't compiled", node)
        type_, known = value.type, self._known_result
        if type_ is not None:
            after = type_ if self.result is None else joined(self.result, type_)
            if after is None:
                assert self.result is not None
                raise UnsupportedError(f"a {self.result.name} and a {type_.name} are returned", node)
            self.result = after
            if known is not None and joined(known, type_) == known:
                self._store_result(value, known)
        code.build.ret()

    def _store_result(self, value: Value, known: Type) -> None:
        code = self.code
        for number, (part, type_) in enumerate(zip(numbers_of(value), numbers_in(known), strict=True)):
            name = RETURN if isinstance(known, Number) else f"{RETURN}.{number}"
            place = self._result_places.get(name)
            if place is None:
                place = self._result_places[name] = self.pointer(name, type_)
            store_number(code, place, code.convert(part, type_))
            code.build.store(int_constant(ty.I8, 1), code.build.offset(place, flag_offset(type_)), 1)


def _end(code: PythonCode, value: Value, node: ast.AST) -> None:
    if not isinstance(value, PythonObject) or value.object is not None:
        raise UnsupportedError("a kernel returns nothing: store the result in an array", node)
    code.build.ret()


def attributes(region: PythonRegion) -> str:
    """The attributes of functions in a region's module: those of a kernel may wait for other work-items."""
    return "convergent" if region.is_kernel else ""


def symbol_of(name: str) -> str:
    """A name as a symbol of IR and PTX."""
    return "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)
