# SPDX-License-Identifier: Apache-2.0
"""Says of a name that isn't known which version or extension of OpenCL C has it, and what to do.

Clang refuses the names of a later version than the one asked for, and of extensions, as undeclared identifiers. Others
it declares though no library defines them: these are refused after linking.

Source: The OpenCL C 2.0 Specification, 6.13; The OpenCL C Specification 3.0, 6.15; the extensions by their prefixes.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.errors import CompileError
from lanewise.ir.debug_info import DebugInfo
from lanewise.ir.module import Module

_HERE: Final = re.compile(
    r"get_enqueued_local_size|get_(?:global|local)_linear_id|work_group_barrier|ctz|memory_scope\w*|memory_order\w*"
    r"|work_group_(?:all|any|broadcast|(?:reduce|scan_inclusive|scan_exclusive)_\w+)"
    r"|atomic_(?:init|(?:load|store|exchange|compare_exchange_\w+|fetch_\w+?|flag_\w+?)(?:_explicit)?|work_item_fence)"
    r"|atomic_(?:u?int|u?long|float|double|flag|(?:u?int|size|ptrdiff)(?:ptr)?_t)|ATOMIC_\w+"
    r"|to_(?:global|local|private)|get_fence"
).fullmatch
"""Names of OpenCL C 2.0 that Lanewise has."""

_LATER: Final = re.compile(
    r"(?:work_group_|sub_group_)?(?:reserve_|commit_)?(?:read|write)_pipe|get_pipe_\w+|is_valid_reserve_id|reserve_id_t"
    r"|enqueue_(?:kernel|marker)|get_kernel_\w+|get_default_queue|ndrange_[123]D|ndrange_t|queue_t|clk_event_t"
    r"|(?:retain|release|is_valid)_event|create_user_event|set_user_event_status|capture_event_profiling_info"
).fullmatch
"""Names of OpenCL C 2.0 that Lanewise doesn't have."""

_EXTENSIONS: Final = (
    (re.compile(r"intel_\w+"), "one of Intel's extensions (cl_intel_...)"),
    (re.compile(r"qcom_\w+"), "one of Qualcomm's extensions (cl_qcom_...)"),
    (re.compile(r"amd_\w+"), "one of AMD's extensions (cl_amd_...)"),
    (re.compile(r"arm_\w+"), "one of Arm's extensions (cl_arm_...)"),
)

_UNKNOWN: Final = re.compile(r"(?:use of undeclared identifier|unknown type name) '(\w+)'")
_NO_OVERLOAD: Final = re.compile(r"no matching function for call to '(\w+)'")
_DEMOTABLE: Final = re.compile(r"error: .*\[-W(?!error)([\w-]+)\]$")
_PIPE: Final = re.compile(
    r"access qualifier can only be used for pipe and image type|support the 'pipe' type qualifier"
)
_OVERLOADED: Final = re.compile(r"_Z(\d+)(\w+)").fullmatch


def explained(error: CompileError) -> CompileError:
    """The error, with notes on names that other versions and extensions of OpenCL C have."""
    notes = tuple(dict.fromkeys(note for diagnostic in error.diagnostics if (note := _note(diagnostic))))
    if not notes:
        return error
    return CompileError("\n".join((str(error), *notes)), (*error.diagnostics, *notes))


def require_built_in_functions(module: Module, file: str) -> None:
    """CompileError if a linked module still calls a built-in function that no library has."""
    for function in module.functions:
        if not function.is_declaration or (mangled := _OVERLOADED(function.symbol)) is None:
            continue
        note = _of_name(mangled[2][: int(mangled[1])])
        if note is None or not function.users:
            continue
        location = DebugInfo(module.metadata).location(next(iter(function.users)).metadata_of("!dbg") or "")
        where = f"{file}:{location.line}:{location.column}" if location is not None else file
        raise CompileError(f"{where}: error: {note.removeprefix('note: ')}")


def _note(diagnostic: str) -> str | None:
    if match := _UNKNOWN.search(diagnostic):
        return _of_name(match[1])
    if (match := _NO_OVERLOAD.search(diagnostic)) and _LATER(match[1]):
        return _of_name(match[1])
    if _PIPE.search(diagnostic):
        return "note: Lanewise has no pipes of OpenCL C yet"
    if match := _DEMOTABLE.search(diagnostic):
        return f"note: the option -Wno-error={match[1]} makes this a warning"
    return None


def _of_name(name: str) -> str | None:
    if _HERE(name):
        return f"note: '{name}' is new in OpenCL C 2.0: compile with the option -cl-std=CL2.0"
    if _LATER(name):
        return f"note: '{name}' is new in OpenCL C 2.0, and Lanewise doesn't have it yet"
    for pattern, what in _EXTENSIONS:
        if pattern.fullmatch(name):
            return f"note: '{name}' belongs to {what}, which Lanewise doesn't have yet"
    return None
