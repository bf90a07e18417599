# SPDX-License-Identifier: Apache-2.0
"""Sources of a kernel's machine code: files of the program, the cache, or a compilation.

Code is made for one local size, or for any; and for all launches, or only for those that meet assumptions
(`workgroup/launch_assumptions.py`). The files of a program are called

    cpu/KERNEL/256,1,1/small.so     machine code for this local size and small grids
    cpu/KERNEL/any/all.so           for any local size and all launches
    cpu/KERNEL/any/all.json         facts that launches need
    cpu/KERNEL/any/small-apart.so   for small grids, if written arrays overlap no others; or all-apart
    cpu/KERNEL/refused              why the CPU can't run this kernel
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from lanewise.backend.host.features import features, has_fused_multiply_add
from lanewise.cache import Cache, key
from lanewise.device.launch import Extent
from lanewise.device.program import Program
from lanewise.errors import CompileError
from lanewise.garbage import with_rare_searches
from lanewise.log import looked_up
from lanewise.workgroup.launch_assumptions import ALL, LaunchAssumptions
from lanewise.workgroup.launch_facts import LaunchFacts
from lanewise.workgroup.mapping import AUTO, Mapping, mapping_of
from lanewise.workgroup.processor import first_cache_ways

if TYPE_CHECKING:
    from lanewise.pipelines.source import Source

_OBJECT: Final = "kernel.so"
_FACTS: Final = "kernel.json"
MAPPING: Final = "mapping"
"""The option of a program that names the mapping of work-items."""


class MachineCode(NamedTuple):
    """A shared object, as a file or in memory, with the work-group function `abi.ENTRY_SYMBOL`."""

    shared_object: Path | bytes
    facts: LaunchFacts


def mapping_wanted(program: Program) -> Mapping:
    """The mapping of work-items that the program asks for. Error for one that there isn't."""
    wanted = program.options.get(MAPPING)
    return AUTO if wanted is None else mapping_of(wanted)


def brought_along(
    program: Program, kernel: str, size: Extent | None, assumptions: LaunchAssumptions
) -> MachineCode | None:
    """The program's embedded machine code for exactly this local size (None: for any) and launches that meet
    `assumptions`. None if there is none.

    CompileError if the program records that the CPU can't run the kernel.
    """
    refusal = program.files.get(refusal_name(kernel))
    if refusal is not None:
        raise CompileError(refusal.decode())
    for needed in assumptions.weaker():
        name = file_name(kernel, size, needed)
        if f"{name}.so" in program.files:
            return MachineCode(program.files[f"{name}.so"], LaunchFacts.from_json(program.files[f"{name}.json"]))
    return None


def size_of_code(program: Program, kernel: str, block: Extent) -> Extent | None:
    """The local size of the code that runs launches with `block` work-items; None: code for any. That is `block`,
    unless the program embeds code for any size and none for this one."""
    if program.files and not brought_along(program, kernel, block, ALL) and brought_along(program, kernel, None, ALL):
        return None
    return block


def machine_code(
    program: Program, kernel: str, size: Extent | None, assumptions: LaunchAssumptions, cache: Cache
) -> MachineCode:
    """The machine code: embedded in the program, from the cache, or compiled now. CompileError if the CPU can't run the
    kernel."""
    return (
        brought_along(program, kernel, size, assumptions)
        or from_cache(program, kernel, size, assumptions, cache)
        or compile_kernel(program, kernel, size, assumptions, cache)
    )


def from_cache(
    program: Program,
    kernel: str,
    size: Extent | None,
    assumptions: LaunchAssumptions,
    cache: Cache,
    mapping: Mapping | None = None,
) -> MachineCode | None:
    """The machine code that an earlier compilation left in the cache, if it is still there. `mapping`: by another one
    than the program asks for."""
    entry = entry_of_code(program, kernel, size, assumptions, mapping)
    facts = cache.get(entry, _FACTS)
    shared_object = cache.get(entry, _OBJECT)
    shown = "any size" if size is None else ",".join(map(str, size))
    looked_up(
        f"machine code of {program.kernel_name(kernel)} for a block of {shown}",
        found=None not in (facts, shared_object),
    )
    if facts is None or shared_object is None:
        return None
    try:
        return MachineCode(shared_object, LaunchFacts.from_json(facts.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


@with_rare_searches
def compile_kernel(
    program: Program,
    kernel: str,
    size: Extent | None,
    assumptions: LaunchAssumptions,
    cache: Cache,
    mapping: Mapping | None = None,
) -> MachineCode:
    """Compile `kernel` for a local size (None: for any) and launches that meet `assumptions`, and store the result in
    the cache. `mapping` as for `from_cache`. CompileError if the CPU can't run the kernel.
    """
    arguments = kernel, size, assumptions, mapping or mapping_wanted(program)
    fused = has_fused_multiply_add()
    try:
        if program.foreign:
            from lanewise.child import in_child  # most programs are not

            code = in_child(f"kernel {kernel}", shared_object_of, program.linked(fused=fused), *arguments)
        else:
            code = shared_object_of(program.reader(fused=fused), *arguments)
    except CompileError as error:  # the IR knows symbols only; the user knows names
        raise CompileError(str(error).replace(kernel, program.kernel_name(kernel), 1)) from None
    shared_object, facts = code
    entry = entry_of_code(program, kernel, size, assumptions, mapping)
    store_code(cache, entry, shared_object, facts)
    return MachineCode(shared_object, facts)


def store_code(cache: Cache, entry: str, shared_object: bytes, facts: LaunchFacts) -> None:
    """Keep machine code in the cache, where `from_cache` finds it."""
    cache.put(entry, {_OBJECT: shared_object, _FACTS: facts.to_json()})


def shared_object_of(
    source: "Source", kernel: str, size: Extent | None, assumptions: LaunchAssumptions, mapping: Mapping
) -> tuple[bytes, LaunchFacts]:
    """A shared object with the work-group function of a kernel, and its facts, made from kernel IR."""
    from lanewise.backend.host.compile import compile_shared_object  # a warm start needs none of these
    from lanewise.ir.writer import write_module
    from lanewise.pipelines.cpu import compile_for_cpu

    fused = has_fused_multiply_add()
    function = compile_for_cpu(source, kernel, size, assumptions=assumptions, fused=fused, mapping=mapping)
    return compile_shared_object(write_module(function.module)), function.facts


def file_name(kernel: str, size: Extent | None, needed: LaunchAssumptions) -> str:
    """Name of the program's files with this machine code, without the suffix."""
    shown = "any" if size is None else ",".join(map(str, size))
    return f"cpu/{kernel}/{shown}/{'small' if needed.small_grid else 'all'}{'-apart' if needed.apart else ''}"


def for_any_size(name: str) -> bool:
    """True if a program's file called `name` belongs to machine code for any local size."""
    return name.startswith("cpu/") and name.split("/")[-2] == "any"


def refusal_name(kernel: str) -> str:
    """Name of the program's file that says why the CPU can't run a kernel."""
    return f"cpu/{kernel}/refused"


def entry_of_code(
    program: Program,
    kernel: str,
    size: Extent | None,
    assumptions: LaunchAssumptions,
    mapping: Mapping | None = None,
) -> str:
    """The key of machine code in the cache; otherwise as for `from_cache`."""
    by = (mapping or mapping_wanted(program))._replace(fixed=False)
    made_for = repr((size, assumptions)), str(by), features(), str(first_cache_ways())
    return key("cpu", program.key, kernel, *made_for)
