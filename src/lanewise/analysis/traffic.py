# SPDX-License-Identifier: Apache-2.0
"""Arrays that a kernel reads, and arrays that it writes, as far as its parameters tell."""

from typing import NamedTuple

from lanewise.analysis.origins import parameters_behind
from lanewise.ir import effects
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value


class Traffic(NamedTuple):
    """Names of the parameters whose memory is read, and of those whose memory is written. Memory that is reached
    through pointers in memory does not count."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]


def traffic_of(kernel: Function) -> Traffic:
    """The traffic of a simplified kernel. A function that is not inlined may read and write through its arguments."""
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
    if instruction.op in effects.ACCESSES:
        pointers = [effects.pointer_operand(instruction)]
    elif instruction.op == "call":
        pointers = [value for value in instruction.arguments if value.type.is_pointer]
    else:
        return [], []
    if effects.is_copy(instruction) and len(pointers) == 2:
        target, source = pointers
        return [source], [target]
    return (pointers if effects.reads(instruction) else [], pointers if effects.writes(instruction) else [])
