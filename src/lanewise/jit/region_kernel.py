# SPDX-License-Identifier: Apache-2.0
"""Launches regions: one kernel for the types of a call's values, made at the first such call."""

import struct
from collections.abc import Callable, Mapping
from math import prod
from typing import Any, Final, NamedTuple, cast, final

import numpy as np

from lanewise.device.launch import Arguments, Extent, Launch, Parameters
from lanewise.errors import LaunchError
from lanewise.frontend.given_options import DEFAULT_ARCH
from lanewise.frontend.python.bounds import FAULTS, IndexFault
from lanewise.frontend.python.parallel import Grid, grid_of
from lanewise.frontend.python.python_types import Array, Number, Type
from lanewise.frontend.python.region import RETURN, PythonRegion
from lanewise.frontend.python.unit import PythonUnit, TypedRegion
from lanewise.frontend.signature import Parameter
from lanewise.jit.arguments import address_of, append, as_python, kind_of, number_named, type_of
from lanewise.jit.geometry import extents, reduced_extents
from lanewise.program.module import Module
from lanewise.session import Session
from lanewise.streams.default_stream import in_default_stream

UNSET: Final = object()
"""An output that the region assigned nothing to."""

_FORMATS: Final = {
    "|b1": "?", "<i1": "b", "<i2": "h", "<i4": "i", "<i8": "q", "<u1": "B", "<u2": "H", "<u4": "I", "<u8": "Q",
    "<f2": "e", "<f4": "f", "<f8": "d",
}  # fmt: skip
_OUTPUT_BYTES: Final = 16
"""Room of an output: the value, and at 8 whether it has one."""
_FOLDS: Final[dict[str, Any]] = {
    "+": np.add, "*": np.multiply, "min": np.fmin, "max": np.fmax, "and": np.logical_and, "or": np.logical_or,
    "&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor,
}  # fmt: skip
_MOST_GEOMETRIES: Final = 4096
_ONE: Final[Extent] = (1, 1, 1)


class OutOfBoundsError(LaunchError, IndexError):
    """An index out of bounds in a compiled loop: Python's IndexError, too."""


class Made(NamedTuple):
    """A region's kernel for certain types. `types`: those of the inputs."""

    module: Module
    symbol: str
    passed: Parameters
    types: Mapping[str, Type]
    grid: Grid | None
    written: tuple[int, ...]
    """Numbers of the input arrays that the kernel writes to."""
    results: tuple[tuple[str, Number], ...]
    """Names and types of outputs, in order."""
    geometries: dict[tuple[int, ...], tuple[Extent, Extent, int]]
    """Grid, block and chunk by the numbers of iterations, for the first few."""


