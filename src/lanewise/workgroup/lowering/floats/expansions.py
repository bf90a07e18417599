# SPDX-License-Identifier: Apache-2.0
"""All floating-point intrinsics that are written out for the host, by the names in the table of intrinsics."""

from __future__ import annotations

from typing import Final

from lanewise.ir.instruction import Instruction
from lanewise.workgroup.lowering.floats.approximations import APPROXIMATIONS
from lanewise.workgroup.lowering.floats.directed_rounding import DIRECTED_ROUNDING, FloatExpansion
from lanewise.workgroup.lowering.floats.narrow import narrow_intrinsic

_EXPANSIONS: Final[dict[str, FloatExpansion]] = {**DIRECTED_ROUNDING, **APPROXIMATIONS}


def float_expansion(name: str, call: Instruction) -> FloatExpansion | None:
    """The function that writes out a call of the intrinsic whose row is `name`; None if the host has it."""
    return _EXPANSIONS.get(name) or narrow_intrinsic(name, call)
