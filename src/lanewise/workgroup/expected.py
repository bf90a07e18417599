# SPDX-License-Identifier: Apache-2.0
"""Which way a branch is expected to go, told to LLVM as a profile.

LLVM moves what doesn't change in a loop out of it, also from code that hardly ever runs, and so computes the masks of
the units at the border of a grid in every work-group: a quarter of the instructions of a five-point stencil, whose
groups are a hundred nanoseconds of work. It brings them back (LoopSink) only in a function with a profile.

Source: LLVM, "LLVM Branch Weight Metadata" and Language Reference, "'prof' Metadata".
"""

from __future__ import annotations

from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.instruction import Metadata

FIRST: Final[Metadata] = (("!prof", '!{!"branch_weights", i32 2000, i32 1}'),)
"""Of a branch: the first way, with the weights that LLVM itself takes for `__builtin_expect`."""

_PROFILED: Final = ' !prof !{!"function_entry_count", i64 1000}'


def declare_profile(function: Function) -> None:
    """The weights of a function's branches, if there are any, are a profile. Without weights LLVM only takes longer."""
    if any(block.terminator.metadata is FIRST for block in function.blocks):
        function.suffix += _PROFILED
