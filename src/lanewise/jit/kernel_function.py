# SPDX-License-Identifier: Apache-2.0
"""Functions marked with `lw.kernel`."""

from __future__ import annotations

import functools
import inspect
import linecache
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn, SupportsIndex, cast, final

import numpy as np

from lanewise import locks
from lanewise.device.base import Device
from lanewise.errors import Error, LaunchTypeError, hidden_by_pytest
from lanewise.frontend.given_options import DEFAULT_ARCH
from lanewise.frontend.python.bounds import FAULTS, IndexFault
from lanewise.frontend.python.code import Options, PythonCode
from lanewise.frontend.python.python_types import INT, Number, Type
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.region import PythonRegion, kernel_region
from lanewise.frontend.python.unit import PythonUnit, TypedRegion
from lanewise.frontend.python.values import Value
from lanewise.jit.annotations import checks_of, declared_numbers
from lanewise.jit.driver import FunctionSource, parameters_of
from lanewise.jit.function import source_of
from lanewise.jit.index_fault import OutOfBoundsError
from lanewise.jit.kernel_arguments import KernelPacker, argument_kind, argument_type, as_numpy
from lanewise.jit.specialised_kernel import SpecialisedKernel, inspected_kernel
from lanewise.program.arguments.geometry import Size
from lanewise.program.module import Module
from lanewise.session import session_of_this_process
from lanewise.tracebacks import trimmed, trims_traceback

if TYPE_CHECKING:
    from lanewise.frontend.signature import Signature
    from lanewise.program.profile.profile import Profile
    from lanewise.streams.stream import Stream

__tracebackhide__ = hidden_by_pytest


_MOST_BLOCKS: Final = 4


