# SPDX-License-Identifier: Apache-2.0
"""Launches regions: one kernel for the types of a call's values, made at the first such call."""

import functools
import struct
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from math import prod
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast, final

import numpy as np

from lanewise.device.base import Device, NativeProgram
from lanewise.device.launch import Arguments, Extent, Launch
from lanewise.errors import CompileError, Error, LaunchError
from lanewise.frontend.given_options import DEFAULT_ARCH
from lanewise.frontend.python.bounds import IndexFault
from lanewise.frontend.python.conflicts import conflicts_of
from lanewise.frontend.python.outputs import flag_offset
from lanewise.frontend.python.parallel import Grid, grid_of, has_triangle, written_in
from lanewise.frontend.python.python_types import Array, Type
from lanewise.frontend.python.region import RETURN, PythonRegion
from lanewise.frontend.python.tiling.plan import RegisterTiling, Untiled, tiling_of
from lanewise.frontend.python.unit import PythonUnit, TypedRegion
from lanewise.frontend.python.unrolling.shape import Unrolling
from lanewise.jit import array_reductions
from lanewise.jit.arguments import append, append_address, as_python, kind_of, type_of
from lanewise.jit.built import built_beside, forms_for, without_compiler
from lanewise.jit.conflict_check import WatchedArrays, arrays_by_name, raise_proven
from lanewise.jit.direct import DirectCalls, places_of_arrays, plan_of
from lanewise.jit.geometry import (
    copied_extents,
    extents,
    is_tiled,
    reduced_extents,
    tiled_extents,
    unrolled_extents,
)
from lanewise.jit.index_fault import raise_fault
from lanewise.jit.item_registers import NO_REGISTERS, ItemRegisters
from lanewise.jit.kernel_parameters import passing_of, results_of
from lanewise.jit.made_kernel import Made, Tiling
from lanewise.jit.overlap import are_apart, has_arrays_in_tuples
from lanewise.jit.residence import has_buffers, residence_of
from lanewise.program.module import Module
from lanewise.program.selection import chosen_device, on
from lanewise.runtime.direct_call import MISSED, DirectPlan
from lanewise.runtime.native_launch import NativeLaunch
from lanewise.session import Session
from lanewise.streams.default_stream import in_default_stream
from lanewise.toolchain import has_compiler

UNSET: Final = object()
"""An output that the region assigned nothing to."""

_OUTPUT_BYTES: Final = 24
"""Room of an output: the value, and after it whether it has one (`flag_offset`)."""
_MOST_GEOMETRIES: Final = 4096
_NOT_TILED: Final = Untiled("")
_BUILT: Final = Untiled("it was built ahead of time")
_ONE: Final[Extent] = (1, 1, 1)


if TYPE_CHECKING:
    from lanewise.jit.places import DevicePlace
    from lanewise.jit.transfers import RegionTransfers
    from lanewise.program.profile.profile import Profile
    from lanewise.transfer.plan import Transfers


class _Packed(NamedTuple):
    """A call as it is launched."""

    launch: Launch
    counts: tuple[int, ...]
    """Numbers of iterations of the loops of a grid."""
    chunk: int
    faults: Any
    room: Sequence[Any]
    """Memory of the results."""
    private: tuple[array_reductions.PrivateCopies, ...] = ()
    watched: WatchedArrays | None = None


