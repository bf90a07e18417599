# SPDX-License-Identifier: Apache-2.0
"""Calls of the counters' library become intrinsics, for which warps in lock-step have code of their own.

    call void @__lw_count_warps(ptr @__lw_counters, i32 3, i32 16)       of a function that the library defines
    call void @__lw_tally_warps(ptr @__lw_counters, i32 3, i32 16)       of one that is only declared

LLVM neither merges nor copies the calls, but moves loads and stores across them.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir.counters import COUNT, TALLY, VARIABLE
from lanewise.ir.module import Module

_ATTRIBUTES: Final = "convergent nounwind willreturn memory(inaccessiblemem: readwrite)"


def tally(module: Module) -> bool:
    """Make intrinsics of the functions that count. Returns whether there are any."""
    if VARIABLE not in module.symbols:
        return False
    functions = [each for each in module.functions if each.symbol.startswith(COUNT)]
    for function in functions:
        for instruction in function.instructions():
            instruction.drop_operands()
        function.blocks = []
        del module.symbols[function.symbol]
        function.name = f"{TALLY}{function.symbol.removeprefix(COUNT)}"
        function.linkage, function.prefix, function.suffix = "", (), _ATTRIBUTES
        module.add(function)
    return bool(functions)
