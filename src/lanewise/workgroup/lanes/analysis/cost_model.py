# SPDX-License-Identifier: Apache-2.0
"""A small model of what code costs, by which the width, the number and the axis of vectors are chosen.

    chunks    as many as hide latencies and share loads, while all values that live together stay in registers (more
              of them if rows of an array are loaded and stored, so that no load comes after a store); one if loops
              gather: each further chunk adds cache lines, which such loops wait for
    width     for loops that gather from one row of memory per lane, no more lanes than the first cache keeps rows
              (`Processor.rows`) of all arrays: rows at a distance that is a power of two fall into one set of it
    axis      y if loops load vectors that depend on x only: chunks above each other share them
    loop      a loop over work-items instead, if the loops of the code do hardly anything but gather, or if code that
              only the first work-items do does

Constants were measured on processors with 16 lanes of 32 bits, by bench/cpu.
"""

import sys
from collections.abc import Callable
from typing import Final, NamedTuple

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.flow import FlowLoop
from lanewise.analysis.shapes import Shape
from lanewise.ir import effects
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Value
from lanewise.workgroup.lanes.analysis.plan import Plan

REGISTERS: Final = {64: 28, 32: 14, 16: 14}
"""Vector registers by their bytes (AVX-512, AVX2, SSE or NEON), less a few for constants and addresses."""
MOST_CHUNKS: Final = 16
"""Most chunks in loops, in which each hides the latency of the others."""
STRAIGHT_CHUNKS: Final = 4
"""Most chunks of code without loops. More gain nothing, but for `updates_rows`. Also those of loops whose gathers wait
for each other: on an EPYC 9005, searches in a sorted table took 5.4 ms with one chunk, 2.0 with 4, 8 or 16, and
samples that go down a tree 5.0, 3.0, 3.1 and 3.2 ms, and counts in a private array 2.8 and 1.1 ms (1 and 4)."""
UPDATE_CHUNKS: Final = 8
"""Chunks of code for which `updates_rows` holds: faster than fewer or more, even if not all values stay in registers
(gaussian and floydwarshall of bench/cpu, with AVX2 and AVX-512, EPYC 9005). Code whose values for two chunks don't stay
in registers is none of these: a step of a bitonic sort in 16 values spilled 130 vectors."""
LARGE: Final = 1600
"""Instructions of a region, times chunks, beyond which code takes too long to compile."""
MOST_LOSS: Final = -8
"""The loss of shared scalar loads for which chunks along y are still worth it if x has no room for as many."""
GATHER_SHARE: Final = 0.34
"""The share of gathers among the instructions of a divergent loop from which a loop over work-items is faster."""
MUCH: Final = 0.15
"""The share of gathers among the instructions of a loop from which it waits for memory."""

_FEWEST_LANES: Final = 4

_FREE: Final = frozenset({"getelementptr", "sext", "zext"})
"""Operations that are parts of addresses."""

Analyse = Callable[[Plan], Divergence]


class LoopWork(NamedTuple):
    """The work of the innermost loops, or of all code if there are none, in instructions of one chunk."""

    instructions: int
    gathers: int
    """Loads and stores at addresses that are not neighbours."""
    along_rows: int
    """Gathers by lanes that each go along a row of memory of their own."""
    arrays: int
    """Arrays whose rows these go along."""
    divergent: bool
    """True for a loop that work-items leave in different iterations."""
    in_loop: bool
    chained: bool
    """True if gathers need what those of the iteration before have loaded or stored; those along rows don't count."""

    @property
    def waits_for_memory(self) -> bool:
        return self.gathers >= MUCH * max(1, self.instructions)

    @property
    def goes_along_rows(self) -> bool:
        return self.waits_for_memory and self.along_rows > 0 and not self.chained


