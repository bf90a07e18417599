# SPDX-License-Identifier: Apache-2.0
"""Kinds of variables of the device: constant ones, managed ones."""

from typing import Final, NamedTuple

from lanewise.device.program import Program
from lanewise.ir.address_spaces import CONSTANT

_MANAGED: Final = 'section "lanewise.managed"'
"""The mark of a managed variable in our headers."""


class VariableKinds(NamedTuple):
    """The symbols of the variables that kernels can't write to, and of those that host code uses directly."""

    constants: frozenset[str] = frozenset()
    managed: frozenset[str] = frozenset()


def variable_kinds(program: Program) -> VariableKinds:
    """The constant and the managed variables of a program."""
    from lanewise.ir.reader import read_module  # a warm start reads nothing

    variables = read_module(program.ir(), ()).variables
    return VariableKinds(
        frozenset(str(v.name) for v in variables if v.type.addrspace == CONSTANT or v.is_constant),
        frozenset(str(v.name) for v in variables if _MANAGED in v.suffix),
    )
