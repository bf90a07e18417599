# SPDX-License-Identifier: Apache-2.0
"""The GPU's approximate instructions on the host, if the exact operation is as fast. For the others the
mathematical library's short forms are linked in (`mathlib/library.py`).

Source: PTX ISA manual, clauses `div`, `sqrt`, `rsqrt` (mode .approx), `cvt` (.sat).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanewise.ir.types import Type
from lanewise.ir.values import Value
from lanewise.workgroup.lowering.floats.builder import FloatBuilder
from lanewise.workgroup.lowering.floats.directed_rounding import FloatExpansion


def _reciprocal_root(at: FloatBuilder, result: Type, arguments: Sequence[Value]) -> Value:
    return at.divide(at.floating(result, 1.0), at.intrinsic("sqrt", *arguments))


def _saturated(at: FloatBuilder, result: Type, arguments: Sequence[Value]) -> Value:
    """Clamp to [0, 1]; NaN and -0 become +0."""
    (a,) = arguments
    zero, one = at.floating(result, 0.0), at.floating(result, 1.0)
    at_most_one = at.select(at.compare("olt", a, one), a, one)
    return at.select(at.compare("ogt", a, zero), at_most_one, zero)


APPROXIMATIONS: Final[dict[str, FloatExpansion]] = {
    "llvm.nvvm.div.approx.f": lambda at, _, arguments: at.divide(*arguments),
    "llvm.nvvm.sqrt.approx.f": lambda at, _, arguments: at.intrinsic("sqrt", *arguments),
    "llvm.nvvm.rsqrt.approx.f": _reciprocal_root,
    "llvm.nvvm.saturate.f": _saturated,
    "llvm.nvvm.saturate.d": _saturated,
}