@final
class RegionKernel:
    """A region as the driver calls it: with the bounds of its loops, if it is parallel, its inputs, and the values that
    its reductions start with."""

    def __init__(
        self,
        region: PythonRegion,
        session: Callable[[], Session],
        transfers: "Transfers" = "auto",
        *,
        gpu: bool = False,
    ) -> None:
        self.region: Final = region
        self._session: Final = session
        self._chosen: Final[Transfers] = transfers
        self.transfers: Final[dict[Module, RegionTransfers]] = {}
        """The transfers of calls on devices with memory of their own, by the kernel of the host's arrays."""
        self._made: Final[dict[object, Made]] = {}
        self._narrow: Final[dict[object, Made]] = {}
        """Kernels for arrays that overlap: only loops over prange are parallel."""
        self.profiles: list[Profile] | None = None
        """Profiles of launches, while they are taken."""
        self._wants_gpu = gpu
        """Calls run on the first GPU, as long as it takes the kernels."""
        self._direct: Callable[..., Any] | None = None
        """The function in C for calls with the types of the last one."""

    @property
    def made(self) -> tuple[Made, ...]:
        """The kernels compiled so far."""
        return tuple({id(made): made for made in (*self._made.values(), *self._narrow.values())}.values())

    def __call__(self, *arguments: Any) -> Any:
        direct = self._direct
        if direct is not None and chosen_device() is None and self.profiles is None:
            result = in_default_stream(direct, *arguments)
            if result is not MISSED:
                return result
        if has_buffers(arguments):
            return self._with_buffers(arguments)
        if self._wants_gpu and chosen_device() is None:
            gpu = self._first_gpu()
            try:
                with nullcontext() if gpu is None else on(gpu):
                    return self._on_chosen_device(arguments, {})
            except CompileError:  # before the launch
                if gpu is None:
                    raise
                self._wants_gpu = False
        return self._on_chosen_device(arguments, {})

    def _with_buffers(self, arguments: tuple[Any, ...]) -> Any:
        """A call on the device that has its buffers."""
        first = 0 if self.region.loop is None else 1
        if has_buffers(arguments[first + len(self.region.inputs) :]):
            return array_reductions.added_up_in_buffers(self, self.region, arguments)
        inputs, residence = residence_of(self.region.name, self.region.inputs, arguments[first:])
        arrays = (*arguments[:first], *inputs)
        if residence.device is None:
            return self(*arrays)
        with on(residence.device):
            return self._on_chosen_device(arrays, residence.places)

    def _on_chosen_device(self, arguments: tuple[Any, ...], there: "Mapping[str, DevicePlace]") -> Any:
        """`there`: the arrays that are in the device's own memory."""
        if self.region.loop is None:
            return self._run(arguments, there)
        return array_reductions.outputs_of(self.region, self._run_grid(arguments, there))

    def _first_gpu(self) -> Device | None:
        """The first GPU; without one, later calls don't ask again."""
        try:
            return self._session().device("cuda")
        except Error:
            self._wants_gpu = False
            return None

    # -- compiling ---------------------------------------------------------------------------------------------

    def _kernel(
        self,
        inputs: tuple[Any, ...],
        *,
        apart: bool = True,
        strided: frozenset[tuple[str, bool]] = frozenset(),
        registers: ItemRegisters = NO_REGISTERS,
    ) -> Made:
        """The kernel for inputs like these. `strided`: arrays with strides of their own on a device, and whether their
        rows are dense there. `registers`: those for which the nest is tiled or unrolled, if it can be."""
        known = self._made if apart else self._narrow
        kinds = (strided, *[kind_of(value) for value in inputs])
        made = known.get((registers, kinds))
        if made is None:
            made = self._compiled(inputs, strided, widen=apart, registers=registers)
            if registers != NO_REGISTERS and isinstance(made.tiling, Untiled):
                made = known.setdefault((NO_REGISTERS, kinds), made)
            known[registers, kinds] = made
        return made

    def _compiled(
        self, inputs: tuple[Any, ...], strided: frozenset[tuple[str, bool]], *, widen: bool, registers: ItemRegisters
    ) -> Made:
        region = self.region
        names = (*region.inputs, *(reduction.name for reduction in region.reductions))
        types = {name: type_of(value, name, region.name) for name, value in zip(names, inputs, strict=True)}
        for name, dense in strided:
            of = types[name]
            assert isinstance(of, Array)
            types[name] = of._replace(contiguous=False, dense=dense)
        array_reductions.normalised(region, types)
        built = self._built(types, widen=widen)
        return built or self.compiled_for(types, widen=widen, registers=registers)

    def _built(self, types: Mapping[str, Type], *, widen: bool) -> Made | None:
        """The kernel for these types that was built ahead of time; None if there is none."""
        built = built_beside(self.region.file)
        if built is None:
            return None
        grid = self._grid(types, widen=widen)
        written = written_in(self.region, types) if grid is None else grid.written
        forms = forms_for(types, written)
        digests = [PythonUnit(TypedRegion(self.region, form, grid), DEFAULT_ARCH).portable_digest for form in forms]
        found = built.module(digests, self._session())
        return None if found is None else self._made_of(found[1], forms[found[0]], grid, _BUILT)

    def compiled_for(
        self, types: Mapping[str, Type], *, widen: bool = True, registers: ItemRegisters = NO_REGISTERS
    ) -> Made:
        """The kernel for inputs of these types, those that reductions start with included. `widen`: see `grid_of`.
        `registers`: see `_kernel`.
        CompileError for Python that isn't compiled, and without a compiler."""
        region, grid = self.region, self._grid(types, widen=widen)
        if not has_compiler():
            raise without_compiler(region, types, grid)
        tiling = _NOT_TILED
        if grid is not None and registers.vector_bytes:
            triangular = grid_of(region, types, widen=widen, triangular=True) if has_triangle(region) else grid
            tiling = tiling_of(region, triangular, types, registers.vector_bytes)
            if isinstance(tiling, RegisterTiling):
                grid = triangular
        elif grid is not None and registers.offer is not None:
            from lanewise.frontend.python.unrolling.plan import unrolling_of  # of GPUs alone

            triangular = grid_of(region, types, widen=widen, triangular=True) if has_triangle(region) else grid
            is_triangle = len(triangular.axes) > len(grid.axes)
            tiling = unrolling_of(region, triangular, types, registers.offer, triangular=is_triangle)
            if isinstance(tiling, Unrolling) and tiling.triangular:
                grid = triangular
        chosen = None if isinstance(tiling, Untiled) else tiling
        by_loop = grid is None or region.options.watched or (grid.runs_in_turn and chosen is None)
        unit = PythonUnit(TypedRegion(region, types, grid, chosen), DEFAULT_ARCH)
        module = Module(unit, self._session(), {"mapping": "loop"} if by_loop else {})
        return self._made_of(module, types, grid, tiling)

    def _grid(self, types: Mapping[str, Type], *, widen: bool) -> Grid | None:
        return None if self.region.loop is None else grid_of(self.region, types, widen=widen)

    def _made_of(self, module: Module, types: Mapping[str, Type], grid: Grid | None, tiling: Tiling) -> Made:
        region = self.region
        kernel = next(iter(module))
        arrays = [name for name in region.inputs if isinstance(types[name], Array)]
        written = tuple(number for number, name in enumerate(arrays) if grid is not None and name in grid.written)
        copied = [] if grid is None else sorted(grid.copied)
        passed, results = passing_of(kernel.params), results_of(region, kernel.params, [*arrays, *copied])
        conflicts = () if grid is None else conflicts_of(region, grid, types)
        return Made(module, kernel.symbol, passed, types, grid, written, results, tiling, {}, DirectCalls(), conflicts)

    # -- running -----------------------------------------------------------------------------------------------

    def _run(self, arguments: tuple[Any, ...], there: "Mapping[str, DevicePlace]") -> Any:
        made = self._kernel(arguments)
        packed = self._packed(made, arguments, there)
        self._launch(made, packed, arguments)
        found: dict[str, Any] = {}
        for place, (name, type_) in zip(packed.room, made.results, strict=True):
            if place[flag_offset(type_)]:
                found[name] = as_python(place[: type_.size].view(type_.dtype)[0], type_)
        if not self.region.returns:
            return [found.get(name, UNSET) for name in self.region.outputs]
        if RETURN in found or not found:
            return found.get(RETURN)
        return tuple(found.values())

    def _packed(self, made: Made, inputs: tuple[Any, ...], places: "Mapping[str, DevicePlace]") -> _Packed:
        values: list[Any] = []
        arrays: list[Any] = []
        faults = self._faults(values, arrays)
        for name, value in zip(self.region.inputs, inputs, strict=True):
            append(value, made.types[name], values, arrays, places.get(name))
        room = np.zeros((len(made.results), _OUTPUT_BYTES), np.uint8)
        for place in room:
            append_address(place, values, arrays)
        return _Packed(_launch_of(made, _ONE, _ONE, values, arrays), (), 0, faults, list(room))

    def _run_grid(self, arguments: tuple[Any, ...], there: "Mapping[str, DevicePlace]") -> Any:
        inputs = arguments[1:]
        array_reductions.check_arrays(self.region, inputs[len(self.region.inputs) :])
        if self.region.options.watched:
            return self._run_watched(arguments, there)
        made = self._kernel_for(arguments[0], inputs)
        grid = made.grid
        assert grid is not None
        apart = not grid.has_found or are_apart(made.written, inputs)
        if not apart:
            made = self._kernel_for(arguments[0], inputs, apart=False)
        raise_proven(made.conflicts, arguments[0])
        device = made.module.opened(None).device
        if device.capabilities.own_memory and not self.region.options.bounds and not has_arrays_in_tuples(made.types):
            return self._run_in_tiles(made, device, arguments, there, apart=apart)
        return self._run_packed(made, arguments, there)

    def _run_watched(self, arguments: tuple[Any, ...], there: "Mapping[str, DevicePlace]") -> Any:
        """A call on the CPU, one iteration after the other. ConflictError for iterations that conflict."""
        if there:
            raise LaunchError(
                f"{self.region.name}: parallel_check=True looks at arrays in the host's memory, and "
                f"'{next(iter(there))}' is on a device: pass a copy of it (copy_to_host)"
            )
        with on(self._session().device("cpu")):
            made = self._kernel(arguments[1:], apart=False)
            raise_proven(made.conflicts, arguments[0])
            return self._run_packed(made, arguments, {})

    def _kernel_for(self, bounds: Sequence[tuple[int, ...]], inputs: tuple[Any, ...], *, apart: bool = True) -> Made:
        """The kernel for a call on the chosen device: a tiled one if that has vectors, and there are iterations for
        it."""
        if self.region.options.tiling in ("auto", "rows") and len(bounds) > 1:
            session = self._session()
            device = chosen_device() or session.device(session.default_device)
            registers = ItemRegisters(device.capabilities.vector_bytes)
            made = self._kernel(inputs, apart=apart, registers=registers)
            assert made.grid is not None
            counts = tuple(len(range(*each)) for each in bounds)
            if not isinstance(made.tiling, RegisterTiling) or is_tiled(counts, made.grid, made.tiling):
                return made
        return self._kernel(inputs, apart=apart)

    def _run_packed(self, made: Made, arguments: tuple[Any, ...], places: "Mapping[str, DevicePlace]") -> Any:
        """The values of reductions after a launch."""
        starts = arguments[1 + len(self.region.inputs) :]
        packed = self._packed_grid(made, arguments, places)
        if packed is None:
            return starts
        self._launch(made, packed, arguments)
        if packed.watched is not None and made.grid is not None:
            packed.watched.raise_conflict(self.region.file, made.grid, arguments[0])
        return array_reductions.values_of(self.region, starts, packed.private, made.results, packed.room)

    def _run_in_tiles(
        self,
        made: Made,
        device: Device,
        arguments: tuple[Any, ...],
        there: "Mapping[str, DevicePlace]",
        *,
        apart: bool,
    ) -> Any:
        """A call on a device with memory of its own. Reductions go from one tile to the next."""
        from lanewise.jit.tile_kernels import CallOnDevice, kernel_of_tile  # few calls need it
        from lanewise.jit.tile_runs import run_tiles
        from lanewise.jit.transfers import RegionTransfers

        region, grid = self.region, made.grid
        assert grid is not None
        inputs = dict(zip(region.inputs, arguments[1:], strict=False))
        axes = [range(*each) for _, each in zip(grid.axes, arguments[0], strict=False)]
        if not all(axes):
            return arguments[1 + len(inputs) :]
        transfers = self.transfers.get(made.module)
        if transfers is None:
            transfers = self.transfers[made.module] = RegionTransfers(region, grid, made.types, self._chosen)
        starts = arguments[1 + len(inputs) :]
        reserved = array_reductions.reserved_bytes(region, starts, len(axes[0]))
        tiling = transfers.tiles(device, axes, inputs, there, reserved)
        call = CallOnDevice(region, device, arguments[0], inputs, there, are_apart(made.written, arguments[1:]))
        make = functools.partial(self._kernel, arguments[1:], apart=apart)
        kernels = [kernel_of_tile(call, each, make) for each in tiling.tiles]
        for kernel in kernels:
            kernel.module.opened(None)  # what can't be compiled is said before any tile has run

        def run(number: int, places: "dict[str, DevicePlace]") -> None:
            nonlocal starts
            bounds = tuple((axis.start, axis.stop, axis.step) for axis in tiling.tiles[number].axes)
            bounds += arguments[0][len(bounds) :]
            starts = self._run_packed(kernels[number], (bounds, *inputs.values(), *starts), places)

        run_tiles(device, tiling, inputs, there, run)
        return starts

    def _packed_grid(
        self, made: Made, arguments: tuple[Any, ...], places: "Mapping[str, DevicePlace]"
    ) -> _Packed | None:
        """The launch of a grid; None for a loop without iterations. `places`: arrays on a device."""
        bounds, *inputs = arguments
        starts = inputs[len(self.region.inputs) :]
        grid = made.grid
        assert grid is not None
        values: list[Any] = []
        counts: list[int] = []
        for axis, each in zip(grid.axes, bounds, strict=False):
            steps = range(*each)
            counts.append(len(steps))
            values += (len(steps), steps.start) if axis.step is not None else (len(steps), steps.start, steps.step)
        if 0 in counts:
            return None
        groups, block, chunk = self._geometry(made, grid, tuple(counts), starts)
        if self.region.reductions:
            values.append(chunk)
        arrays: list[Any] = [None] * len(values)
        faults = self._faults(values, arrays)
        watched = None
        if self.region.options.watched:
            watched = WatchedArrays(arrays_by_name(self.region.inputs, inputs))
            append_address(watched.words, values, arrays)
        for name, value in zip(self.region.inputs, inputs, strict=False):
            append(value, made.types[name], values, arrays, places.get(name))
        private = array_reductions.private_copies(self.region, made.types, starts, groups[0]) if grid.copied else ()
        for each in private:
            append_address(each.copies, values, arrays)
            values += each.copies.shape[1:]
            arrays += [None] * (each.copies.ndim - 1)
        partial = [np.empty(prod(groups) * prod(block), type_.dtype) for _, type_ in made.results]
        for part in partial:
            append_address(part, values, arrays)
        launch = _launch_of(made, groups, block, values, arrays)
        return _Packed(launch, tuple(counts), chunk, faults, partial, private, watched)

    def _launch(self, made: Made, packed: _Packed, arguments: tuple[Any, ...]) -> None:
        launch = packed.launch
        program = made.module.opened(None)
        if self.profiles is not None:
            self.profiles.append(next(iter(made.module)).profile_packed(launch, program.device))
            raise_fault(self.region.file, packed.faults)
            return
        try:
            in_default_stream(program.launch, launch)
        except struct.error:  # a number of Python's that is no integer of 64 bits
            pairs = zip(made.passed.names, launch.arguments.values, strict=True)
            name, value = next(pair for pair in pairs if isinstance(pair[1], int) and pair[1] >> 63)
            raise LaunchError(
                f"{next(iter(made.module)).name}: '{name}' is {value}, which doesn't fit 64 bits"
            ) from None
        raise_fault(self.region.file, packed.faults)
        if chosen_device() is None and hasattr(program, "native") and made.direct.is_wanted():
            native = cast("NativeProgram", program).native(launch)
            if native is not None:
                self._learn(made, packed, native, arguments)

    def _learn(self, made: Made, packed: _Packed, native: NativeLaunch, arguments: tuple[Any, ...]) -> None:
        """Let C make calls like this one from now on."""
        inputs = arguments if made.grid is None else arguments[1:]

        def finish(number: int, *given: Any) -> None:
            self._finish(made, number, given)

        def plan() -> DirectPlan | None:
            apart = set(native.apart)
            if made.grid is not None and made.grid.has_found:
                apart |= places_of_arrays(packed.launch.arguments.arrays, made.written)
            return plan_of(
                self.region, made.grid, made.passed.packing, made.results, frozenset(apart), inputs, UNSET, finish,
                made.types,
            )  # fmt: skip

        self._direct = made.direct.learn(plan, packed.counts, packed.chunk, native, self._session().cache)

    def _finish(self, made: Made, number: int, arguments: tuple[Any, ...]) -> None:
        """Wait for a launch of C's that isn't done at once, or look at the trial that it took part in."""
        packed = (self._packed if made.grid is None else self._packed_grid)(made, arguments, {})
        assert packed is not None
        native = cast("NativeProgram", made.module.opened(None)).native(packed.launch)
        assert native is not None
        native.finish(number)

    def _geometry(
        self, made: Made, grid: Grid, counts: tuple[int, ...], starts: Sequence[Any]
    ) -> tuple[Extent, Extent, int]:
        """Grid, block and chunk for so many iterations per loop, and values that reductions start with."""
        if grid.copied and not self.region.options.watched:
            (groups, block), chunk = copied_extents(counts[0], array_reductions.check_arrays(self.region, starts))
            return groups, block, chunk
        found = made.geometries.get(counts)
        if found is None:
            if self.region.options.watched:
                found = _ONE, _ONE, 1
            elif self.region.reductions:
                (groups, block), chunk = reduced_extents(counts, grid)
                found = groups, block, chunk
            elif isinstance(made.tiling, RegisterTiling):
                found = *tiled_extents(counts, grid, made.tiling), 0
            elif isinstance(made.tiling, Unrolling):
                found = *unrolled_extents(counts, grid, made.tiling, self.region.name), 0
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
        append_address(room, values, arrays)
        return room


def _launch_of(made: Made, grid: Extent, block: Extent, values: list[Any], arrays: list[Any]) -> Launch:
    return Launch(made.symbol, grid, block, Arguments(tuple(values), tuple(arrays), made.passed))
