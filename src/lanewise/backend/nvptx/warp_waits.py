# SPDX-License-Identifier: Apache-2.0
"""drop-warp-waits: takes out the calls that tell a device that a warp waits for another one of its block.

Why
    The CPU runs the warps of a block in turns, and must know when one waits. A GPU runs them side by side.

Before
    define ptx_kernel void @k() {
    entry:
      call void @__lw_await_warps()
      ret void
    }
    declare void @__lw_await_warps()

After
    define ptx_kernel void @k() {
    entry:
      ret void
    }

Needs
    1. The module declares that function and doesn't define it.
"""

from __future__ import annotations

from lanewise.ir.function import Function
from lanewise.ir.intrinsics import AWAIT_WARPS
from lanewise.ir.module import Module


def run(module: Module) -> bool:
    """Erase the calls and the declaration; returns whether there was one."""
    declared = module.symbols.get(AWAIT_WARPS)
    if not isinstance(declared, Function) or not declared.is_declaration:  # 1
        return False
    for function in module.functions:
        for call in [each for each in function.instructions() if each.op == "call" and each.callee == AWAIT_WARPS]:
            call.erase()
    del module.symbols[AWAIT_WARPS]
    return True
