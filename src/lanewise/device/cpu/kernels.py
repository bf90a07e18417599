# SPDX-License-Identifier: Apache-2.0
"""Machine code of one kernel at one local size: compiled or taken from the cache, and loaded."""

from __future__ import annotations

import ctypes
import json
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.backend.host.features import features
from lanewise.cache import Cache, key
from lanewise.device.base import Extent, Program
from lanewise.errors import CompileError, LaunchError
from lanewise.runtime import address_of, load
from lanewise.workgroup import abi

MAX_ARENA_BYTES: Final = 1 << 30
"""A worker's memory for one work-group: contexts, private arrays and shared memory. Beyond, a mistake is likelier
than a need."""

_OBJECT: Final = "kernel.so"
_FACTS: Final = "kernel.json"


class KernelFacts(NamedTuple):
    """What a launch must know of the machine code; bytes are of each worker, without dynamic shared memory."""

    arena_bytes: int
    shared_bytes: int
    variables: tuple[str, ...]


class LoadedKernel(NamedTuple):
    """Machine code in memory. `library` keeps it there."""

    facts: KernelFacts
    function: int
    """Address of the work-group function."""
    library: ctypes.CDLL

    def variable_table(self) -> ctypes.Array[ctypes.c_void_p]:
        """The table of the addresses of the variables that the kernel uses."""
        table = ctypes.c_void_p * len(self.facts.variables)
        return table.in_dll(self.library, abi.VARIABLES_SYMBOL)


def load_kernel(program: Program, kernel: str, block: Extent, small_grid: bool, cache: Cache) -> LoadedKernel:
    """The machine code of `kernel` for `block` work-items, from the cache where it is there.

    `small_grid`: for grids of at most 2^31 - 1 work-items along each axis, whose ids are known not to overflow.
    CompileError where the kernel does what the CPU can't; LaunchError where a work-group needs too much memory.
    """
    entry = key("cpu", program.key, kernel, repr((block, small_grid)), features())
    loaded = _from_cache(cache, entry)
    if loaded is None:
        machine_code, facts = _compile(program, kernel, block, small_grid)
        cache.put(entry, {_OBJECT: machine_code, _FACTS: json.dumps(facts).encode()})
        loaded = _load(machine_code, facts)
    arena_bytes = loaded.facts.arena_bytes
    if arena_bytes > MAX_ARENA_BYTES:
        name = program.names.get(kernel, kernel)
        raise LaunchError(
            f"kernel {name}: a block of {block[0]} x {block[1]} x {block[2]} needs {arena_bytes >> 20} MiB for its "
            f"private arrays and values across barriers; at most {MAX_ARENA_BYTES >> 20} MiB: use smaller blocks"
        )
    return loaded


def _load(machine_code: Path | bytes, facts: KernelFacts) -> LoadedKernel:
    library = load(machine_code)
    return LoadedKernel(facts, address_of(library, abi.ENTRY_SYMBOL), library)


def _from_cache(cache: Cache, entry: str) -> LoadedKernel | None:
    facts = cache.get(entry, _FACTS)
    machine_code = cache.get(entry, _OBJECT)
    if facts is None or machine_code is None:
        return None
    try:
        arena_bytes, shared_bytes, variables = json.loads(facts.read_bytes())
        return _load(machine_code, KernelFacts(arena_bytes, shared_bytes, tuple(variables)))
    except (OSError, ValueError, TypeError):
        return None


def _compile(program: Program, kernel: str, block: Extent, small_grid: bool) -> tuple[bytes, KernelFacts]:
    from lanewise.backend.host.compile import compile_shared_object  # a warm start needs none of these
    from lanewise.ir.writer import write_module
    from lanewise.pipelines.cpu import compile_for_cpu

    try:
        function = compile_for_cpu(program.text(), kernel, block, small_grid=small_grid)
        for declared in function.module.functions:
            if declared.is_declaration and not declared.symbol.startswith("llvm."):
                require_library_function(declared.symbol, kernel)
    except CompileError as error:  # the IR knows symbols only; the user knows names
        raise CompileError(str(error).replace(kernel, program.names.get(kernel, kernel), 1)) from None
    text = write_module(function.module)
    return compile_shared_object(text), KernelFacts(function.arena_bytes, function.shared_bytes, function.variables)


def require_library_function(name: str, kernel: str) -> None:
    """CompileError unless the host's C library or its maths library has `name`."""
    for library in (ctypes.CDLL(None), ctypes.CDLL("libm.so.6")):
        if hasattr(library, name):
            return
    raise CompileError(f"kernel {kernel}: calls {name}(), which is declared but defined nowhere")
