# SPDX-License-Identifier: Apache-2.0
"""The CPU device: launches work-group functions on a pool of threads."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, final

import numpy as np

from lanewise import locks
from lanewise.backend.host.features import features, vector_bytes
from lanewise.cache import Cache
from lanewise.device.capabilities import Capabilities
from lanewise.device.cpu.extents import are_apart
from lanewise.device.cpu.kernels import LoadedKernel, load_kernel
from lanewise.device.cpu.machine_code import size_of_code
from lanewise.device.launch import Extent, Launch
from lanewise.device.memory import HostMemory, Span
from lanewise.device.program import Program
from lanewise.errors import Error, LaunchError
from lanewise.runtime import (
    CREW_BYTES,
    CREW_STACK_BYTES,
    SUCCESS,
    NativeLaunch,
    Outcome,
    Pool,
    is_core_built,
    packed_request,
)
from lanewise.workgroup.launch_assumptions import ALL, MAX_SMALL_GRID, LaunchAssumptions

if TYPE_CHECKING:
    from lanewise.device.cpu.inspection import CpuInspection
    from lanewise.device.cpu.line_table import SourceLine
    from lanewise.device.cpu.out_of_line import LoadedFunctions
    from lanewise.device.cpu.saving import CpuSaving
    from lanewise.device.cpu.trials import TrialPolicy
    from lanewise.device.cpu.variables import Variables

CAPABILITIES: Final = Capabilities()
_MOST_EXTENTS: Final = 256
"""Pairs of grid and block, over all kernels of a program, for which the code is found by one look."""
_LARGE_GRID: Final = ALL._replace(small_grid=False)


@final
class CpuDevice:
    """All cores of the host. Machine code is kept in `cache`; threads start at the first launch.

    `specialise`: kernels are compiled for the local size of each launch, otherwise once for any size. `trials`: when
    launches try another mapping; None: as `TrialPolicy` says.
    """

    def __init__(
        self, cache: Cache, num_threads: int, specialise: bool = True, trials: TrialPolicy | None = None
    ) -> None:
        self._trials: Final = trials
        self._cache: Final = cache
        self._specialise: Final = specialise
        self._num_threads = num_threads
        self._lock: Final = locks.lock()
        self._pool: Pool | None = None
        self.capabilities: Final = CAPABILITIES._replace(vector_bytes=vector_bytes() if specialise else 0)
        self.memory: Final = HostMemory(lambda nbytes, zeroed: np.asarray(self.pool().allocate(nbytes, zeroed)))

    @property
    def name(self) -> str:
        return "cpu" if self._specialise else "cpu-any-size"

    @property
    def description(self) -> str:
        told = dict(part.split(": ", 1) for part in features().split("; ") if ": " in part)
        return f"{told.get('model name', told.get('level', 'host processor'))}, {self._num_threads} threads"

    @property
    def num_threads(self) -> int:
        """Threads that run work-groups, the calling one included."""
        return self._num_threads

    def set_num_threads(self, num_threads: int) -> None:
        """Use 1 to 1024 threads for launches from now on."""
        with self._lock:
            if self._pool is not None:
                self._pool.set_num_threads(num_threads)
            elif not 1 <= num_threads <= 1024:
                raise Error(f"a device has 1 to 1024 threads, not {num_threads}")
            self._num_threads = num_threads

    def __repr__(self) -> str:
        return f"<device {self.name}: {self.description}>"

    @property
    def is_built(self) -> bool:
        return self._pool is not None or is_core_built(self._cache)

    def build(self) -> None:
        self.pool()

    def open(self, program: Program) -> CpuProgram:
        return CpuProgram(self, program)

    @property
    def inspection(self) -> CpuInspection:
        from lanewise.device.cpu.inspection import CpuInspection  # a launch needs none

        return CpuInspection(self._cache)

    @property
    def saving(self) -> CpuSaving:
        from lanewise.device.cpu.saving import CpuSaving  # nor this

        return CpuSaving(self._cache)

    def pool(self) -> Pool:
        """The pool of threads, made at first use."""
        pool = self._pool
        if pool is None:
            with self._lock:
                pool = self._pool = self._pool or Pool(self._num_threads, self._cache)
        return pool

    def local_size(self, program: Program, kernel: str, block: Extent) -> Extent | None:
        """The local size of the code that runs a launch with `block` work-items; None: code for any."""
        return size_of_code(program, kernel, block) if self._specialise else None

    def load(
        self,
        program: Program,
        kernel: str,
        size: Extent | None,
        assumptions: LaunchAssumptions,
        address: Callable[[str], int],
    ) -> LoadedKernel:
        return load_kernel(program, kernel, size, assumptions, self._cache, address)

    def code_to_launch(
        self,
        first: LoadedKernel,
        program: Program,
        kernel: str,
        size: Extent | None,
        assumptions: LaunchAssumptions,
        address: Callable[[str], int],
    ) -> LoadedKernel:
        """See `device.cpu.trials`."""
        if not first.facts.other_mapping:
            return first
        from lanewise.device.cpu import trials  # few kernels leave a choice

        tried = trials.TriedKernel(program, kernel, size, assumptions, self._cache)
        return trials.code_to_launch(first, tried, self._trials or trials.USUAL, self.pool, address)

    def load_out_of_line(self, program: Program, variable: Callable[[str], int]) -> LoadedFunctions:
        from lanewise.device.cpu.out_of_line import load_out_of_line  # few programs have any

        return load_out_of_line(program, self._cache, variable)

    def load_variables(self, program: Program) -> Variables:
        from lanewise.device.cpu.variables import load_variables  # few kernels use any

        return load_variables(program, self._cache)


@final
class CpuProgram:
    """A program with its loaded kernels and its variables."""

    def __init__(self, device: CpuDevice, program: Program) -> None:
        self.device: Final = device
        self._program: Final = program
        self._kernels: Final[dict[tuple[str, Extent, LaunchAssumptions], LoadedKernel]] = {}
        self._by_extents: Final[dict[tuple[str, Extent, Extent], LoadedKernel]] = {}
        self._code: Final[dict[tuple[str, Extent | None, LaunchAssumptions], LoadedKernel]] = {}
        self._requests: Final[dict[tuple[str, Extent, Extent, int], tuple[LoadedKernel, bytes]]] = {}
        self._lock: Final = locks.reentrant_lock()
        self._variables: Variables | None = None
        self._out_of_line: LoadedFunctions | None = None

    def prepare(self, launch: Launch) -> None:
        self._loaded_for(launch)

    def shared_bytes(self, launch: Launch) -> int:
        """Static shared memory of a work-group."""
        return self._loaded_for(launch).facts.shared_bytes

    def launch(self, launch: Launch, place: Callable[[int], str] | None = None) -> None:
        """`place` describes addresses that are far from the arguments' arrays, for messages."""
        shared = launch.dynamic_bytes
        loaded = self._loaded_for(launch)
        facts = loaded.facts
        if facts.shared_bytes + shared > CAPABILITIES.max_shared_bytes:
            raise LaunchError(
                f"kernel {self._name(launch.kernel)}: {facts.shared_bytes} bytes of static and {shared} of dynamic "
                f"shared memory are more than the {CAPABILITIES.max_shared_bytes} that a work-group may have"
            )
        if launch.cooperative:
            self._check_crew(launch, facts.arena_bytes + shared)
        trial = loaded.trial
        taking_part = (0, None) if trial is None else (trial.address, trial.look)
        outcome = self.device.pool().launch(
            loaded.function, launch.grid, launch.block, launch.arguments.packed(), facts.arena_bytes + shared, shared,
            launch.timeout, launch.cooperative, facts.flush_denormals, *taking_part,
        )  # fmt: skip
        if trial is not None:
            trial.look()
        if outcome is not SUCCESS:
            self._report(outcome, loaded, launch, place)

    def native(self, launch: Launch) -> NativeLaunch | None:
        """The launch for a queue of a stream; None unless its code is loaded and it breaks no rule."""
        shared = launch.dynamic_bytes
        key = launch.kernel, launch.grid, launch.block, shared
        loaded, request = self._requests.get(key) or (None, b"")
        arguments = launch.arguments.packed()
        if loaded is None:
            loaded = self._by_extents.get(key[:3])
            if loaded is None or loaded.facts.shared_bytes + shared > CAPABILITIES.max_shared_bytes:
                return None
            request = packed_request(
                loaded.function, launch.grid, launch.block, len(arguments), loaded.facts.arena_bytes + shared, shared,
                loaded.facts.flush_denormals, trial=0 if loaded.trial is None else loaded.trial.address,
            )  # fmt: skip
            if len(self._requests) < _MOST_EXTENTS:
                self._requests[key] = loaded, request
        if loaded.trial is not None:
            loaded.trial.look()
        apart = loaded.facts.apart
        if launch.cooperative or (apart and not are_apart(launch.arguments.arrays, apart)):
            return None
        finish = functools.partial(self._finish, loaded, launch)
        return NativeLaunch(self.device.pool().core, request, arguments, finish, tuple(apart))

    def _finish(self, loaded: LoadedKernel, launch: Launch, number: int) -> None:
        """Wait for a launch that a queue has begun, unless its number is 0, and go on with its trial."""
        trial = loaded.trial
        if trial is not None:
            trial.look()
        if not number:
            return
        outcome = self.device.pool().finish(number, launch.timeout, None if trial is None else trial.look)
        if outcome is not SUCCESS:
            self._report(outcome, loaded, launch, None)

    def _report(
        self, outcome: Outcome, loaded: LoadedKernel, launch: Launch, place: Callable[[int], str] | None
    ) -> None:
        from lanewise.device.cpu.report import report  # few launches fail or print

        line = self._source_line(outcome, loaded) if outcome.instruction else None
        report(outcome, self._name(launch.kernel), launch, line, place)

    def _source_line(self, outcome: Outcome, loaded: LoadedKernel) -> SourceLine | None:
        """The place in the source where the launch failed."""
        from lanewise.device.cpu.source_line import Code, source_line

        codes = [Code(loaded.function, loaded.shared_object)]
        if loaded.trial is not None and (second := loaded.trial.second) is not None:
            codes.append(Code(second.function, second.shared_object))
        if self._out_of_line is not None:
            functions = self._out_of_line
            codes += [Code(address, functions.shared_object) for address in functions.addresses.values()][:1]
        return source_line(outcome.instruction, outcome.caller, codes)

    def _check_crew(self, launch: Launch, arena_bytes: int) -> None:
        """LaunchError if the work-groups of a cooperative launch can't all be resident at the same time."""
        x, y, z = launch.grid
        groups, each = x * y * z, CREW_STACK_BYTES + arena_bytes
        if groups * each > CREW_BYTES:
            raise LaunchError(
                f"kernel {self._name(launch.kernel)}: the {groups} work-groups of a cooperative launch are there at "
                f"once, each with {CREW_STACK_BYTES >> 10} KiB of stack and {arena_bytes} bytes of its own: at most "
                f"{CREW_BYTES // each} fit {CREW_BYTES >> 20} MiB"
            )

    def reopen(self, program: Program) -> CpuProgram:
        new = CpuProgram(self.device, program)
        with self._lock:
            if self._variables is not None:
                variables = new._variables = self.device.load_variables(program)
                variables.take_over(self._variables)
                if variables.function_pointers:
                    older: Mapping[str, int] = self._out_of_line.addresses if self._out_of_line is not None else {}
                    variables.fill_in(new._functions().addresses, older)
        return new

    def variable(self, symbol: str) -> Span:
        return self._all_variables().span(symbol)

    def _loaded_for(self, launch: Launch) -> LoadedKernel:
        """The machine code compiled with the most assumptions that this launch satisfies."""
        kernel, grid, block = launch.kernel, launch.grid, launch.block
        loaded = self._by_extents.get((kernel, grid, block))
        if loaded is None:
            loaded = self._loaded(kernel, block, _assumptions(grid, block))
            if len(self._by_extents) < _MOST_EXTENTS:
                self._by_extents[kernel, grid, block] = loaded
        apart = loaded.facts.apart
        if apart and not are_apart(launch.arguments.arrays, apart):
            return self._loaded(kernel, block, _assumptions(grid, block)._replace(apart=False))
        return loaded

    def _loaded(self, kernel: str, block: Extent, assumptions: LaunchAssumptions) -> LoadedKernel:
        """Machine code, loaded once."""
        loaded = self._kernels.get((kernel, block, assumptions))
        if loaded is not None:
            return loaded
        with self._lock:
            loaded = self._kernels.get((kernel, block, assumptions))
            if loaded is None:
                size = self.device.local_size(self._program, kernel, block)
                code = self._code.get((kernel, size, assumptions))
                if code is None:
                    code = self.device.load(self._program, kernel, size, assumptions, self._address)
                    if code.facts.calls:
                        self._functions().require(code.facts.calls, self._name(kernel))
                    code = self.device.code_to_launch(code, self._program, kernel, size, assumptions, self._address)
                    self._code[kernel, size, assumptions] = code
                loaded = self._kernels[kernel, block, assumptions] = code.at(block, self._name(kernel))
            return loaded

    def _address(self, symbol: str) -> int:
        """Address of a variable or of an out-of-line function."""
        variables = self._all_variables()
        return variables.address(symbol) if symbol in variables else self._functions().addresses[symbol]

    def _name(self, kernel: str) -> str:
        """The kernel's name in the source."""
        return self._program.kernel_name(kernel)

    def _all_variables(self) -> Variables:
        with self._lock:
            variables = self._variables
            if variables is None:
                variables = self._variables = self.device.load_variables(self._program)
                if variables.function_pointers:
                    variables.fill_in(self._functions().addresses)
            return variables

    def _functions(self) -> LoadedFunctions:
        """The functions that kernels call rather than contain, loaded once."""
        with self._lock:
            if self._out_of_line is None:
                load = self.device.load_out_of_line
                self._out_of_line = load(self._program, lambda v: self._all_variables().address(v))
            return self._out_of_line


def _assumptions(grid: Extent, block: Extent) -> LaunchAssumptions:
    """The most that a launch of these extents satisfies, if arrays that are written overlap no others."""
    work_items = max(grid[0] * block[0], grid[1] * block[1], grid[2] * block[2])
    return ALL if work_items < 1 << 31 and max(grid[1], grid[2]) <= MAX_SMALL_GRID else _LARGE_GRID
