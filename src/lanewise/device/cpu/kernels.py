# SPDX-License-Identifier: Apache-2.0
"""Machine code of one kernel, loaded into this process and ready to be launched."""

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from lanewise.cache import Cache
from lanewise.device.cpu.machine_code import MachineCode, brought_along, compile_kernel, from_cache
from lanewise.device.cpu.tables import load_with_addresses
from lanewise.device.launch import Extent
from lanewise.device.program import Program
from lanewise.errors import CompileError, Error, LaunchError
from lanewise.log import step
from lanewise.runtime import address_of
from lanewise.workgroup.launch_assumptions import LaunchAssumptions
from lanewise.workgroup.launch_facts import LaunchFacts
from lanewise.workgroup.layout import abi

MAX_ARENA_BYTES: Final = 1 << 30
"""Limit on a worker's memory for one work-group: contexts, private arrays and shared memory. A larger size is more
likely a mistake than a need."""


class LaunchTrial(Protocol):
    """The trial of another mapping that launches of a kernel take part in: `device.cpu.trials`."""

    second: "LoadedKernel | None"
    """The other code, once it is tried."""

    @property
    def address(self) -> int:
        """The address of the core's record of the trial."""
        ...

    def look(self) -> None:
        """Go on with the trial if it is time. Called after each launch, and during long ones."""
        ...


class LoadedKernel(NamedTuple):
    """Machine code in memory. `library` keeps it there."""

    facts: LaunchFacts
    function: int
    """Address of the work-group function."""
    library: ctypes.CDLL
    shared_object: Path | bytes
    """The file or bytes that it was loaded from."""
    trial: "LaunchTrial | None" = None
    """The trial of another mapping, if there is one."""

    def at(self, block: Extent, name: str) -> "LoadedKernel":
        """The same code with the facts for a launch with `block` work-items. LaunchError if a work-group of the kernel,
        called `name`, needs too much memory."""
        items = block[0] * block[1] * block[2]
        arena_bytes = abi.arena_bytes(self.facts.arena_bytes, self.facts.item_bytes, items)
        if arena_bytes > MAX_ARENA_BYTES:
            raise LaunchError(
                f"kernel {name}: a block of {block[0]} x {block[1]} x {block[2]} needs {arena_bytes >> 20} MiB for its "
                f"private arrays and values across barriers; at most {MAX_ARENA_BYTES >> 20} MiB: use smaller blocks"
            )
        return self._replace(facts=self.facts._replace(arena_bytes=arena_bytes, item_bytes=0))


def load_kernel(
    program: Program,
    kernel: str,
    size: Extent | None,
    assumptions: LaunchAssumptions,
    cache: Cache,
    address: Callable[[str], int],
) -> LoadedKernel:
    """The machine code of `kernel` for `size` work-items (None: any local size), for launches that meet `assumptions`.
    `address` returns the address of a variable or out-of-line function. CompileError if the CPU can't run the kernel;
    Error if code embedded in the program can't be loaded here.
    """
    brought = brought_along(program, kernel, size, assumptions)
    if brought is not None:
        try:
            return load_code(brought, address)
        except OSError as error:
            name = program.kernel_name(kernel)
            raise Error(f"{program.name}: the machine code of kernel {name} can't be loaded here: {error}") from None
    cached = from_cache(program, kernel, size, assumptions, cache)
    if cached is not None:
        try:
            return load_code(cached, address)
        except OSError:
            pass  # evicted a moment ago
    compiled = compile_kernel(program, kernel, size, assumptions, cache)
    try:
        return load_code(compiled, address)
    except OSError as error:  # LLVM calls its own runtime library for types that the processor has not
        name, reason = program.kernel_name(kernel), str(error).partition(": ")[2]
        raise CompileError(f"kernel {name}: its machine code can't be loaded here: {reason}") from None


def load_code(code: MachineCode, address: Callable[[str], int]) -> LoadedKernel:
    """Load code and store the addresses of variables and out-of-line functions in its table."""
    with step("load machine code"):
        library = load_with_addresses(code.shared_object, code.facts.variables, lambda _, symbol: address(symbol))
    return LoadedKernel(code.facts, address_of(library, abi.ENTRY_SYMBOL), library, code.shared_object)
