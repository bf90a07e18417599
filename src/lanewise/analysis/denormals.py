# SPDX-License-Identifier: Apache-2.0
"""Kernels whose denormal numbers may count as 0, as `-ftz=true` and `-cl-denorms-are-zero` ask for.

Clang marks them by an attribute of functions that concerns float only: nvcc keeps denormals of double, and OpenCL C
leaves both to the implementation. The processor's mode concerns both types: SDM volume 1, "Flush-To-Zero" and
"Denormals-Are-Zeros" in section 10.2.3; Arm Architecture Reference Manual, FPCR.FZ. So kernels that compute in double
keep all denormals.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.ops import OPS

_FORMS: Final = frozenset({"binary", "cast", "compare", "call"})
"""Forms of operations that compute. The others, except `atomicrmw`, move values."""


def computes_in_double(function: Function) -> bool:
    """True if an operation or call has an operand in double. Operations that only result in one are exact."""
    return any(
        (OPS[i.op].form in _FORMS or i.op == "atomicrmw") and any(o.type.scalar is ty.DOUBLE for o in i.operands)
        for i in function.instructions()
        if not i.is_debug_record
    )
