# SPDX-License-Identifier: Apache-2.0
"""Places of a kernel's parameters in the packed arguments of a launch.

Source: CUDA driver API, "Execution Control": each parameter at its natural alignment, in order.
"""

from typing import NamedTuple

from lanewise.ir.cursor import Cursor
from lanewise.ir.function import Function
from lanewise.ir.layout import align_of, round_up, size_of
from lanewise.ir.lexer import tokens
from lanewise.ir.module import Module
from lanewise.ir.types import Type
from lanewise.ir.values import Argument


class ParameterPlace(NamedTuple):
    """Place of one kernel parameter in the packed arguments, in bytes. `byval`: the kernel gets its address."""

    offset: int
    size: int
    byval: bool


def parameters(kernel: Function, module: Module) -> tuple[ParameterPlace, ...]:
    """Each parameter at its natural alignment, as CUDA packs them; a struct by value at its own."""
    found: list[ParameterPlace] = []
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
        found.append(ParameterPlace(offset, size, in_memory is not None))
        end = offset + size
    return tuple(found)


def byval_type(argument: Argument) -> Type | None:
    """The type in memory of a parameter passed by value there, None of any other."""
    text = argument.byval
    return None if text is None else Cursor(tokens(text), 0, {}).type()
