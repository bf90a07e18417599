# SPDX-License-Identifier: Apache-2.0
"""What the runtime core gives to a work-group function: offsets in bytes, as `runtime/core/lanewise_rt.h` has them.

void kernel(const lw_launch *launch, char *arena, uint32_t gx, uint32_t gy, uint32_t gz)
"""

from __future__ import annotations

from typing import Final, NamedTuple

from lanewise.ir import types as ty
from lanewise.ir.cursor import Cursor
from lanewise.ir.function import Function
from lanewise.ir.layout import align_of, round_up, size_of
from lanewise.ir.lexer import tokens
from lanewise.ir.module import Module
from lanewise.ir.types import Type
from lanewise.ir.values import Argument

LAUNCH_ARGS: Final = 0
LAUNCH_SERVICES: Final = 8
LAUNCH_GRID: Final = (24, 28, 32)

SERVICE_TRAP: Final = 0
SERVICE_ASSERT: Final = 8
SERVICE_PRINTF: Final = 16

GROUP_FUNCTION: Final = ty.function(ty.VOID, (ty.PTR, ty.PTR, ty.I32, ty.I32, ty.I32))
_WHERE: Final = (ty.PTR, *(ty.I32,) * 6)
TRAP: Final = ty.function(ty.VOID, _WHERE)
ASSERT: Final = ty.function(ty.VOID, (*_WHERE, ty.PTR, ty.PTR, ty.I32, ty.PTR))
PRINTF: Final = ty.function(ty.I32, (ty.PTR, ty.PTR, ty.PTR))

ENTRY_SYMBOL: Final = "lw_group"
"""Name of the work-group function in a compiled object."""

VARIABLES_SYMBOL: Final = "lw_variables"
"""Name of the table of addresses of the module's variables, which whoever loads the object fills in."""


class Parameter(NamedTuple):
    """Place of one kernel parameter in the packed arguments, in bytes. `byval`: the kernel gets its address."""

    offset: int
    size: int
    byval: bool


def parameters(kernel: Function, module: Module) -> tuple[Parameter, ...]:
    """Each parameter at its natural alignment, as CUDA packs them; a struct by value at its own."""
    found: list[Parameter] = []
    end = 0
    for argument in kernel.arguments:
        in_memory = byval_type(argument)
        type_ = in_memory or argument.type
        align = align_of(type_, module.types)
        for attribute in argument.attributes:
            if in_memory is not None and attribute.startswith("align "):
                align = int(attribute.removeprefix("align "))
        offset = round_up(end, align)
        size = size_of(type_, module.types)
        found.append(Parameter(offset, size, in_memory is not None))
        end = offset + size
    return tuple(found)


def byval_type(argument: Argument) -> Type | None:
    """The type in memory of a parameter passed by value there, None of any other."""
    text = argument.byval
    return None if text is None else Cursor(tokens(text), 0, {}).type()
