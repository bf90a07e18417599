# SPDX-License-Identifier: Apache-2.0
"""Checks of indices: one out of bounds is reported, and ends its work-item.

The launch has room for one report (`Fault`), which the first work-item to fail takes.
"""

from typing import Final, NamedTuple

from lanewise.frontend.python.code import PythonCode
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction, Ordering
from lanewise.ir.values import Value, i64

FAULTS: Final = "index.faults"
"""The parameter that points to the report."""


class IndexFault(NamedTuple):
    """The words of a report, of 64 bits each. `number`: faults so far. The others are those of the first: its line, and
    `position`, the index as written."""

    number: int
    line: int
    position: int
    extent: int
    axis: int


def checked(code: PythonCode, index: Value, extent: Value, axis: int) -> Value:
    """An index counted from the start, if it is within -extent and extent - 1; else the work-item ends."""
    build = code.build
    negative = code.compare("slt", index, i64(0))
    position = build.select(negative, code.plus(index, extent), index)
    outside, inside = code.new_block("out.of.bounds"), code.new_block("in.bounds")
    build.branch_if(code.compare("ult", position, extent), inside, outside)
    code.go_on(outside)
    _report(code, index, extent, axis)
    code.go_on(inside)
    return position


def _report(code: PythonCode, index: Value, extent: Value, axis: int) -> None:
    assert code.faults is not None
    build, room = code.build, code.faults
    first = build.emit(
        Instruction("atomicrmw", ty.I64, (room, i64(1)), predicate="add", ordering=Ordering("monotonic"), align=8)
    )
    tell, end = code.new_block("report"), code.new_block("ended")
    build.branch_if(code.compare("eq", first, i64(0)), tell, end)
    code.go_on(tell)
    for place, word in enumerate((i64(code.line), index, extent, i64(axis)), 1):
        build.store(word, code.build.offset(room, 8 * place), 8)
    code.branch(end)
    code.go_on(end)
    leave = code.program.module.declare("llvm.nvvm.exit", ty.function(ty.VOID, ()))
    build.call_function(leave, ())
    build.unreachable()
