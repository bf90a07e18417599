# SPDX-License-Identifier: Apache-2.0
"""Which arrays a kernel reads, and which it writes, as far as its parameters tell."""

from __future__ import annotations

from typing import Final, NamedTuple

from lanewise.analysis.origins import parameters_behind
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import intrinsic_of
from lanewise.ir.values import Value

_SET: Final = "llvm.memset"
_COPIES: Final = ("llvm.memcpy", "llvm.memmove")


class Traffic(NamedTuple):
    """Names of the parameters whose memory is read and written. Memory that is reached through pointers in memory is
    not among it."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]


def traffic_of(kernel: Function) -> Traffic:
    """The traffic of a simplified kernel. A function that is not inlined may read and write what it is handed."""
    read: set[Value] = set()
    written: set[Value] = set()
    for instruction in kernel.instructions():
        loads, stores = _addresses(instruction)
        for address in loads:
            read.update(parameters_behind(address))
        for address in stores:
            written.update(parameters_behind(address))
    pointers = [(argument, argument.name or "") for argument in kernel.arguments if argument.type.is_pointer]
    return Traffic(
        tuple(name for argument, name in pointers if argument in read),
        tuple(name for argument, name in pointers if argument in written),
    )


def _addresses(instruction: Instruction) -> tuple[list[Value], list[Value]]:
    """The addresses that an instruction reads from, and those that it writes to."""
    match instruction.op:
        case "load":
            return [instruction.operands[0]], []
        case "store":
            return [], [instruction.operands[1]]
        case "atomicrmw" | "cmpxchg":
            return [instruction.operands[0]], [instruction.operands[0]]
        case "call":
            row = intrinsic_of(instruction.callee)
            pointers = [value for value in instruction.arguments if value.type.is_pointer]
            if row is None or row.name.startswith(_COPIES):
                return (pointers, pointers) if row is None else (pointers[1:], pointers[:1])
            if row.name.startswith(_SET):
                return [], pointers
            return (pointers if row.reads else [], pointers if row.writes else [])
        case _:
            return [], []
