# SPDX-License-Identifier: Apache-2.0
"""Translation units whose kernels are checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lanewise.cache import Cache, key
from lanewise.frontend.source import Source
from lanewise.log import step

if TYPE_CHECKING:
    from lanewise.frontend.info import ProgramInfo
    from lanewise.frontend.unit import KernelModule, Unit
    from lanewise.ir.module import Module


class CheckedUnit(NamedTuple):
    """A unit with checks woven into its kernels; see `frontend.unit.Unit`. `parts`: the names of the checks."""

    inner: Unit
    parts: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def digest(self) -> str:
        return key("checked", self.inner.digest, *self.parts)

    @property
    def arch(self) -> str:
        return self.inner.arch

    @property
    def terms(self) -> str:
        return self.inner.terms

    @property
    def is_foreign(self) -> bool:
        return self.inner.is_foreign

    @property
    def main_line(self) -> int | None:
        return self.inner.main_line

    def compile(self, cache: Cache, meanwhile: Callable[[], None]) -> KernelModule:
        made = self.inner.compile(cache, meanwhile)
        from lanewise.frontend.unit import KernelModule
        from lanewise.ir.reader import read_module
        from lanewise.ir.writer import write_module

        with step(f"weave checks into {self.name}"):
            module, info = checked(made.module or read_module(made.text), made.info, self.parts)
        return KernelModule(write_module(module), info, made.dependencies)

    def for_arch(self, arch: str) -> CheckedUnit:
        return self._replace(inner=self.inner.for_arch(arch))

    def with_instance(self, name: str) -> CheckedUnit | None:
        unit = self.inner.with_instance(name)
        return None if unit is None else self._replace(inner=unit)

    def in_general_form(self) -> CheckedUnit | None:
        unit = self.inner.in_general_form()
        return None if unit is None else self._replace(inner=unit)

    @property
    def text(self) -> str | None:
        return self.inner.text

    def ptx(self) -> tuple[Source, ...]:
        return ()

    def hint(self, name: str) -> str:
        return self.inner.hint(name)


def checked(module: Module, info: ProgramInfo, parts: Sequence[str]) -> tuple[Module, ProgramInfo]:
    """A module with the checks called `parts`, and what is known of it. The module is changed."""
    from lanewise.checks.accesses import KernelAccesses, KernelParameters, add_parameters
    from lanewise.checks.memory import MemoryChecks, add_functions
    from lanewise.checks.parts import MEMORY, RACES, VALUES
    from lanewise.checks.prepare import with_calls_inlined, with_variables_in_registers
    from lanewise.checks.races import RaceChecks
    from lanewise.checks.values import ValueChecks
    from lanewise.frontend.checked_places import CheckedPlace, CheckTable

    parameters = {
        kernel.signature.symbol: KernelParameters(
            tuple(n for n, p in enumerate(kernel.signature.parameters) if p.kind in ("pointer", "local")),
            tuple(p.name for p in kernel.signature.parameters),
        )
        for kernel in info.kernels
    }
    places: list[CheckedPlace] = []
    module = with_calls_inlined(module)
    for kernel in module.kernels:
        add_parameters(kernel, parameters[kernel.symbol])
        if MEMORY in parts:
            MemoryChecks(KernelAccesses(module, kernel, parameters[kernel.symbol], places)).run(only_constant=True)
    module = with_variables_in_registers(module)
    for kernel in module.kernels:
        accesses = KernelAccesses(module, kernel, parameters[kernel.symbol], places)
        if VALUES in parts:
            ValueChecks(module, kernel, places).run()
        if MEMORY in parts:
            MemoryChecks(accesses).run()
        if RACES in parts:
            RaceChecks(accesses).run()
    add_functions(module)
    pointers = {symbol: each.pointers for symbol, each in parameters.items()}
    return module, info._replace(checks=CheckTable(tuple(places), pointers))