@final
class RegionKernel:
    """A region as the driver calls it: with the bounds of its loops, if it is parallel, its inputs, and the values that
    its reductions start with."""

    def __init__(self, region: PythonRegion, session: Callable[[], Session]) -> None:
        self.region: Final = region
        self._session: Final = session
        self._made: Final[dict[object, Made]] = {}
        self._narrow: Final[dict[object, Made]] = {}
        """Kernels for arrays that overlap: only loops over prange are parallel."""

    @property
    def made(self) -> tuple[Made, ...]:
        """The kernels compiled so far."""
        return (*self._made.values(), *self._narrow.values())

    def __call__(self, *arguments: Any) -> Any:
        if self.region.loop is None:
            made = self._kernel(arguments)
            return self._run(made, arguments)
        bounds, *inputs = arguments
        return self._run_grid(bounds, tuple(inputs))

    # -- compiling ---------------------------------------------------------------------------------------------

    def _kernel(self, inputs: tuple[Any, ...], *, apart: bool = True) -> Made:
        known = self._made if apart else self._narrow
        kinds = tuple([kind_of(value) for value in inputs])
        made = known.get(kinds)
        if made is None:
            made = known[kinds] = self._compiled(inputs, widen=apart)
        return made

    def _compiled(self, inputs: tuple[Any, ...], *, widen: bool) -> Made:
        region = self.region
        names = (*region.inputs, *(reduction.name for reduction in region.reductions))
        types = {name: type_of(value, name, region.name) for name, value in zip(names, inputs, strict=True)}
        grid = None if region.loop is None else grid_of(region, types, widen=widen)
        by_loop = grid is None or grid.is_by_row
        unit = PythonUnit(TypedRegion(region, types, grid), DEFAULT_ARCH)
        module = Module(unit, self._session(), {"mapping": "loop"} if by_loop else {})
        kernel = next(iter(module))
        arrays = [name for name in region.inputs if isinstance(types[name], Array)]
        written = tuple(number for number, name in enumerate(arrays) if grid is not None and name in grid.written)
        return Made(
            module, kernel.symbol, _passing(kernel.params), types, grid, written, _results(region, kernel.params), {}
        )

    # -- running -----------------------------------------------------------------------------------------------

    def _run(self, made: Made, inputs: tuple[Any, ...]) -> Any:
        values: list[Any] = []
        arrays: list[Any] = []
        faults = self._faults(values, arrays)
        for value in inputs:
            append(value, values, arrays)
        room = np.zeros((len(made.results), _OUTPUT_BYTES), np.uint8)
        for place in room:
            values.append(address_of(place))
            arrays.append(place)
        _launch(made, _ONE, _ONE, values, arrays)
        self._raise(faults)
        found: dict[str, Any] = {}
        for place, (name, type_) in zip(room, made.results, strict=True):
            if place[8]:
                found[name] = as_python(place[: type_.size].view(type_.dtype)[0], type_)
        if not self.region.returns:
            return [found.get(name, UNSET) for name in self.region.outputs]
        if RETURN in found or not found:
            return found.get(RETURN)
        return tuple(found.values())

    def _run_grid(self, bounds: tuple[tuple[Any, ...], ...], inputs: tuple[Any, ...]) -> Any:
        region = self.region
        made = self._kernel(inputs)
        grid = made.grid
        assert grid is not None
        if grid.has_found and not _are_apart(made, inputs):
            made = self._kernel(inputs, apart=False)
            grid = made.grid
            assert grid is not None
        values: list[Any] = []
        counts: list[int] = []
        for axis, each in zip(grid.axes, bounds, strict=False):
            steps = range(*each)
            counts.append(len(steps))
            values += (len(steps), steps.start) if axis.step is not None else (len(steps), steps.start, steps.step)
        count = len(region.inputs)
        if 0 in counts:
            return inputs[count:]
        groups, block, chunk = self._geometry(made, grid, tuple(counts))
        if region.reductions:
            values.append(chunk)
        arrays: list[Any] = [None] * len(values)
        faults = self._faults(values, arrays)
        for value in inputs[:count]:
            append(value, values, arrays)
        partial = [np.empty(prod(groups) * prod(block), type_.dtype) for _, type_ in made.results]
        for part in partial:
            values.append(address_of(part))
            arrays.append(part)
        _launch(made, groups, block, values, arrays)
        self._raise(faults)
        results: list[Any] = []
        for reduction, part, (_, type_), start in zip(
            region.reductions, partial, made.results, inputs[count:], strict=True
        ):
            fold = _FOLDS[reduction.operation]
            total = fold(part.dtype.type(start), part.dtype.type(fold.reduce(part)))
            results.append(as_python(part.dtype.type(total), type_))
        return results

    def _geometry(self, made: Made, grid: Grid, counts: tuple[int, ...]) -> tuple[Extent, Extent, int]:
        """Grid, block and chunk for so many iterations per loop."""
        found = made.geometries.get(counts)
        if found is None:
            if self.region.reductions:
                (groups, block), chunk = reduced_extents(counts, grid)
                found = groups, block, chunk
            else:
                found = *extents(counts, grid, self.region.name), 0
            if len(made.geometries) < _MOST_GEOMETRIES:
                made.geometries[counts] = found
        return found

    def _faults(self, values: list[Any], arrays: list[Any]) -> Any:
        """Room for the report of an index out of bounds, which is passed; None if indices aren't checked."""
        if not self.region.options.bounds:
            return None
        room = np.zeros(len(IndexFault._fields), np.int64)
        values.append(address_of(room))
        arrays.append(room)
        return room

    def _raise(self, faults: Any) -> None:
        """OutOfBoundsError if there is a report."""
        if faults is not None and faults[0]:
            fault = IndexFault(*faults.tolist())
            raise OutOfBoundsError(
                f"{self.region.file}:{fault.line}: index {fault.position} is out of bounds for axis {fault.axis} "
                f"with size {fault.extent}"
            )


def _launch(made: Made, grid: Extent, block: Extent, values: list[Any], arrays: list[Any]) -> None:
    launch = Launch(made.symbol, grid, block, Arguments(tuple(values), tuple(arrays), made.passed))
    try:
        in_default_stream(made.module.opened(None).launch, launch)
    except struct.error:  # a number of Python's that is no integer of 64 bits
        name, value = next(
            pair for pair in zip(made.passed.names, values, strict=True) if isinstance(pair[1], int) and pair[1] >> 63
        )
        raise LaunchError(f"{next(iter(made.module)).name}: '{name}' is {value}, which doesn't fit 64 bits") from None


def _passing(parameters: tuple[Parameter, ...]) -> Parameters:
    """The layout in which a launch packs the arguments."""
    formats = ["Q" if each.kind == "pointer" else _FORMATS[str(each.layout)] for each in parameters]
    return Parameters(
        tuple(each.name for each in parameters),
        tuple(each.kind == "pointer" and each.const for each in parameters),
        struct.Struct("@" + "".join(formats)),
    )


def _results(region: PythonRegion, parameters: tuple[Parameter, ...]) -> tuple[tuple[str, Number], ...]:
    """The outputs among the parameters: those for which no value is passed."""
    inputs = set(region.inputs)
    return tuple(
        (each.name, number_named(each.ctype.removesuffix(" *"), str(each.layout)))
        for each in parameters
        if each.kind == "pointer"
        and each.name != FAULTS
        and each.name.partition(".")[0] not in inputs - set(region.outputs)
    )


def _are_apart(made: Made, inputs: tuple[Any, ...]) -> bool:
    """True if no array that is written to overlaps another one."""
    arrays: list[Any] = [cast("Any", value) for value in inputs if isinstance(value, np.ndarray)]
    return not any(
        other != number and np.may_share_memory(arrays[number], array)
        for number in made.written
        for other, array in enumerate(arrays)
    )
