# SPDX-License-Identifier: Apache-2.0
"""Code by two mappings for a native program, whose launches decide (`runtime/host/launch_trials.c`), and what they have
chosen, kept in the cache as `device/cpu/choices.py` does for Python's launches."""

from typing import Final

from lanewise.cache import Cache
from lanewise.cuda.objects.packed_ir import unpacked_ir
from lanewise.cuda.service.request import ANY_BLOCK, ChoiceRequest
from lanewise.device.cpu.choices import Choice, keep_choice, kept_choice, mapping_called, may_try
from lanewise.device.cpu.machine_code import MachineCode, compile_kernel, from_cache
from lanewise.device.launch import Extent
from lanewise.device.program import Program
from lanewise.errors import Error
from lanewise.workgroup.launch_assumptions import LaunchAssumptions
from lanewise.workgroup.mapping import LANES, LOOP, Mapping

_TRY: Final = {LOOP: 4, LANES: 8}
_CHOSEN: Final = 16
"""LW_CODE_TRY_LOOP, LW_CODE_TRY_LANES and LW_CODE_CHOSEN of `lanewise.h`."""


def code_in_cache(
    program: Program,
    kernel: str,
    size: Extent | None,
    assumptions: LaunchAssumptions,
    cache: Cache,
    mapping: Mapping | None = None,
) -> MachineCode:
    """The machine code of a kernel as a file of the cache, which it is compiled into if need be. `mapping`: by another
    one than the program asks for. Errors as `compile_kernel`, and if the cache doesn't keep it."""
    wanted = program, kernel, size, assumptions, cache, mapping
    code = from_cache(*wanted)
    if code is None:
        compile_kernel(*wanted)
        code = from_cache(*wanted)
    if code is None:
        raise Error("the cache did not keep it")
    return code


def chosen_code(
    first: MachineCode,
    program: Program,
    kernel: str,
    size: Extent | None,
    assumptions: LaunchAssumptions,
    cache: Cache,
) -> tuple[MachineCode, int]:
    """The code that launches are to run by, and its flags, where the model of costs is unsure of `first`: the code that
    earlier launches have chosen, or `first`, with a flag that asks for a trial if they have chosen nothing."""
    wanted = program, kernel, size, assumptions, cache
    choice, other = kept_choice(*wanted) if may_try(program) else None, first.facts.other_mapping
    if choice is None:
        return first, _TRY[other] if may_try(program) else 0
    chosen = from_cache(*wanted, mapping_called(other)) if choice.is_other else None
    return chosen or first, 0


def other_code(
    other: str, program: Program, kernel: str, size: Extent | None, assumptions: LaunchAssumptions, cache: Cache
) -> tuple[MachineCode, int]:
    """The code by another mapping, LANES or LOOP, and its flags, which tell whether earlier launches have chosen it.
    Error if they have chosen the usual code, or if there is none."""
    wanted = program, kernel, size, assumptions, cache
    if size is None or not may_try(program):
        raise Error("the program keeps to one mapping")
    choice = kept_choice(*wanted)
    if choice is not None and not (choice.is_other and choice.other == other):
        raise Error("earlier launches have chosen the present mapping")
    code = code_in_cache(*wanted, mapping_called(other))
    if code.facts.calls:
        raise Error("code by the other mapping calls functions by their address")
    return code, 0 if choice is None else _CHOSEN


def keep_chosen(request: ChoiceRequest, cache: Cache) -> bytes:
    """Keep what launches have chosen. The answer to the request."""
    program = unpacked_ir(request.ir, cache)
    size = None if request.block == ANY_BLOCK else request.block
    choice = Choice(request.other, request.is_other, request.usual_us, request.other_us, request.groups)
    keep_choice(program, request.kernel, size, request.assumptions, cache, choice)
    return b"kept\n"
