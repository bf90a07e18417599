# SPDX-License-Identifier: Apache-2.0
"""Contents of a saved module for the CPU: machine code of its kernels, its variables, and requirements on the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, final

from lanewise.backend.host.features import architecture, instruction_sets
from lanewise.cache import Cache
from lanewise.device.cpu.machine_code import (
    MachineCode,
    file_name,
    for_any_size,
    machine_code,
    refusal_name,
)
from lanewise.device.cpu.out_of_line import FACTS, OBJECT, facts_json, out_of_line_code
from lanewise.device.cpu.out_of_line import facts_from_json as out_of_line_facts_from_json
from lanewise.device.cpu.variables import load_variables
from lanewise.device.launch import Extent
from lanewise.device.program import Program
from lanewise.device.variable_images import IMAGES_FILE, images_from_json, images_json
from lanewise.errors import CompileError, Error
from lanewise.workgroup.launch_assumptions import ALL, LaunchAssumptions
from lanewise.workgroup.launch_facts import LaunchFacts
from lanewise.workgroup.layout import abi

ARCHITECTURE: Final = "architecture"
INSTRUCTION_SETS: Final = "instruction sets"
INTERFACE: Final = "interface of the runtime"
SERVICES: Final = "services of the runtime"
"""Keys of `requirements`. Services are only ever appended, so the place of the last one determines their number."""


@final
class CpuSaving:
    """See `device.base.Saving`."""

    def __init__(self, cache: Cache) -> None:
        self._cache: Final = cache

    def files(self, program: Program, sizes: Mapping[str, Sequence[Extent | None]]) -> dict[str, bytes]:
        return files_of(program, sizes, self._cache)

    def requirements(self) -> dict[str, Any]:
        return requirements()

    def check(self, file: str, needs: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
        check_requirements(file, needs)
        check_files(files)

    def is_general(self, name: str) -> bool:
        return for_any_size(name)


def requirements() -> dict[str, Any]:
    """Requirements on a machine that is to run code made on this one."""
    return {
        ARCHITECTURE: architecture(),
        INSTRUCTION_SETS: sorted(instruction_sets()),
        INTERFACE: abi.VERSION,
        SERVICES: _last_service(),
    }


def check_requirements(file: str, needs: Mapping[str, Any]) -> None:
    """Raise Error if this machine can't run the code in `file`. The message says what is needed and what is there."""
    if needs[ARCHITECTURE] != architecture():
        raise Error(f"{file} holds code for {needs[ARCHITECTURE]} processors; this host is {architecture()}")
    missing = sorted(set(needs[INSTRUCTION_SETS]) - instruction_sets())
    if missing:
        raise Error(
            f"{file} needs a processor with {', '.join(missing)}, which this host has not; it has "
            f"{', '.join(sorted(instruction_sets()))}. Save the module on a machine like this one"
        )
    if needs[INTERFACE] != abi.VERSION or needs[SERVICES] > _last_service():
        raise Error(
            f"{file} holds code for version {needs[INTERFACE]}.{needs[SERVICES]} of the runtime core's interface; this "
            f"Lanewise has {abi.VERSION}.{_last_service()}. Save the module with this version of Lanewise"
        )


def check_files(files: Mapping[str, bytes]) -> None:
    """Raise ValueError, TypeError or KeyError unless this version of Lanewise can read the facts in the files."""
    for name, data in files.items():
        if name == IMAGES_FILE:
            images_from_json(data)
        elif name == f"cpu/{FACTS}":
            out_of_line_facts_from_json(data)
        elif name.startswith("cpu/") and name.endswith(".json"):
            LaunchFacts.from_json(data)


def files_of(program: Program, sizes: Mapping[str, Sequence[Extent | None]], cache: Cache) -> dict[str, bytes]:
    """Machine code for the local sizes (None: any) of each kernel, by symbol, as files to embed in the program. The
    other files that launches need are included. Kernels that the CPU can't run are recorded with the reason. Error if
    code must be compiled and the program has no IR."""
    files: dict[str, bytes] = {}
    facts: list[LaunchFacts] = []
    for kernel, wanted in sizes.items():
        made: dict[str, bytes] = {}
        try:
            for size in wanted:
                for code in _variants(program, kernel, size, cache):
                    name = file_name(kernel, size, code.facts.assumptions)
                    made[f"{name}.so"] = _content(code.shared_object)
                    made[f"{name}.json"] = code.facts.to_json()
                    facts.append(code.facts)
        except CompileError as error:
            made = {refusal_name(kernel): str(error).encode()}
        files |= made
    files[IMAGES_FILE] = images_json(program)
    if _reaches_functions(program, facts, cache):
        out_of_line = out_of_line_code(program, cache)
        files |= {f"cpu/{OBJECT}": _content(out_of_line.shared_object), f"cpu/{FACTS}": facts_json(out_of_line.facts)}
    return files


def _variants(program: Program, kernel: str, size: Extent | None, cache: Cache) -> list[MachineCode]:
    """Machine code for all launches, one piece per set of assumptions that it needs."""
    found: dict[LaunchAssumptions, MachineCode] = {}
    work = [ALL]
    while work:
        code = machine_code(program, kernel, size, work.pop(), cache)
        needed = code.facts.assumptions
        if needed not in found:
            found[needed] = code
            work += [needed._replace(apart=False)] if needed.apart else []
            work += [needed._replace(small_grid=False)] if needed.small_grid else []
    return list(found.values())


def _reaches_functions(program: Program, facts: Sequence[LaunchFacts], cache: Cache) -> bool:
    """True if kernels call, or variables point to, functions that are not part of the kernels' code."""
    variables = load_variables(program, cache)
    return bool(variables.function_pointers) or any(
        of.calls or any(symbol not in variables for symbol in of.variables) for of in facts
    )


def _last_service() -> int:
    """Place of the last service that code of this version may call."""
    return max(place for name, place in vars(abi).items() if name.startswith("SERVICE_"))


def _content(shared_object: Path | bytes) -> bytes:
    return shared_object if isinstance(shared_object, bytes) else shared_object.read_bytes()
