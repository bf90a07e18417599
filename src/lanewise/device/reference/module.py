# SPDX-License-Identifier: Apache-2.0
"""A module on the reference device."""

import sys
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Final, NamedTuple

from lanewise import locks
from lanewise.device.race_log import RaceLog
from lanewise.device.reference.arithmetic.operations import Operations
from lanewise.device.reference.execution import Execution, compiled
from lanewise.device.reference.memory import arguments as kernel_arguments
from lanewise.device.reference.memory.arguments import ArgumentValue, Array
from lanewise.device.reference.memory.heap import Heap
from lanewise.device.reference.memory.named_objects import NamedObjects
from lanewise.device.reference.memory.objects import Memory
from lanewise.device.reference.memory.symbols import Bytes, SymbolTable
from lanewise.device.reference.run.checked_races import CheckedRaces
from lanewise.device.reference.run.services import Services
from lanewise.device.reference.run.work_item import Triple
from lanewise.device.reference.translate.function_translator import FunctionTranslator
from lanewise.device.reference.translate.locations import Locations
from lanewise.device.reference.translate.program import ProgramBuilder, PythonProgram
from lanewise.device.reference.translate.reach import Reach
from lanewise.errors import LaunchError
from lanewise.ir.function import Function
from lanewise.ir.module import Module

DEFAULT_TURN_LIMIT: Final = 200_000_000
"""Jumps of all work-items together after which a launch counts as endless: some minutes."""


class _Prepared(NamedTuple):
    program: PythonProgram
    code: CodeType


class ReferenceModule:
    """A module whose kernels are interpreted. Its variables live as long as this object.

    `source_name` is the name of the main source file in messages. Launches of one module from several threads take
    turns."""

    def __init__(self, module: Module, source_name: str, *, turn_limit: int = DEFAULT_TURN_LIMIT) -> None:
        self._module: Final = module
        self._turn_limit: Final = turn_limit
        self._operations: Final = Operations(module.types)
        self._symbols: Final = SymbolTable(module, self._operations)
        self._locations: Final = Locations(module.metadata, source_name)
        self._heap: Final = Heap()
        self._prepared: Final[dict[tuple[str, bool], _Prepared]] = {}
        self._lock: Final = locks.reentrant_lock()  # a launch may print to something that launches

    def launch(
        self,
        kernel_symbol: str,
        grid: Triple,
        block: Triple,
        arguments: Sequence[ArgumentValue],
        dynamic_shared: int = 0,
        output: Callable[[str], object] = sys.stdout.write,
        *,
        reachable: Sequence[Array] = (),
        cooperative: bool = False,
        patience: float | None = None,
        races: RaceLog | None = None,
    ) -> None:
        """Run a kernel over a grid of work-groups, both as counts in x, y, z; return when all have ended.

        `arguments` are as `arguments.py` says; arrays are read and written in place. `dynamic_shared` is the size
        in bytes of the shared variables declared without one. `output` gets the text of each printf. `reachable`
        are arrays whose addresses the kernel finds in memory rather than among its arguments. `cooperative`: the
        work-groups may wait for one another. `patience`: seconds for which a work-item may wait in a loop while no
        memory changes; None: until the limit on turns. `races` gets the races in shared and global memory; without it,
        the first one in shared memory ends the launch.

        LaunchError for an unknown kernel, an argument that doesn't fit, and whatever a work-item does that the
        semantics forbid: with file and line, kernel, block and thread. CompileError for code that the reference
        device can't run."""
        with self._lock:
            kernel = self._kernel(kernel_symbol)
            prepared = self._prepare(kernel, notes_races=races is not None)
            bound = kernel_arguments.bind(kernel, arguments, reachable, self._operations.codecs)
            regions = [*bound.regions, *self._symbols.regions()]
            shared = self._symbols.shared_objects(dynamic_shared)
            memory = Memory(regions, shared, self._heap, has_leftovers=races is not None)
            checked = None
            if races is not None:
                named = NamedObjects(self._module, self._symbols, kernel, arguments, races.dynamic_bytes)
                checked = CheckedRaces(memory, races, named.find)
            services = Services(memory, output, self._turn_limit, is_cooperative=cooperative, checked_races=checked)
            launch = Execution(prepared.program, prepared.code, services, self._locations, kernel)
            launch.run(grid, block, bound.values, patience)

    def prepare(self, kernel_symbol: str) -> None:
        """Make the program that a launch of the kernel runs. LaunchError, CompileError as `launch`."""
        with self._lock:
            self._prepare(self._kernel(kernel_symbol))

    def variable(self, symbol: str) -> Bytes:
        """The bytes of a `__device__` or `__constant__` variable, to be read and written. KeyError if there is none."""
        return self._symbols.bytes[symbol]

    @property
    def variables(self) -> tuple[str, ...]:
        """SymbolTable of all variables that `variable` knows."""
        return tuple(self._symbols.bytes)

    def python_source(self, kernel_symbol: str) -> str:
        """The Python source of a kernel's program, for inspection and tests."""
        with self._lock:
            return self._prepare(self._kernel(kernel_symbol)).program.source

    def _kernel(self, symbol: str) -> Function:
        found = self._module.symbols.get(symbol)
        if not isinstance(found, Function) or not found.blocks:
            known = ", ".join(k.symbol for k in self._module.kernels) or "none"
            raise LaunchError(f"the module has no kernel {symbol!r}; its kernels are: {known}")
        return found

    def _prepare(self, kernel: Function, *, notes_races: bool = False) -> _Prepared:
        found = self._prepared.get((kernel.symbol, notes_races))
        if found is None:
            reach = Reach(self._module, kernel)
            builder = ProgramBuilder(
                self._module, self._operations, self._symbols, self._locations, reach, notes_races=notes_races
            )
            lines = [line for f in reach.functions for line in FunctionTranslator(builder, f).lines()]
            program = builder.build(kernel, lines)
            found = self._prepared[kernel.symbol, notes_races] = _Prepared(program, compiled(program))
        return found
