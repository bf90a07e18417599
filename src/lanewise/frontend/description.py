# SPDX-License-Identifier: Apache-2.0
"""Reads out of kernel IR what launches need to know of it. Names and types come from debug information, if it has any.

A front end whose IR has none makes its `ProgramInfo` itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import Final

from lanewise.analysis.references import reached_from
from lanewise.frontend.declarations import kernel_signature, variable_types
from lanewise.frontend.group_queries import sees_groups
from lanewise.frontend.info import KernelInfo, ProgramInfo
from lanewise.frontend.kernel_attributes import kernel_attributes
from lanewise.frontend.kernel_names import KernelName
from lanewise.frontend.launch_bounds import launch_bounds
from lanewise.frontend.texture_references import texture_references
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.debug_info import DebugInfo
from lanewise.ir.function import Function
from lanewise.ir.layout import size_of
from lanewise.ir.module import GlobalVariable, Module

_DIMENSIONS = "_Z12get_work_dimv"
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def describe(
    module: Module,
    names: tuple[KernelName, ...],
    instances: Mapping[str, str],
    warnings: tuple[str, ...],
    refused: Mapping[str, str] = _NONE,
) -> ProgramInfo:
    """The description of a module; `names` are what its kernels are called, as far as that is known. `refused`: kernels
    that it doesn't have, and why."""
    info = DebugInfo(module.metadata)
    known = {name.symbol: name for name in names}
    references = texture_references(module, info)
    kernels: list[KernelInfo] = []
    for kernel in module.kernels:
        name = known.get(kernel.symbol)
        qualified = name.qualified if name is not None else kernel.symbol
        written = name.signature if name is not None else kernel.symbol
        bounds = launch_bounds(module, kernel)
        kernels.append(
            KernelInfo(
                qualified,
                written,
                kernel_signature(module, kernel, info),
                _shared_bytes(module, kernel),
                bounds,
                _textures(kernel, {reference.symbol for reference in references}),
                _DIMENSIONS in module.symbols and module.symbols[_DIMENSIONS] in reached_from([kernel]),
                kernel_attributes(module, kernel, bounds),
                sees_groups(kernel),
            )
        )
    hidden = {reference.symbol for reference in references}
    variables = tuple(
        variable
        for variable in variable_types(module, info)
        if not variable.name.startswith(".") and variable.symbol not in hidden  # "." begins a string literal's name
    )
    return ProgramInfo(tuple(kernels), variables, dict(instances), warnings, references, dict(refused))


def _textures(kernel: Function, references: Set[str]) -> tuple[str, ...]:
    """The references that a kernel uses."""
    if not references:
        return ()
    return tuple(sorted({str(symbol.name) for symbol in reached_from([kernel])} & references))


def _shared_bytes(module: Module, kernel: Function) -> int:
    variables = (s for s in reached_from([kernel]) if isinstance(s, GlobalVariable))
    return sum(
        size_of(v.value_type, module.types)
        for v in variables
        if v.type.addrspace == SHARED and v.initializer is not None
    )