def work_of(divergence: Divergence) -> LoopWork:
    """The work of the code that takes the most time."""
    flow = divergence.flow
    hot, depth = _hot(divergence)
    instructions = [i for block in hot for i in block.instructions if i.op != "phi" and not i.is_terminator]
    gathers = [i for i in instructions if depth and is_gather(divergence, i)]
    loop = flow.loop_of(hot[0]) if hot else None
    along_rows = [i for i in gathers if _goes_along_row(divergence, i)]
    return LoopWork(
        sum(i.op not in _FREE for i in instructions),
        len(gathers),
        len(along_rows),
        len({_array(effects.pointer_operand(i)) for i in along_rows}),
        loop is not None and loop in divergence.divergent_loops,
        depth > 0,
        loop is not None and (_is_chained(loop, gathers) or (not along_rows and _updates(gathers))),
    )


def _is_chained(loop: FlowLoop, gathers: list[Instruction]) -> bool:
    """Return whether a value that a gather of one iteration leads to decides where one of the next iteration loads."""
    carried = [value for value in _reached(loop, gathers) if value.op == "phi" and value.block is loop.header]
    return not _reached(loop, carried).isdisjoint(gathers)


def _updates(gathers: list[Instruction]) -> bool:
    """Return whether some load an array that others store to."""
    arrays = {op: {_array(effects.pointer_operand(i)) for i in gathers if i.op == op} for op in ("load", "store")}
    return not arrays["load"].isdisjoint(arrays["store"])


def _reached(loop: FlowLoop, sources: list[Instruction]) -> set[Instruction]:
    """The instructions of a loop that depend on some of it."""
    found: set[Instruction] = set()
    work = list(sources)
    while work:
        users = {user for user in work.pop().users if user.block in loop.blocks} - found
        found |= users
        work += users
    return found


