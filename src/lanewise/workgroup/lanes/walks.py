# SPDX-License-Identifier: Apache-2.0
"""Loops in which each lane walks along a row of memory of its own: several elements in an iteration.

Why     A vector of one element of each row is a gather, and the line that an element comes from is wanted again in the
        next iteration, after those of all other rows. Rows at a distance that is a power of two share a set of the
        first cache, which may have forgotten it by then. Of several elements each row is one load (`records.py`).

Before                                         After
    entering:                                  entering:
      br %loop                                   br %walk.guard
                                               walk.guard:
                                                 %rest = sub i32 %n, 0
                                                 %enough = icmp uge i32 %rest, 4
                                                 br %enough, %walk, %loop
                                               walk:                                ; four iterations
                                                 %k.w = phi [0, %walk.guard], [%next.3, %walk]
                                                 %a.0 = load float, %row + %k.w     ; one of each row
                                                 %next.0 = add nsw i32 %k.w, 1
                                                 %a.1 = load float, %row + %next.0  ; the same line
                                                 ...
                                                 %left = sub i32 %n, %next.3
                                                 %more = icmp uge i32 %left, 4
                                                 br %more, %walk, %walk.end
                                               walk.end:
                                                 %none = icmp eq i32 %left, 0
                                                 br %none, %walked, %loop
    loop:                                      loop:                                ; those that are left
      %k = phi [0, %entering], [%next, %loop]    %k = phi [0, %walk.guard], [%next.3, %walk.end], [%next, %loop]
      %a = load float, %row + %k                 %a = load float, %row + %k
      %next = add nsw i32 %k, 1                  %next = add nsw i32 %k, 1
      %done = icmp eq i32 %next, %n              %done = icmp eq i32 %next, %n
      br %done, %out, %loop                      br %done, %walked, %loop
                                               walked:
                                                 br %out

Needs
    1. A loop of one block with one way in, of at most MOST instructions, which writes nothing, so that loads of
       different iterations may be done together.
    2. It counts up by 1 to a bound; both are the same for all work-items of a unit, which hence leave it together.
    3. A gather whose address grows by the size of what is loaded, from one iteration to the next.

When not
    Where work-items leave the loop in different iterations (a sparse matrix), all would wait for the longest row; such
    loops are left to `is_better_as_loop`.

Measured on an EPYC 9005 (AVX-512), a matrix of 4096 x 4096 floats times a vector, 2 threads, in ms: 5.3 by 1 element
at a time, 2.3 by 2, 1.7 by 4 and by 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.flow import FlowLoop
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import NamedTypes
from lanewise.ir.values import Constant, Value, int_constant
from lanewise.workgroup.contexts import is_pure
from lanewise.workgroup.lanes.choice import is_gather
from lanewise.workgroup.lanes.siblings import is_simple, place_of
from lanewise.workgroup.loop_nest import LoopNest

ELEMENTS: Final = 4
"""Of a row in an iteration."""
MOST: Final = 40
"""Instructions of a loop: five times as many are made of it."""

MOST_STEP: Final = 1 << 10
"""Of the counter: several of them are far from wrapping round."""
FEW_BYTES: Final = 16
"""From an element to the next: such that one load is worth while."""

_GOES_ON: Final = {"eq": "ne", "uge": "ult", "sge": "slt"}
"""What holds where a comparison that a loop is left by doesn't."""
_SWAPPED: Final = {"eq": "eq", "ne": "ne", "ugt": "ult", "sgt": "slt", "ule": "uge", "sle": "sge"}
"""What holds of `b` and `a` where this holds of `a` and `b`."""


class Counter(NamedTuple):
    """What decides how often a loop is run."""

    phi: Instruction
    start: Value
    step: int
    """That the phi grows by in each iteration; of a pointer in bytes."""
    bound: Value
    late: bool
    """It is the phi that is compared with the bound, not its value in the next iteration."""
    goes_on: str
    """The predicate of what is compared and the bound where the loop is run again: ne, ult or slt."""


def unroll_walks(nest: LoopNest, divergence: Divergence) -> bool:
    """Unroll the loops of a work-item's code in which lanes walk along rows; gives whether there are any. `divergence`
    doesn't know of the new blocks."""
    walks = [loop.header for loop in divergence.flow.loops if _is_walk(divergence, loop)]
    for block in walks:
        _unroll(nest, block, divergence.types)
    return bool(walks)


# -- which loops -------------------------------------------------------------------------------------------------------


def _is_walk(divergence: Divergence, loop: FlowLoop) -> bool:
    block = loop.header
    if len(loop.blocks) > 1 or len(block.predecessors) != 2 or len(block.instructions) > MOST:  # 1
        return False
    if not all(i.op == "phi" or is_pure(i) or (i.op == "load" and is_simple(i)) for i in block.instructions[:-1]):  # 1
        return False
    counter = _counter(block, divergence.types)
    if counter is None or loop in divergence.divergent_loops or divergence.is_divergent(block):  # 2
        return False
    if not all(divergence.at_use(value, block).is_uniform for value in (counter.start, counter.bound)):  # 2
        return False
    loads = [i for i in block.instructions if i.op == "load"]
    return any(is_gather(divergence, load) and _walks(load, divergence.types) for load in loads)  # 3


