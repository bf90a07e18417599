# SPDX-License-Identifier: Apache-2.0
"""Prefetches for the loads of later iterations, in loops over a range by a stride.

    for (i = get_global_id(0); i < n; i += get_global_size(0)) z[i] = exp(y[i]);

Why
    Each iteration loads a line or two that are far from those of the one before: in another page, where the hardware
    runs ahead of nothing. A processor that executes out of order goes on to the next loads while it waits, but not
    across the hundred instructions of an exponential.

Method
    After a load of whole vectors, whose masks don't matter since prefetches never fault:

        prefetch (address of the load + (i + distance < n ? distance : 0)), one per line

    In the last iterations there is nothing to prefetch, and the address is that of the load. Sums are of 64 bits, so
    that those of an index of 32 bits don't wrap. Loads close to one another count once.

Needs
    1. The load reads runs of memory that is not the group's own, at addresses that are known after it.
    2. Its address grows with a phi of the innermost loop, by additions, extensions and indexing alone.
    3. The phi grows, on all ways back to the header, by a value that the loop does not change.
    4. Each iteration compares it, or its next value, with a bound that the loop does not change, to leave the loop. The
       comparison is of order: what is neither equal nor unequal may be past the end.
    5. Step and bound are the same for all lanes, and the phi's distance from lane to lane is known.
    6. If the load has a mask, each iteration does it, and the loop has divergent branches besides its exit: there is no
       version of it without masks then.

When not
    1. In loops of fewer than SHORTEST instructions: the processor looks across them. A gather or scatter counts as
       GATHER of them for each lane.
    2. Where the stride is constant, since most are short.
    3. From where an iteration prefetches MAX_LINES lines.
    Not known: strides that are subtracted, and addresses with products of the phi.

Times are in docs/cpu.md, "Loops by a stride".
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.flow import Flow, FlowLoop
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import NamedTypes, size_of
from lanewise.ir.predicates import inverse, mirrored
from lanewise.ir.values import Constant, Value, i32, i64
from lanewise.workgroup.lanes.analysis.chosen_bases import chosen_base
from lanewise.workgroup.lanes.analysis.cost_model import is_gather
from lanewise.workgroup.lanes.analysis.nontemporal import LINE
from lanewise.workgroup.lanes.memory.blended_stores import is_of_group
from lanewise.workgroup.lanes.memory.pending import PendingAccesses, Run
from lanewise.workgroup.lanes.memory.prefetch import centre
from lanewise.workgroup.lanes.memory.runs import byte
from lanewise.workgroup.lanes.values.lane_code import LaneCode
from lanewise.workgroup.lanes.values.lane_values import LaneValue

ITERATIONS: Final = 6
"""Iterations from what is loaded to what is prefetched. Loops of 25 and 60 multiply-adds took the same time with 4 and
8, and a third more with 2."""

SHORTEST: Final = 30
"""Fewest instructions of a loop that prefetches. Of loops of up to 26, most took longer with prefetches of doubles; of
those of 29 to 49, most took less time; numbers are in docs/cpu.md."""
GATHER: Final = 2
"""Instructions that a lane of a gather or scatter counts as: an access, and an element that is put in or taken out."""
MAX_LINES: Final = 32
"""Most lines that an iteration prefetches. Loops over eight arrays gained nothing from 64, and over four from 32."""
DEPTH: Final = 40
"""Most instructions from the phi to the address."""

_FOLLOWED: Final = frozenset({"sext", "zext", "freeze", "add", "getelementptr"})


class _Index(NamedTuple):
    """The value of a loop that an address grows with."""

    phi: Instruction
    nbytes: int
    """The growth of the address when the phi grows by 1."""


class _Stride(NamedTuple):
    """The stride of a phi, and the comparison that holds if there is another iteration."""

    step: Value
    goes_on: str
    bound: Value


def prefetch_ahead(
    code: LaneCode, pending: PendingAccesses, load: Instruction, block: Block, runs: Sequence[Run], *, masked: bool
) -> None:
    """Prefetch what a load of `block`, which has read the runs, reads some iterations later."""
    flow, pointer = code.divergence.flow, load.operands[0]
    loop = flow.loop_of(block)
    if loop is None or not runs or is_of_group(code, pointer):  # 1
        return
    index = _index_of(pointer, loop, code.divergence.types)
    stride = index and _stride_of(index.phi, loop, flow)
    if index is None or stride is None:
        return
    if _size(loop, code.divergence) < SHORTEST:  # not 1
        return
    if masked and not _is_for_all(block, loop, code.divergence):  # 6
        return
    first, step, bound = (code.use(value, block) for value in (index.phi, stride.step, stride.bound))
    if first.shape.is_varying or not step.shape.is_uniform or not bound.shape.is_uniform:  # 5
        return
    place = (centre(pointer, code.divergence.types), code.build.block)
    lines = sum(len(range(0, nbytes, LINE)) for _, nbytes in runs)
    if place in pending.prefetched or lines + sum(map(pending.lines_ahead, loop.blocks)) > MAX_LINES:  # not 3
        return
    pending.prefetched.add(place)
    pending.note_lines_ahead(block, lines)

    distance = _distance(code, stride, first, step, bound)
    distance = code.build.binary("mul", distance, i64(index.nbytes))
    for start, nbytes in runs:
        later = code.build.emit(Instruction("getelementptr", start.type, (start, distance), source_type=ty.I8))
        for offset in range(0, nbytes, LINE):
            arguments = [byte(code, later, offset), i32(0), i32(3), i32(1)]  # to read, into all caches, data
            code.intrinsic("llvm.prefetch.p0", ty.VOID, arguments)


def _distance(code: LaneCode, stride: _Stride, first: LaneValue, step: LaneValue, bound: LaneValue) -> Value:
    """The growth of the phi in ITERATIONS iterations, or 0 if there are not so many more."""
    extension = "zext" if stride.goes_on.startswith("u") else "sext"

    def extended(value: LaneValue) -> Value:
        scalar = code.scalar(value)
        return scalar if scalar.type.bits == 64 else code.build.cast(extension, scalar, ty.I64)

    ahead = code.build.binary("mul", extended(step), i64(ITERATIONS))
    then = code.build.binary("add", extended(first), ahead)
    is_inside = code.build.compare(stride.goes_on, then, extended(bound))
    return code.build.select(is_inside, ahead, i64(0))


def _index_of(value: Value, loop: FlowLoop, types: NamedTypes) -> _Index | None:
    """The index that a value grows with; None if there is none, or not one alone."""
    nbytes = 1
    for _ in range(DEPTH):
        if not isinstance(value, Instruction):
            return None
        if value.op == "phi" and value.block is loop.header:
            return _Index(value, nbytes) if value.type.is_int and value.type.bits in (32, 64) else None
        if value.op not in _FOLLOWED or len(value.operands) > 2:  # 2
            return None
        moving = [each for each in value.operands if not _is_outside(each, loop)]
        base = chosen_base(value)
        if base is not None and all(_is_outside(each, loop) for each in base.operands[1:]):
            moving = [each for each in moving if each is not base]
        if len(moving) != 1:
            return None
        if value.op == "getelementptr" and moving[0] is not value.operands[0]:
            assert value.source_type is not None
            nbytes *= size_of(value.source_type, types)
        value = moving[0]
    return None


def _stride_of(phi: Instruction, loop: FlowLoop, flow: Flow) -> _Stride | None:
    """The stride of a phi of the loop's header, and the bound that it or its next value is compared with."""
    latches = _latches(loop, flow)
    following = {value for value, before in phi.incoming() if before in loop.blocks}
    add = next(iter(following))
    if len(following) != 1 or not isinstance(add, Instruction) or add.op != "add" or phi not in add.operands:  # 3
        return None
    step = add.operands[1] if add.operands[0] is phi else add.operands[0]
    if isinstance(step, Constant) or not _is_outside(step, loop):  # not 2, 3
        return None
    for block in sorted(loop.blocks, key=flow.number):
        branch = block.terminator
        condition = branch.operands[0] if branch.op == "br" and len(branch.operands) == 3 else None
        if not isinstance(condition, Instruction) or condition.op != "icmp":
            continue
        stays = [target in loop.blocks for target in block.successors]
        left, right = condition.operands
        predicate = condition.predicate
        if right is phi or right is add:
            left, right, predicate = right, left, mirrored(predicate)
        if stays not in ([True, False], [False, True]) or not (left is phi or left is add):
            continue
        is_always_met = all(flow.tree.dominates(block, latch) for latch in latches)
        if is_always_met and predicate not in ("eq", "ne") and _is_outside(right, loop):  # 4
            return _Stride(step, predicate if stays[0] else inverse(predicate), right)
    return None


def _latches(loop: FlowLoop, flow: Flow) -> list[Block]:
    return [before for before in flow.predecessors[loop.header] if before in loop.blocks]


def _is_for_all(block: Block, loop: FlowLoop, divergence: Divergence) -> bool:
    """Return whether each iteration comes to a block, in a loop that has masks even while all work-items stay."""
    latches = _latches(loop, divergence.flow)
    branches = any(divergence.is_divergent(each) for each in loop.blocks if each not in latches)
    return branches and all(divergence.flow.tree.dominates(block, latch) for latch in latches)


def _size(loop: FlowLoop, divergence: Divergence) -> int:
    """The instructions of a chunk in one iteration."""
    instructions = [each for block in loop.blocks for each in block.instructions]
    gathers = sum(is_gather(divergence, each) for each in instructions)
    return len(instructions) + GATHER * gathers * divergence.extent.width


def _is_outside(value: Value, loop: FlowLoop) -> bool:
    return not isinstance(value, Instruction) or value.block not in loop.blocks
