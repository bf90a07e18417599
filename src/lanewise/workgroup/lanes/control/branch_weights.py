# SPDX-License-Identifier: Apache-2.0
"""Branch weights: a profile that tells LLVM of code that hardly ever runs.

LLVM moves invariant code out of loops, also from code for the units at the border of a grid, and so
computes their masks in every work-group: a quarter of the instructions of a five-point stencil, whose groups are a
hundred nanoseconds of work. It brings them back (LoopSink) only in a function with a profile. There is none in a
function with loops over work-items, which LLVM may still vectorise.

Source: LLVM, "LLVM Branch Weight Metadata" and Language Reference, "'prof' Metadata".
"""

from __future__ import annotations

from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.instruction import Metadata

FIRST_IS_RARE: Final[Metadata] = (("!prof", '!{!"branch_weights", i32 1, i32 2000}'),)
SECOND_IS_RARE: Final[Metadata] = (("!prof", '!{!"branch_weights", i32 2000, i32 1}'),)
"""Weights of a branch of whose successors one is rare: those that LLVM itself takes for `__builtin_expect`."""

FIRST_IS_UNUSUAL: Final[Metadata] = (("!prof", '!{!"branch_weights", i32 1, i32 15}'),)
"""Weights of a branch whose first successor is taken now and then: LLVM keeps it a branch, and has no profile of it."""

_PROFILED: Final[Metadata] = (("!prof", '!{!"function_entry_count", i64 1000}'),)


def declare_profile(function: Function) -> None:
    """Make a function's branch weights, if it has any, a profile. Without weights LLVM only takes longer."""
    if any(block.terminator.metadata in (FIRST_IS_RARE, SECOND_IS_RARE) for block in function.blocks):
        function.metadata += _PROFILED
