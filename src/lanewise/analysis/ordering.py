# SPDX-License-Identifier: Apache-2.0
"""Code that orders what different work-items read and write, so that one may see what another has stored."""

from __future__ import annotations

from lanewise.ir import effects
from lanewise.ir.function import Function


def orders(function: Function) -> bool:
    """True if a function, or one that it calls, has a barrier, a fence, an operation of the warp, or an atomic or
    volatile access, or does what nobody knows."""
    seen: dict[Function, None] = {function: None}
    work = [function]
    while work:
        for instruction in work.pop().instructions():
            callee = instruction.operands[0] if instruction.op == "call" else None
            if isinstance(callee, Function) and callee.blocks:
                if callee not in seen:
                    seen[callee] = None
                    work.append(callee)
            elif effects.orders(instruction):
                return True
    return False
