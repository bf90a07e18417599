# SPDX-License-Identifier: Apache-2.0
"""Accesses that may come between the same two barriers, in different threads.

Threads of a block leave a barrier, or the start of the kernel, together, and then each takes a way of its own to the
next barrier. So two accesses may come in one epoch if both are reached from one such point without a barrier on the
way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction


def epochs(kernel: Function, is_barrier: Callable[[Instruction], bool]) -> Iterator[set[Instruction]]:
    """For each place that threads leave together, the instructions that they may come to before the next one."""
    for block in kernel.blocks:
        if block is kernel.entry:
            yield _reached(block, 0, is_barrier)
        for number, instruction in enumerate(block.instructions):
            if is_barrier(instruction):
                yield _reached(block, number + 1, is_barrier)


def conflicts(
    kernel: Function,
    is_barrier: Callable[[Instruction], bool],
    objects: Mapping[Instruction, frozenset[object]],
    writes: Iterable[Instruction],
) -> Iterator[tuple[object, frozenset[Instruction]]]:
    """The accesses that may race with one another, or with themselves in another thread: for each epoch the objects
    that are written there, each with all accesses to it. `objects`: those that each access may be of; `writes`: the
    accesses that write."""
    writing = set(writes)
    for together in epochs(kernel, is_barrier):
        accesses = [each for each in together if each in objects]
        written = {object_ for each in accesses if each in writing for object_ in objects[each]}
        for object_ in written:
            yield object_, frozenset(each for each in accesses if object_ in objects[each])


def _reached(block: Block, first: int, is_barrier: Callable[[Instruction], bool]) -> set[Instruction]:
    found: set[Instruction] = set()
    work = [(block, first)]
    seen: set[Block] = set()
    while work:
        here, start = work.pop()
        for instruction in here.instructions[start:]:
            if is_barrier(instruction):
                break
            found.add(instruction)
        else:
            for successor in here.successors:
                if successor not in seen:
                    seen.add(successor)
                    work.append((successor, 0))
    return found
