# SPDX-License-Identifier: Apache-2.0
"""All floating-point intrinsics that are written out for the host, by the names in the table of intrinsics."""

from __future__ import annotations

from typing import Final

from lanewise.ir.instruction import Instruction
from lanewise.workgroup.lowering.floats.approximations import APPROXIMATIONS
from lanewise.workgroup.lowering.floats.directed_rounding import DIRECTED_ROUNDING, FloatExpansion
from lanewise.workgroup.lowering.floats.narrow import narrow_intrinsic
from lanewise.workgroup.lowering.floats.saturating import saturating, to_signed, to_unsigned

_SATURATING: Final[dict[str, FloatExpansion]] = {"llvm.fptosi.sat": to_signed, "llvm.fptoui.sat": to_unsigned}
_EXPANSIONS: Final[dict[str, FloatExpansion]] = {**DIRECTED_ROUNDING, **APPROXIMATIONS}


def float_expansion(name: str, call: Instruction, saturates: bool) -> FloatExpansion | None:
    """The function that writes out a call of the intrinsic whose row is `name`; None if the host has it. `saturates`:
    the processor's conversions do."""
    if name in _SATURATING:
        return _SATURATING[name] if saturating(call) and not saturates else None
    return _EXPANSIONS.get(name) or narrow_intrinsic(name, call)
