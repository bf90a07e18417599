# SPDX-License-Identifier: Apache-2.0
"""Kernels with checks, for programs that run under LANEWISE_CHECK, and the text of what the checks found.

The answer to a request for code goes on, after what `answer.py` says, with

    checked PLACES DOUBLES NUM_POINTERS
    pointer NUMBER            of the parameter; or "local NUMBER", of OpenCL's local memory
    end

The code has further parameters, each of 8 bytes, after the kernel's own: the size of the array behind each of these
pointers, how many bytes of it come before what the pointer points to, the bytes of dynamic shared memory, and the
address of a report with a record for each of PLACES (`ir/check_report.py`). With DOUBLES the kernel needs as much
dynamic shared memory again, behind its own from a multiple of 16 on.

The answer to a request for text is

    told COUNT                faults that count
    TEXT

A request with a setting that can't be is declined for a reason that begins with the setting's name.
"""

from contextlib import AbstractContextManager, chdir, nullcontext
from pathlib import Path
from typing import Final

import numpy as np

from lanewise.cache import Cache
from lanewise.config import check_settings, checks_named
from lanewise.cuda.objects.packed_ir import PackedProgram, unpacked
from lanewise.cuda.service.request import CompileRequest, FaultsRequest
from lanewise.device.program import Program
from lanewise.errors import Error
from lanewise.frontend.checked_places import CheckTable
from lanewise.frontend.info import KernelInfo
from lanewise.ir.check_report import PLACE_BYTES
from lanewise.program.checked.asked import checks_of
from lanewise.program.checked.messages import Messages
from lanewise.program.checked.packed_unit import PackedUnit, checked_unit
from lanewise.program.checked.program_launch import Pointed, ProgramLaunch, program_faults
from lanewise.program.checked.suppressions import read_suppressions
from lanewise.program.checked.telling import told
from lanewise.program.source.translation import TranslatedUnit, translate
from lanewise.wording import worded

_WORD: Final = 8


def checked_program(request: CompileRequest, cache: Cache) -> tuple[Program, bytes]:
    """The program of a request with checks, and the lines that the answer ends with. Error if a check is unknown."""
    with _in(request.folder):  # settings that can't be are told before anything runs
        read_suppressions(check_settings().suppressions)
    made, table = _woven(unpacked(request.ir), request.checks, request.terms, cache)
    if request.kernel not in table.pointers:
        raise Error(f"the program has no kernel {request.kernel}")
    parameters = _kernel(made, request.kernel).signature.parameters
    pointers = table.pointers[request.kernel]
    doubles = int(request.kernel in table.doubled)
    lines = [f"checked {len(table.places)} {doubles} {len(pointers)}"]
    lines += [f"{parameters[number].kind} {number}" for number in pointers]
    return made.program, "\n".join([*lines, "end\n"]).encode()


def told_faults(request: FaultsRequest, cache: Cache) -> bytes:
    """The text of the faults of a launch."""
    packed = unpacked(request.ir)
    made, table = _woven(packed, request.checks, request.terms, cache)
    count = len(table.pointers[request.kernel])
    words = np.frombuffer(request.records, np.uint64, 3 * count).reshape(count, 3).tolist()
    report = _report(request.records[3 * count * _WORD :], len(table.places))
    pointed = tuple(Pointed(*row) for row in words)
    launch = ProgramLaunch(request.kernel, request.grid, request.block, request.dynamic_bytes, pointed)
    faults = program_faults(report, table, launch, _kernel(made, request.kernel).signature.parameters)
    names = {kernel.signature.symbol: kernel.qualified for kernel in made.info.kernels}
    messages = Messages(names, packed.name, packed.text, null="null")
    with _in(request.folder):
        error = told(messages, request.kernel, faults, request.terms, request.room)
    if error is None:
        return b"told 0\n"
    text = worded(str(error), request.terms)
    return f"told {len(error.faults)}\nlanewise check: {text}\n".encode(errors="surrogateescape")


def _in(folder: str) -> AbstractContextManager[None]:
    """The working folder of a program, which paths in settings and in the source are relative to."""
    return chdir(folder) if Path(folder).is_dir() else nullcontext()


def _woven(packed: PackedProgram, checks: str, terms: str, cache: Cache) -> tuple[TranslatedUnit, CheckTable]:
    """The program with checks, from the cache if it is there."""
    try:
        parts = checks_of(checks_named(checks))
    except Error as error:
        raise Error(f"LANEWISE_CHECK: {error}") from None
    unit = PackedUnit(packed.name, packed.digest, packed.ir, packed.info, terms)
    made = translate(checked_unit(unit, parts), {"mapping": packed.mapping}, cache)
    assert made.info.checks is not None
    return made, made.info.checks


def _kernel(made: TranslatedUnit, symbol: str) -> KernelInfo:
    return next(kernel for kernel in made.info.kernels if kernel.signature.symbol == symbol)


def _report(records: bytes, places: int) -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
    """The report of a launch, of which the places at fault are known."""
    report = np.zeros((max(1, places), PLACE_BYTES), np.uint8)
    rows = np.frombuffer(records, np.uint8).reshape(-1, _WORD + PLACE_BYTES)
    for row in rows:
        report[int(row[:_WORD].view(np.uint64)[0])] = row[_WORD:]
    return report.ravel()
