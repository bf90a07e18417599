# SPDX-License-Identifier: Apache-2.0
"""The line table of a work-group function: places in the source are those of its kernel (`pipelines/lines.py`)."""

from __future__ import annotations

from typing import Final

from lanewise.ir.debug_info import UNITS
from lanewise.ir.function import Function
from lanewise.ir.module import Module

_FLAGS: Final = "!llvm.module.flags"
_VERSIONS: Final = ('!{i32 2, !"Debug Info Version", i32 3}', '!{i32 7, !"Dwarf Version", i32 4}')


def take_over_lines(source: Module, original: Function, target: Module, made: Function) -> None:
    """Give `made`, in `target`, the place in the source of `original` in `source`. `target` has the numbered nodes of
    `source`."""
    program = [m for m in original.metadata if m[0] == "!dbg"]
    if not program:
        return
    made.metadata += tuple(program)
    if UNITS not in target.metadata:
        target.metadata[UNITS] = source.metadata[UNITS]
        target.metadata[_FLAGS] = f"!{{{', '.join([target.add_metadata(version) for version in _VERSIONS])}}}"
