# SPDX-License-Identifier: Apache-2.0
"""Weaves checks into the kernels of a module."""

from collections.abc import Sequence
from typing import NamedTuple

from lanewise.checks.accesses import KernelAccesses, KernelParameters, add_parameters
from lanewise.checks.barriers import BarrierChecks
from lanewise.checks.casts import make_casts_plain
from lanewise.checks.memory import MemoryChecks, add_functions
from lanewise.checks.parts import BARRIERS, MEMORY, RACES, STRICT_BARRIERS, STRICT_RACES, UNWRITTEN, VALUES
from lanewise.checks.prepare import with_calls_inlined, with_variables_in_registers
from lanewise.checks.races import RaceChecks
from lanewise.checks.unwritten import UnwrittenChecks
from lanewise.checks.values import ValueChecks
from lanewise.frontend.checked_places import CheckedPlace, CheckTable
from lanewise.frontend.info import ProgramInfo
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module

_POINTERS = ("pointer", "local")


def text_with_checks(
    text: str, info: ProgramInfo, parts: Sequence[str], point_inside: bool = False
) -> tuple[str, ProgramInfo]:
    """Kernel IR with the checks called `parts`, and what is known of it. `point_inside`: arguments may point into the
    middle of an array, and launches tell by how many bytes."""
    module = read_module(text)
    parameters = {
        kernel.signature.symbol: KernelParameters(
            tuple(n for n, parameter in enumerate(kernel.signature.parameters) if parameter.kind in _POINTERS),
            tuple(parameter.name for parameter in kernel.signature.parameters),
            point_inside,
        )
        for kernel in info.kernels
    }
    places: list[CheckedPlace] = []
    if VALUES in parts:
        make_casts_plain(module)
    module = with_calls_inlined(module)
    for kernel in module.kernels:
        add_parameters(kernel, parameters[kernel.symbol])
        if MEMORY in parts:
            MemoryChecks(KernelAccesses(module, kernel, parameters[kernel.symbol], places)).run(only_constant=True)
    module = with_variables_in_registers(module)
    names = {kernel.signature.symbol: kernel.qualified for kernel in info.kernels}
    warnings = list(info.warnings)
    doubled: list[str] = []
    for kernel in module.kernels:
        woven = weave_checks(KernelAccesses(module, kernel, parameters[kernel.symbol], places), parts)
        if woven.unknown:
            warnings.append(_not_checked(names[kernel.symbol], woven.unknown))
        if woven.doubles_dynamic_memory:
            doubled.append(kernel.symbol)
    add_functions(module)
    pointers = {symbol: each.pointers for symbol, each in parameters.items()}
    table = CheckTable(tuple(places), pointers, tuple(doubled))
    return write_module(module), info._replace(checks=table, warnings=tuple(warnings))


class Woven(NamedTuple):
    """Facts about a kernel with checks."""

    unknown: int
    """Accesses to memory that aren't checked."""
    doubles_dynamic_memory: bool


def weave_checks(accesses: KernelAccesses, parts: Sequence[str]) -> Woven:
    """Weave the checks called `parts` into one kernel."""
    unknown = 0
    unwritten = UnwrittenChecks(accesses) if UNWRITTEN in parts else None
    if BARRIERS in parts or STRICT_BARRIERS in parts:
        BarrierChecks(accesses, is_strict=STRICT_BARRIERS in parts).run()
    # before those of values, which make choices of the sums that addresses are made of
    races = None
    if RACES in parts or STRICT_RACES in parts:
        races = RaceChecks(accesses, is_strict=STRICT_RACES in parts)
        races.prepare()
    if VALUES in parts:
        ValueChecks(accesses).run()
    if MEMORY in parts:
        memory = MemoryChecks(accesses)
        memory.run()
        unknown = memory.unknown
    if races is not None:  # after those of memory, under whose tests the calls come
        races.emit()
    if unwritten is not None:
        unwritten.run()
    return Woven(unknown, unwritten is not None and unwritten.doubles_dynamic_memory)


def _not_checked(kernel: str, count: int) -> str:
    what = "1 access to memory is" if count == 1 else f"{count} accesses to memory are"
    return (
        f"warning: kernel {kernel}: {what} not checked, since the code doesn't tell which array the pointer points to"
    )
