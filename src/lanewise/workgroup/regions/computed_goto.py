# SPDX-License-Identifier: Apache-2.0
"""Computed goto, which code for the CPU may not have."""

from lanewise.errors import CompileError
from lanewise.ir.function import Function


def refuse_computed_goto(function: Function, owner: str) -> None:
    """Raise CompileError for an indirect branch; messages call the function `owner`. CUDA C++ never comes with one: the
    front end makes it a switch."""
    if any(block.terminator.op == "indirectbr" for block in function.blocks):
        raise CompileError(f"{owner}: computed goto is not supported on the CPU device")
