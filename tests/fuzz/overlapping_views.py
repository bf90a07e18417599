# SPDX-License-Identifier: Apache-2.0
"""Statements that access the same memory of one work-item as words, as members of structs and as bytes, in turns; and
random kernels of little else, small enough for LLVM's loop vectoriser.

Accesses to views that overlap must keep their order, one of them being a store. Which views do, often only the run
knows.
"""

from dataclasses import replace
from typing import Final

from . import control_flow, group_statements, private_statements
from .arithmetic import BYTE, INT, UNSIGNED, Number, converted
from .choices import Choices
from .cuda import CUDA
from .kernel import RandomKernel
from .kernel import random_kernel as random_cuda_kernel
from .scope import Scope
from .statements import anywhere, can_nest, together
from .writer import Kind, Lines, Writer

MOST: Final = 5
"""Accesses of a statement, and one."""

_VIEWS: Final = (
    ("words[{e}]", UNSIGNED), ("((uint2 *)words)[{h}].x", UNSIGNED), ("((uint2 *)words)[{h}].y", UNSIGNED),
    ("words[{d} & 3]", UNSIGNED), ("((uint2 *)words)[{d} & 1].y", UNSIGNED),
    ("((int *)words)[{d} & 3]", INT), ("((int *)words)[{e}]", INT), ("((unsigned char *)words)[{d} & 15]", BYTE),
)  # fmt: skip
"""An access to a work-item's own words, at {d} that the run decides or at a constant place. C++ lets no two
structs overlap."""


def views(writer: Writer, scope: Scope) -> Lines:
    make = writer.make
    lines: Lines = []
    for _ in range(2 + make.upto(MOST - 1)):
        place, number = _view(writer, scope)
        if make.upto(1):
            lines.append(f"{place} = {make.value(scope, number, 1)};")
        else:
            variable = make.pick(scope.variables)
            lines.append(f"{make.place(scope, variable)} = {converted(place, number, variable.number)};")
    return lines


def _view(writer: Writer, scope: Scope) -> tuple[str, Number]:
    make = writer.make
    template, number = make.pick(_VIEWS)
    decided = make.value(scope, UNSIGNED, 0) if "{d}" in template else ""
    return template.format(e=make.upto(3), h=make.upto(1), d=decided), number


VIEWS: Final = replace(
    CUDA,
    kinds=(
        Kind(private_statements.assign, anywhere, 1),
        Kind(views, lambda scope: scope.outputs, 8),
        Kind(group_statements.barrier, together, 2),
        Kind(control_flow.if_, can_nest, 1),
    ),
)


def random_kernel(choices: Choices) -> RandomKernel:
    return random_cuda_kernel(choices, VIEWS)
