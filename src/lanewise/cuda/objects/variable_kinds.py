# SPDX-License-Identifier: Apache-2.0
"""Which variables of the device are constant, and which are managed."""

from typing import Final, NamedTuple

from lanewise.device.program import Program
from lanewise.ir.address_spaces import CONSTANT

_MANAGED: Final = 'section "lanewise.managed"'
"""How our headers mark a managed variable."""


class VariableKinds(NamedTuple):
    """The symbols of the variables that kernels can't write to, and of those that host code uses directly."""

    constants: frozenset[str] = frozenset()
    managed: frozenset[str] = frozenset()


def variable_kinds(program: Program) -> VariableKinds:
    """The kinds of a program's variables."""
    variables = program.reader(fused=True)(None).variables
    return VariableKinds(
        frozenset(str(v.name) for v in variables if v.type.addrspace == CONSTANT or v.is_constant),
        frozenset(str(v.name) for v in variables if _MANAGED in v.suffix),
    )