def _counter(block: Block, types: NamedTypes) -> Counter | None:
    """What counts the iterations of a loop that is `block`."""
    branch = block.terminator
    condition = branch.operands[0]
    if not isinstance(condition, Instruction) or condition.op != "icmp":
        return None
    counted, bound = condition.operands
    predicate = condition.predicate
    if _is_of(bound, block):
        counted, bound, predicate = bound, counted, _SWAPPED.get(predicate, "")
    if branch.operands[1] is not block:
        predicate = _GOES_ON.get(predicate, "")
    if predicate not in _GOES_ON.values() or _is_of(bound, block):
        return None
    for phi, start, following in _around(block):
        late = counted is phi
        if counted is not following and not (late and predicate == "ne"):
            continue
        step = _step(phi, following, types)
        if step is not None and 0 < step <= MOST_STEP:
            return Counter(phi, start, step, bound, late, predicate)
    return None


def _around(loop: Block) -> list[tuple[Instruction, Value, Value]]:
    """The phis of a loop of one block, each with its value in the first iteration and that in the next one."""
    found: list[tuple[Instruction, Value, Value]] = []
    for phi in loop.phis:
        (start,) = (value for value, before in phi.incoming() if before is not loop)
        (following,) = (value for value, before in phi.incoming() if before is loop)
        found.append((phi, start, following))
    return found


def _step(phi: Instruction, following: Value, types: NamedTypes) -> int | None:
    """By how much a phi grows in each iteration, a pointer in bytes; None where that is no constant."""
    if phi.type.is_pointer:
        place = place_of(following, types)
        ((_, base, _), *others) = place.terms
        return place.offset if base is phi and not others else None
    if isinstance(following, Instruction) and following.op == "add" and following.operands[0] is phi:
        by = following.operands[1]
        return by.integer if isinstance(by, Constant) and by.kind == "int" else None
    return None


def _walks(load: Instruction, types: NamedTypes) -> bool:
    """The load's address grows by a few bytes in each iteration of the loop that is its block."""
    steps: dict[Value, int | None] = {phi: _step(phi, after, types) for phi, _, after in _around(load.parent)}
    total = 0
    for _, value, factor in place_of(load.operands[0], types).terms:
        if _is_of(value, load.parent):
            step = steps.get(value)
            if step is None:
                return False
            total += factor * step
    return 0 < abs(total) <= FEW_BYTES


def _is_of(value: Value, block: Block) -> bool:
    return isinstance(value, Instruction) and value.block is block


# -- their new code ----------------------------------------------------------------------------------------------------


def _unroll(nest: LoopNest, loop: Block, types: NamedTypes) -> None:
    counter = _counter(loop, types)
    assert counter is not None
    around = _around(loop)
    (entering,) = (before for before in loop.predecessors if before is not loop)
    guard, several, end, walked = (nest.new_block(f"{loop.name}.{n}") for n in ("guard", "walk", "left", "walked"))

    entering.terminator.replace_operand(loop, guard)
    build = Builder(guard)
    bound = _number(counter.bound, build)
    if counter.late:
        bound = build.binary("add", bound, int_constant(bound.type, counter.step))
    enough = int_constant(bound.type, ELEMENTS * counter.step)
    some = build.compare("uge", build.binary("sub", bound, _number(counter.start, build)), enough)
    if counter.goes_on != "ne":  # else a loop that begins behind its bound, and is run once
        some = build.binary("and", some, build.compare(counter.goes_on, counter.start, counter.bound))
    build.branch_if(some, several, loop)

    build = Builder(several)
    first = {phi: build.phi(phi.type, [(start, guard)], phi.name) for phi, start, _ in around}
    last = _iterations(loop, around, first, build)
    following = {phi: last.get(value, value) for phi, _, value in around}
    left = build.binary("sub", bound, _number(following[counter.phi], build))
    build.branch_if(build.compare("uge", left, enough), several, end)

    build = Builder(end)
    build.branch_if(build.compare("eq", left, int_constant(left.type, 0)), walked, loop)
    for phi, value in following.items():
        _add_incoming(first[phi], value, several)
        _add_incoming(phi, value, end)
        phi.replace_operand(entering, guard)
    _leave(loop, last, end, walked)


def _number(value: Value, build: Builder) -> Value:
    return build.cast("ptrtoint", value, ty.I64) if value.type.is_pointer else value


def _iterations(
    loop: Block, around: list[tuple[Instruction, Value, Value]], first: Mapping[Instruction, Value], build: Builder
) -> dict[Value, Value]:
    """Several iterations of a loop, one behind the other, which begin with these values of its phis; gives what stands
    for each of its values in the last one."""
    condition = loop.terminator.operands[0]
    values: dict[Value, Value] = dict(first.items())
    for number in range(ELEMENTS):
        if number:
            values = {phi: values.get(following, following) for phi, _, following in around}
        for instruction in loop.instructions[len(around) : -1]:
            if instruction is not condition or len(condition.users) > 1:
                operands = [values.get(operand, operand) for operand in instruction.operands]
                values[instruction] = build.emit(instruction.copied(operands))
    return values


def _leave(loop: Block, last: Mapping[Value, Value], end: Block, walked: Block) -> None:
    """Lead both ways out of the loop, from it and from `end`, through `walked`, behind which its values are phis."""
    (exit_,) = (after for after in loop.successors if after is not loop)
    loop.terminator.replace_operand(exit_, walked)
    build = Builder(walked)
    for value in loop.instructions[:-1]:
        outside = [user for user in value.users if user.block is not loop]
        if outside:
            merged = build.phi(value.type, name=value.name)
            for user in outside:
                user.replace_operand(value, merged)
            _add_incoming(merged, value, loop)
            _add_incoming(merged, last[value], end)
    build.branch(exit_)
    for phi in exit_.phis:
        phi.replace_operand(loop, walked)


def _add_incoming(phi: Instruction, value: Value, before: Block) -> None:
    phi.append_operand(value)
    phi.append_operand(before)