@final
class KernelFunction:
    """A function of Python that every work-item of a launch runs: the result of `lw.kernel`.

        k[grid, block](a, b, n)                  on the default device; returns when it has run
        k[grid, block, shared, stream](a, b, n)  with dynamic shared memory; in a stream
        k.launch(grid, block, (a, b, n), device=lw.device("reference"))

    Geometry and options are those of `lw.Kernel`. The kernel is compiled for the types of the arguments, when they
    first come. `k.py_func` is the function as Python has it.
    """

    def __init__(self, function: Callable[..., Any], options: Options) -> None:
        self.py_func: Final = function
        self._options: Final = options
        self._lock: Final = locks.reentrant_lock()
        self._made: Final[dict[object, SpecialisedKernel]] = {}
        self._count = -1
        """Number of parameters; -1 until the first call."""
        functools.update_wrapper(self, function)

    def __repr__(self) -> str:
        return f"<kernel {self.py_func.__qualname__} in Python>"

    # -- launches ----------------------------------------------------------------------------------------------

    def __getitem__(
        self, geometry: tuple[Size, Size] | tuple[Size, Size, int] | tuple[Size, Size, int, Stream | None]
    ) -> Callable[..., None]:
        """`k[grid, block]`: called with the arguments, it launches the kernel and waits."""
        if not isinstance(geometry, tuple) or not 2 <= len(geometry) <= 4:  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
            raise LaunchTypeError(f"kernel {self._name}: write {self._name}[grid, block](...), not [{geometry!r}](...)")
        grid, block = geometry[:2]
        shared = geometry[2] if len(geometry) > 2 else 0
        stream = geometry[3] if len(geometry) == 4 else None

        def call(*arguments: Any, **named: Any) -> None:
            try:
                self._launch(arguments, named, grid, block, shared, stream)
            except Error as error:
                raise trimmed(error) from error.__cause__

        return call

    def __call__(self, *arguments: Any, **named: Any) -> NoReturn:
        raise LaunchTypeError(
            f"kernel {self._name}: write {self._name}[grid, block](...), not {self._name}(...): a launch says how many "
            "work-groups run it, and how many work-items each has"
        )

    @trims_traceback
    def launch(
        self,
        grid: Size,
        block: Size,
        arguments: Sequence[object],
        shared: SupportsIndex = 0,
        stream: Stream | None = None,
        device: Device | str | None = None,
        timeout: float | None = None,
        cooperative: bool = False,
    ) -> None:
        """Run the kernel; see `lw.Kernel.launch`."""
        self._launch(arguments, {}, grid, block, shared, stream, device, timeout, cooperative)

    @trims_traceback
    def prepare(self, grid: Size, block: Size, arguments: Sequence[object], device: Device | str | None = None) -> None:
        """Compile all that a launch with these arguments runs, and run nothing."""
        made, given, _ = self._specialised(arguments, {})
        made.kernel.prepare(grid, block, given, device)

    @trims_traceback
    def ndrange(
        self, global_size: Size, local_size: Size | None = None, stream: Stream | None = None
    ) -> Callable[..., None]:
        """`k.ndrange(global_size, local_size)(a, b, n)`: a launch in OpenCL's terms, all in work-items."""

        def call(*arguments: Any, **named: Any) -> None:
            try:
                made, given, room = self._specialised(arguments, named)
                made.kernel.ndrange(global_size, local_size, stream=stream)(*given)
                self._check(room, stream)
            except Error as error:
                raise trimmed(error) from error.__cause__

        return call

    @trims_traceback
    def profile(
        self,
        grid: Size,
        block: Size,
        arguments: Sequence[object],
        shared: SupportsIndex = 0,
        device: Device | str | None = None,
        gpu: str | None = None,
    ) -> Profile:
        """Run the kernel once and count what a GPU would have had to do; see `lw.Kernel.profile`."""
        made, given, room = self._specialised(arguments, {})
        profile = made.kernel.profile(grid, block, given, shared, device, gpu)
        self._check(room, None)
        return profile

    def _launch(
        self,
        arguments: Sequence[Any],
        named: Mapping[str, Any],
        grid: Size,
        block: Size,
        shared: SupportsIndex = 0,
        stream: Stream | None = None,
        device: Device | str | None = None,
        timeout: float | None = None,
        cooperative: bool = False,
    ) -> None:
        made, given, room = self._specialised(arguments, named)
        made.kernel.launch(grid, block, given, shared, stream, device, timeout, cooperative)
        if len(made.blocks) < _MOST_BLOCKS and block not in made.blocks:
            made.blocks.append(block)
        if room is not None:
            self._check(room, stream)

    # -- indices out of bounds ---------------------------------------------------------------------------------

    def _check(self, room: Any, stream: Stream | None) -> None:
        """OutOfBoundsError if a launch has left a report; in a stream, when it has run."""
        if room is None:
            return
        if stream is None:
            self._raise(room)
            return
        from lanewise.streams.operations import Call  # needed by few programs

        stream.enqueue(Call("check of indices", self._raise, room))

    def _raise(self, room: Any) -> None:
        if room[0]:
            fault = IndexFault(*room.tolist())
            room[:] = 0  # a graph may run again
            raise OutOfBoundsError(
                f"{self._source.file}:{fault.line}: index {fault.position} is out of bounds for axis {fault.axis} with "
                f"size {fault.extent}"
            )

    # -- compiling ---------------------------------------------------------------------------------------------

    @trims_traceback
    def module(self, *arguments: Any, **named: Any) -> Module:
        """The module of the kernel for the types of these arguments, for `ptx()`, `ir()` and `asm()`. Its kernel takes
        of each array the address, the extents and, unless it is contiguous, the strides."""
        return self._specialised(arguments, named)[0].module

    @trims_traceback
    def inspect(self) -> str:
        """A report on what launches so far made of the kernel: types, shared memory, decisions of the CPU. Error before
        the first launch."""
        if not self._made:
            raise Error(f"{self._name} has not been launched yet, and types come from the first launch")
        return inspected_kernel(self._region, list(self._made.values()))

    def _specialised(
        self, arguments: Sequence[Any], named: Mapping[str, Any]
    ) -> tuple[SpecialisedKernel, Sequence[Any], Any]:
        """The kernel for the types of arguments, what it is launched with, and the room for a report of an index out of
        bounds, if indices are checked."""
        if named or arguments.__class__ is not tuple or len(arguments) != self._count:
            arguments = self._bound(arguments, named)
        kinds = [
            None if is_declared else argument_kind(value)
            for value, is_declared in zip(arguments, self._is_declared, strict=True)
        ]
        made = self._made.get(tuple(kinds))
        if made is None:
            made, arguments = self._compiled(arguments)
        if not self._options.bounds:
            return made, arguments, None
        room = np.zeros(len(IndexFault._fields), np.int64)
        return made, (room, *arguments), room

    def _bound(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> Sequence[Any]:
        """The values of all parameters, in order. LaunchError for arguments that don't fit."""
        if not isinstance(arguments, tuple | list):
            raise LaunchTypeError(f"kernel {self._name}: arguments must be a tuple or a list, not {arguments!r}")
        try:
            bound = inspect.signature(self.py_func).bind(*arguments, **named)
        except TypeError as error:
            shown = ", ".join(inspect.signature(self.py_func).parameters)
            raise LaunchTypeError(f"kernel {self._name}: {error}; its parameters are: {shown}") from None
        bound.apply_defaults()
        with self._lock:
            region = self._region  # which refuses "*"
            self._count = len(region.inputs)
        return tuple(bound.arguments[name] for name in region.inputs)

    def _compiled(self, given: Sequence[Any]) -> tuple[SpecialisedKernel, Sequence[Any]]:
        region, declared, checks = self._region, self._declared, self._checks
        arguments: list[Any] = []
        types: dict[str, Type] = {}
        for name, value in zip(region.inputs, given, strict=True):
            number = declared.get(name)
            if number is None:
                value = as_numpy(value, f"kernel {self._name}: argument '{name}'")
                if name in checks:
                    checks[name](value)
            arguments.append(value)
            types[name] = argument_type(value, name, self._name) if number is None else number
        kinds = tuple(None if name in declared else argument_kind(arguments[n]) for n, name in enumerate(region.inputs))
        with self._lock:
            made = self._made.get(kinds)
            if made is None:
                made = self._made[kinds] = self._made_for(region, types)
        return made, arguments

    def _made_for(self, region: PythonRegion, types: Mapping[str, Type]) -> SpecialisedKernel:
        unit = PythonUnit(TypedRegion(region, types, None), DEFAULT_ARCH)
        module = Module(unit, session_of_this_process(), {})
        leading: dict[str, Type] = {FAULTS: INT} if self._options.bounds else {}

        def packer(name: str, signature: Signature) -> KernelPacker:
            return KernelPacker(name, signature, types, leading)

        return SpecialisedKernel(module, next(iter(module)).taking(packer), types, [])

    @property
    def _name(self) -> str:
        return self.py_func.__name__

    @functools.cached_property
    def _source(self) -> FunctionSource:
        return source_of(self.py_func)

    @functools.cached_property
    def _region(self) -> PythonRegion:
        source = self._source
        try:
            parameters = parameters_of(source.tree)
        except UnsupportedError as error:
            line = linecache.getline(source.file, getattr(error.node, "lineno", 0))
            raise error.told(source.file, line or None) from None
        body = tuple(source.tree.body)
        return kernel_region(source.name, source.file, body, parameters, source.namespace, self._options)

    @functools.cached_property
    def _declared(self) -> Mapping[str, Number]:
        return declared_numbers(self.py_func)

    @functools.cached_property
    def _checks(self) -> Mapping[str, Callable[[Any], Any]]:
        return checks_of(self.py_func)

    @functools.cached_property
    def _is_declared(self) -> tuple[bool, ...]:
        """For each parameter, True if its annotation is a type of numbers."""
        return tuple(name in self._declared for name in self._region.inputs)

    # -- in compiled code --------------------------------------------------------------------------------------

    def __lanewise_device__(self, code: PythonCode, arguments: list[Value], named: dict[str | None, Value]) -> NoReturn:
        raise UnsupportedError(
            f"'{self._name}' is a kernel, which compiled code doesn't call: mark what both do with @lw.jit"
        )


def made_kernel(function: Any, options: Options) -> KernelFunction:
    """The kernel of a function. Error for all else."""
    if isinstance(function, KernelFunction):
        return function
    if hasattr(function, "py_func"):
        raise Error(f"{function!r} is marked already: a function is either a kernel or compiled by @lw.jit")
    if not hasattr(function, "__code__"):
        raise Error(f"lw.kernel marks functions, not {function!r}")
    return KernelFunction(cast("Callable[..., Any]", function), options)
