# SPDX-License-Identifier: Apache-2.0
"""Answers of the compile service, as `runtime/host/second_tier.c` reads them.

    code PATH                                                     a shared object in the cache
    facts ARENA_BYTES SHARED_BYTES FLAGS NUM_APART NUM_VARIABLES  of `LaunchFacts`
    apart NUMBER                                                  as often as that says
    variable SYMBOL

Or "declined REASON"; "kept", for word of a choice. For code with checks and the text of faults, see `checked_kernels`;
for PTX and OpenCL C, `ptx_library` and `opencl_programs`.
"""

from pathlib import Path
from typing import Final

from lanewise.backend.host.features import has_fused_multiply_add
from lanewise.cache import Cache
from lanewise.cuda.service.request import (
    ANY_BLOCK,
    ChoiceRequest,
    CompileRequest,
    FaultsRequest,
    OpenClRequest,
    PtxRequest,
    Request,
)
from lanewise.device.program import Program
from lanewise.errors import Error
from lanewise.workgroup.launch_facts import LaunchFacts

_SMALL_GRID: Final = 1
_FLUSH_DENORMALS: Final = 2
_INEXACT: Final = 32
"""LW_CODE_SMALL_GRID, LW_CODE_FLUSH_DENORMALS and LW_CODE_INEXACT of `lanewise.h`; `tried_mappings.py` has the
others."""


def answer(request: Request, cache: Cache) -> bytes:
    """The answer to a request. Error if there is no code."""
    if isinstance(request, PtxRequest):
        from lanewise.cuda.service.ptx_library import ptx_library  # CUDA programs have none

        return ptx_library(request, cache)
    if isinstance(request, OpenClRequest):
        from lanewise.cuda.service.opencl_programs import opencl_answer

        return opencl_answer(request, cache)
    if isinstance(request, FaultsRequest):
        from lanewise.cuda.service.checked_kernels import told_faults  # few programs are checked

        return told_faults(request, cache)
    if isinstance(request, ChoiceRequest):
        from lanewise.cuda.service.tried_mappings import keep_chosen  # few programs try two mappings

        return keep_chosen(request, cache)
    return _compiled(request, cache)


def _compiled(request: CompileRequest, cache: Cache) -> bytes:
    # these import NumPy: programs in OpenCL C start without
    from lanewise.cuda.objects.device_objects import may_repeat
    from lanewise.cuda.objects.packed_ir import unpacked_ir
    from lanewise.cuda.service.tried_mappings import chosen_code, code_in_cache, other_code

    further = b""
    if request.checks:
        from lanewise.cuda.service.checked_kernels import checked_program

        program, further = checked_program(request, cache)
    else:
        program = unpacked_ir(request.ir, cache)
    if request.kernel not in program.names:
        raise Error(f"the program has no kernel {request.kernel}")
    if cache.base is None:
        raise Error("there is no cache that could keep it")
    size = None if request.block == ANY_BLOCK else request.block
    if size is not None and not request.checks and may_repeat(program):
        _require_size(program, request.kernel)
    wanted = program, request.kernel, size, request.assumptions, cache
    if request.other:
        code, flags = other_code(request.other, *wanted)
    else:
        code, flags = code_in_cache(*wanted), 0
        if code.facts.is_unsure and size is not None and not request.checks and not request.fixed:
            code, flags = chosen_code(code, *wanted)
    if not isinstance(code.shared_object, Path):
        raise Error("the cache did not keep it")
    return _shown(code.shared_object, code.facts, flags) + further


def _require_size(program: Program, kernel: str) -> None:
    """Error for a kernel that is too large to be compiled with all calls inlined."""
    from lanewise.pipelines.split_program import is_too_large_to_inline  # few programs are large

    if is_too_large_to_inline(program.reader(fused=has_fused_multiply_add()), kernel):
        raise Error("it is too large with all calls inlined")


def declined(error: Error) -> bytes:
    """The answer to a request that can't be met."""
    return f"declined {' '.join(str(error).split())}\n".encode(errors="replace")


def _shown(path: Path, facts: LaunchFacts, flags: int) -> bytes:
    flags |= _SMALL_GRID * facts.needs_small_grid | _FLUSH_DENORMALS * facts.flush_denormals
    flags |= _INEXACT * facts.is_inexact
    lines = [
        f"code {path}",
        f"facts {facts.arena_bytes} {facts.shared_bytes} {flags} {len(facts.apart)} {len(facts.variables)}",
        *(f"apart {number}" for number in facts.apart),
        *(f"variable {symbol}" for symbol in facts.variables),
    ]
    if any("\n" in line for line in lines):
        raise Error("a name of the program or a folder of the cache has a line break")
    return ("\n".join(lines) + "\n").encode(errors="surrogateescape")
