# SPDX-License-Identifier: Apache-2.0
"""The CPU device: launches work-group functions on a pool of threads."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Final, final

from lanewise.backend.host.features import features
from lanewise.cache import Cache
from lanewise.device.base import Arguments, Bytes, Extent, LaunchOptions, Program
from lanewise.device.cpu.kernels import LoadedKernel, load_kernel
from lanewise.errors import Error, LaunchError
from lanewise.runtime import SUCCESS, Failure, Outcome, Pool

if TYPE_CHECKING:
    from lanewise.device.cpu.variables import Variables

MAX_SHARED_BYTES: Final = 227 << 10
"""Static and dynamic shared memory of a work-group together: the most that any GPU gives (sm_90)."""


@final
class CpuDevice:
    """All cores of the host. Machine code is kept in `cache`; threads start at the first launch."""

    def __init__(self, cache: Cache, num_threads: int) -> None:
        self._cache: Final = cache
        self._num_threads = num_threads
        self._lock: Final = threading.Lock()
        self._pool: Pool | None = None

    @property
    def name(self) -> str:
        return "cpu"

    @property
    def description(self) -> str:
        told = dict(part.split(": ", 1) for part in features().split("; ") if ": " in part)
        return f"{told.get('model name', 'host processor')}, {self._num_threads} threads"

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

    def open(self, program: Program) -> CpuProgram:
        return CpuProgram(self, program)

    def pool(self) -> Pool:
        """The pool of threads, made at first use."""
        pool = self._pool
        if pool is None:
            with self._lock:
                pool = self._pool = self._pool or Pool(self._num_threads, self._cache)
        return pool

    def load(self, program: Program, kernel: str, block: Extent, small_grid: bool) -> LoadedKernel:
        return load_kernel(program, kernel, block, small_grid, self._cache)

    def load_variables(self, program: Program) -> Variables:
        from lanewise.device.cpu.variables import load_variables  # few kernels use any

        return load_variables(program, self._cache)


@final
class CpuProgram:
    """A program with its loaded kernels and its variables."""

    def __init__(self, device: CpuDevice, program: Program) -> None:
        self._device: Final = device
        self._program: Final = program
        self._kernels: Final[dict[tuple[str, Extent, bool], LoadedKernel]] = {}
        self._lock: Final = threading.RLock()
        self._variables: Variables | None = None

    def launch(self, kernel: str, grid: Extent, block: Extent, arguments: Arguments, options: LaunchOptions) -> None:
        shared = options.shared
        small_grid = max(grid[0] * block[0], grid[1] * block[1], grid[2] * block[2]) < 1 << 31
        loaded = self._kernels.get((kernel, block, small_grid)) or self._load(kernel, block, small_grid)
        facts = loaded.facts
        if facts.shared_bytes + shared > MAX_SHARED_BYTES:
            raise LaunchError(
                f"kernel {self._name(kernel)}: {facts.shared_bytes} bytes of static and {shared} of dynamic shared "
                f"memory are more than the {MAX_SHARED_BYTES} that a work-group may have"
            )
        outcome = self._device.pool().launch(
            loaded.function, grid, block, arguments.packed, facts.arena_bytes + shared, shared,
            options.timeout,
        )  # fmt: skip
        if outcome is not SUCCESS:
            _report(outcome, self._name(kernel))

    def reopen(self, program: Program) -> CpuProgram:
        new = CpuProgram(self._device, program)
        with self._lock:
            if self._variables is not None:
                new._variables = self._device.load_variables(program)
                new._variables.take_over(self._variables)
        return new

    def variable(self, symbol: str) -> Bytes:
        return self._all_variables().memory(symbol)

    def _load(self, kernel: str, block: Extent, small_grid: bool) -> LoadedKernel:
        """Load machine code, once, and tell it where the variables are."""
        with self._lock:
            loaded = self._kernels.get((kernel, block, small_grid))
            if loaded is None:
                loaded = self._device.load(self._program, kernel, block, small_grid)
                if loaded.facts.variables:
                    table = loaded.variable_table()
                    for index, symbol in enumerate(loaded.facts.variables):
                        table[index] = self._all_variables().address(symbol)
                self._kernels[kernel, block, small_grid] = loaded
            return loaded

    def _name(self, kernel: str) -> str:
        """What the source calls the kernel."""
        return self._program.names.get(kernel, kernel)

    def _all_variables(self) -> Variables:
        with self._lock:
            if self._variables is None:
                self._variables = self._device.load_variables(self._program)
            return self._variables


def _report(outcome: Outcome, kernel: str) -> None:
    """Pass on what a kernel printed; raise LaunchError where it failed."""
    if outcome.output:
        sys.stdout.write(outcome.output.decode(errors="replace"))
        sys.stdout.flush()
    where = f"block {_shown(outcome.block)}, thread {_shown(outcome.thread)}"
    match outcome.failure:
        case Failure.NONE:
            return
        case Failure.TRAP:
            raise LaunchError(f"kernel {kernel}: __trap() in {where}")
        case Failure.ASSERT:
            raise LaunchError(
                f"kernel {kernel}: {outcome.file}:{outcome.line}: {outcome.function}: "
                f"assertion `{outcome.message}` failed in {where}"
            )
        case Failure.OUT_OF_MEMORY:
            raise LaunchError(f"kernel {kernel}: no memory for its work-groups; use smaller blocks or fewer threads")
        case Failure.CANCELLED:
            raise LaunchError(f"kernel {kernel}: the launch was cancelled")


def _shown(extent: Extent) -> str:
    return "({}, {}, {})".format(*extent)