def most_rows(work: LoopWork, rows: int) -> int:
    """The most lanes for which a first cache that keeps `rows` lines at distances of a power of two keeps a line of
    each row of each array: rows of different arrays are at such distances, too. There are four lanes at least:
    16 bytes of types of 32 bits.

    Each work-item of adi_kernel3 of PolyBench goes along rows of three arrays of 4 KiB each. On an EPYC 9005, whose
    first cache has 12 ways, it took 7.7 ms with 16 lanes, 3.3 with 8, and 1.8 with 4.
    """
    lanes = max(_FEWEST_LANES, rows // max(1, work.arrays))
    return 1 << (lanes.bit_length() - 1)


def _hot(divergence: Divergence) -> tuple[list[Block], int]:
    """The blocks of the innermost loops, or all if there are none; and their nesting depth. Loops that do nothing but
    what is the same for all work-items don't count."""
    flow = divergence.flow
    depth = {block: len(flow.loops_around(block)) for block in flow.order if block is not flow.end}
    deepest = max((d for block, d in depth.items() if _has_vectors(divergence, block)), default=0)
    return [block for block, d in depth.items() if d == deepest], deepest


def _has_vectors(divergence: Divergence, block: Block) -> bool:
    """Return whether a block computes, loads or stores something that differs between work-items."""
    return any(
        not divergence.of_address(pointer, block).is_uniform
        if (pointer := _pointer(instruction)) is not None
        else instruction.op in ("atomicrmw", "cmpxchg", "call") or divergence.at_definition(instruction).is_varying
        for instruction in block.instructions
        if not instruction.is_terminator and not instruction.is_debug_record
    )


def chosen_chunks(work: LoopWork, pressure: "Pressure", size: int, register_bytes: int, updates: bool = False) -> int:
    """The number of chunks in a unit. `size`: instructions of the region. `updates`: see `updates_rows`."""
    if work.waits_for_memory and not work.chained:
        return 1
    registers = REGISTERS[register_bytes] - pressure.shared
    if updates and 2 * pressure.each <= registers:
        chunks, registers = UPDATE_CHUNKS, sys.maxsize
    else:
        chunks = MOST_CHUNKS if work.in_loop and not work.waits_for_memory else STRAIGHT_CHUNKS
    while chunks > 1 and (chunks * pressure.each > registers or chunks * size > LARGE):
        chunks //= 2
    return chunks


def chosen_axis(analyse: Analyse, plan_x: Plan, plan_y: Plan) -> str:
    """The axis of the chunks: y if chunks along y share vector loads or make columns runs, else x."""
    beside, above = analyse(plan_x), analyse(plan_y)
    gain = 0
    for block in above.flow.order:
        if block is above.flow.end:
            continue
        weight = 8 if above.flow.loop_of(block) else 1
        for instruction in block.instructions:
            pointer = _pointer(instruction)
            if pointer is None:
                continue
            in_y, in_x = above.of_address(pointer, block), beside.of_address(pointer, block)
            if in_y.lane != 0 and in_y.chunk == 0 and instruction.op == "load":
                gain += 2 * weight
            if in_x.lane == 0 and in_x.chunk == 0 and in_y.chunk != 0:
                gain -= weight
            if in_y.lane is None and in_y.chunk:
                gain += 4 * weight
        if above.is_divergent(block) and not beside.is_divergent(block):
            gain -= 4 * weight
    more = plan_y.extent.chunks > plan_x.extent.chunks
    return "y" if gain > (MOST_LOSS if more else 0) else "x"


def updates_rows(divergence: Divergence) -> bool:
    """Return whether code without loops loads and stores the rows of an array, whose distance is not known before the
    launch.

    That distance often is a power of two. Then a load waits for the store to another row that an earlier unit has done,
    whose address has the same low 12 bits (Intel 64 and IA-32 Architectures Optimization Reference Manual, "4-KByte
    Aliasing"). In one unit, the loads of all chunks come first.
    """
    flow = divergence.flow
    arrays: dict[str, set[Value]] = {"load": set(), "store": set()}
    for block in flow.order:
        if block is flow.end:
            continue
        if flow.loop_of(block) is not None:
            return False
        for instruction in block.instructions:
            pointer = _pointer(instruction)
            if pointer is not None:
                shape = divergence.of_address(pointer, block)
                if shape.lane and shape.chunk is None:
                    arrays[instruction.op].add(_array(pointer))
    return not arrays["load"].isdisjoint(arrays["store"])


def _array(pointer: Value) -> Value:
    while isinstance(pointer, Instruction) and pointer.op == "getelementptr":
        pointer = pointer.operands[0]
    return pointer


def branches_on_place(divergence: Divergence, arena: Value) -> bool:
    """Return whether code without loops has divergent branches and accesses memory of the group.

    Such code mostly asks for the place in a tile, so that some units of each group need masks; other code asks for the
    bounds of an array, and hardly ever does. Where masks are vectors, they are better made for two vectors at once:
    with AVX2 (EPYC 7003), hotspot and pathfinder of Rodinia take a quarter less time so. In loops that work-items leave
    at different times, more lanes would wait for the last one.
    """
    flow = divergence.flow
    if flow.loops or not any(divergence.is_divergent(block) for block in flow.order):
        return False
    code = (i for block in flow.order if block is not flow.end for i in block.instructions)
    return any(_array(pointer) is arena for pointer in map(_pointer, code) if pointer is not None)


def is_better_as_loop(work: LoopWork) -> bool:
    """Return whether a loop over work-items is better: it does the same with scalar loads along memory, without waiting
    for the slowest lane."""
    return work.divergent and work.instructions > 0 and work.gathers / work.instructions >= GATHER_SHARE


def leading_gather(divergence: Divergence) -> bool:
    """Return whether code without loops, which only the first work-items of a block do (`items/leading_items.py`),
    hardly does anything but gather. A loop over those work-items is better: it does nothing for the others, and in
    vectors each access is made lane by lane, or costs as much."""
    flow = divergence.flow
    if any(flow.loop_of(block) is not None for block in flow.order):
        return False
    code = [i for block in flow.order if block is not flow.end for i in block.instructions]
    accesses = [i for i in code if _pointer(i) is not None]
    gathers = [i for i in accesses if is_gather(divergence, i)]
    computed = [i for i in code if i not in accesses and divergence.at_use(i, i.parent).is_varying]
    return bool(gathers) and len(gathers) >= GATHER_SHARE * (len(accesses) + len(computed))


def _pointer(instruction: Instruction) -> Value | None:
    """The address of a load or store. Atomic operations are done lane by lane, wherever they are."""
    return effects.pointer_operand(instruction) if instruction.op in ("load", "store") else None


def is_gather(divergence: Divergence, instruction: Instruction) -> bool:
    """Return whether an access is to addresses that are not neighbours, as far as is known or expected."""
    pointer = _pointer(instruction)
    if pointer is None:
        return False
    shape = divergence.of_address(pointer, instruction.parent)
    if shape.lane is None:
        shape = divergence.if_together(pointer) or shape
    if shape.lane is None:
        return True
    return abs(shape.lane) > 4 * _bytes(effects.accessed_type(instruction))


def _goes_along_row(divergence: Divergence, access: Instruction) -> bool:
    """Return whether an address is the sum of a value that varies from lane to lane but not from one iteration to the
    next, and a uniform value that changes from one iteration to the next."""
    pointer = _pointer(access)
    if not isinstance(pointer, Instruction) or pointer.op != "getelementptr":
        return False
    index = pointer.operands[-1]
    base = divergence.at_use(pointer.operands[0], access.parent)
    if not base.is_uniform:
        return isinstance(index, Instruction) and divergence.at_use(index, access.parent).is_uniform
    if isinstance(index, Instruction) and index.op == "sext":
        index = index.operands[0]
    start = pointer.operands[0]
    loop = divergence.flow.loop_of(access.parent)
    if loop is not None and isinstance(start, Instruction) and start.block in loop.blocks:
        return isinstance(index, Instruction) and index.block not in loop.blocks
    if not isinstance(index, Instruction) or index.op not in ("add", "or"):
        return False
    shapes = [divergence.at_use(o, access.parent) for o in index.operands]
    return any(s.is_uniform for s in shapes) and any(not s.is_uniform for s in shapes)


class Pressure(NamedTuple):
    """Most vectors of 32-bit lanes that are live at the same time in the innermost loops."""

    each: int
    """Registers of each chunk."""
    shared: int
    """Registers of all chunks together."""


def pressure_of(divergence: Divergence) -> Pressure:
    """The pressure of a plan with several chunks."""
    blocks, _ = _hot(divergence)
    found = [_live(divergence, block) for block in blocks]
    return Pressure(max((p.each for p in found), default=0), max((p.shared for p in found), default=0))


def _live(divergence: Divergence, block: Block) -> Pressure:
    """The most varying values of a block that live at the same time: values that come in, and those that the block
    computes."""
    last: dict[Value, int] = {}
    for position, instruction in enumerate(block.instructions):
        if instruction.op != "phi":
            last.update((o, position) for o in instruction.operands if isinstance(o, Instruction))
    inside = set(block.instructions)
    end = len(block.instructions)
    for instruction in block.instructions:
        if any(user.block is not block or user.op == "phi" for user in instruction.users):
            last[instruction] = end
    each = shared = 0
    scalars = divergence.address_parts()

    def count(value: Value, sign: int) -> None:
        nonlocal each, shared
        if value in scalars:
            return
        shape = divergence.at_use(value, block)
        if shape.chunk == 0:
            shared += sign * _vectors(shape, value.type)
        else:
            each += sign * _vectors(shape, value.type)

    for value in last:
        if value not in inside:
            count(value, 1)
    most = [each, shared]
    for position, instruction in enumerate(block.instructions):
        for operand in {o for o in instruction.operands if isinstance(o, Instruction)}:
            if last.get(operand) == position:
                count(operand, -1)
        if instruction in last:
            count(instruction, 1)
        most = [max(most[0], each), max(most[1], shared)]
    return Pressure(*most)


def _vectors(shape: Shape, type_: Type) -> int:
    """Registers for the values of a chunk, counted in registers of 32-bit lanes."""
    if not shape.is_varying or type_.bits == 1 or type_.kind == "void":
        return 0
    if type_.is_pointer:
        return 0  # mostly an index from a common base
    if type_.is_vector:
        return type_.count * max(1, type_.inner.bits // 32)
    return max(1, type_.bits // 32)


def _bytes(type_: Type) -> int:
    return max(1, (type_.inner.bits * type_.count if type_.is_vector else type_.bits) // 8)
