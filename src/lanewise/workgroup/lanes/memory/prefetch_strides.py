# SPDX-License-Identifier: Apache-2.0
"""Prefetches for the loads of later iterations, in loops over a range by a stride.

    for (i = get_global_id(0); i < n; i += get_global_size(0)) z[i] = exp(y[i]);

Why     Each iteration loads a line or two that are far from those of the one before: in another page, where the
        hardware runs ahead of nothing. A processor that executes out of order goes on to the next loads while it
        waits, but not across the hundred instructions of an exponential.
How     After a load of whole vectors, without masks:

            prefetch (address of the load + (i + distance < n ? distance : 0)), one per line

        The index is a phi of the loop that grows by a value that the loop does not change and that is not constant,
        since constant strides are mostly short. It is compared with a bound to leave the loop. In the last iterations
        there is nothing to prefetch, and the address is that of the load. Loads close to one another count once.

Measured on a Xeon with AVX-512, CPU time for 2^20 doubles by 8192 work-items, without and with: `exp` 5.3 and 1.5 ms,
`log` 7.8 and 2.5 ms.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from lanewise.analysis.flow import FlowLoop
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import NamedTypes, size_of
from lanewise.ir.predicates import inverse, mirrored
from lanewise.ir.values import Constant, Value, i32, i64, int_constant
from lanewise.workgroup.lanes.analysis.nontemporal import LINE
from lanewise.workgroup.lanes.memory.blended_stores import is_of_group
from lanewise.workgroup.lanes.memory.pending import PendingAccesses, Run
from lanewise.workgroup.lanes.memory.prefetch import centre
from lanewise.workgroup.lanes.memory.runs import byte
from lanewise.workgroup.lanes.values.lane_code import LaneCode

ITERATIONS: Final = 6
"""Iterations from what is loaded to what is prefetched. Loops of 25 and 60 multiply-adds took the same time with 4 and
8, and a third more with 2."""

_SAME: Final = frozenset({"sext", "zext", "freeze"})


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
    code: LaneCode, pending: PendingAccesses, load: Instruction, block: Block, runs: Sequence[Run]
) -> None:
    """Prefetch what a load of `block`, which has read the runs, reads some iterations later."""
    loop = code.divergence.flow.loop_of(block)
    pointer = load.operands[0]
    if loop is None or not runs or load.is_volatile or is_of_group(code, pointer):
        return
    index = _index_of(pointer, loop, code.divergence.types)
    stride = index and _stride_of(index.phi, loop)
    if index is None or stride is None:
        return
    first, step, bound = (code.use(value, block) for value in (index.phi, stride.step, stride.bound))
    if first.shape.is_varying or not step.shape.is_uniform or not bound.shape.is_uniform:
        return
    place = (centre(pointer, code.divergence.types), code.build.block)
    if place in pending.prefetched:
        return
    pending.prefetched.add(place)

    type_ = index.phi.type
    ahead = code.build.binary("mul", code.scalar(step), int_constant(type_, ITERATIONS))
    then = code.build.binary("add", code.scalar(first), ahead)
    is_inside = code.build.compare(stride.goes_on, then, code.scalar(bound))
    distance: Value = code.build.select(is_inside, ahead, int_constant(type_, 0))
    if type_.bits < 64:
        distance = code.build.cast("sext", distance, ty.I64)
    distance = code.build.binary("mul", distance, i64(index.nbytes))
    for start, nbytes in runs:
        later = code.build.emit(Instruction("getelementptr", start.type, (start, distance), source_type=ty.I8))
        for offset in range(0, nbytes, LINE):
            arguments = [byte(code, later, offset), i32(0), i32(3), i32(1)]  # to read, into all caches, data
            code.intrinsic("llvm.prefetch.p0", ty.VOID, arguments)


def _index_of(value: Value, loop: FlowLoop, types: NamedTypes) -> _Index | None:
    """The index that a value grows with; None if there is none, or not one alone."""
    if not isinstance(value, Instruction) or value.block not in loop.blocks:
        return None
    if value.op == "phi":
        is_index = value.block is loop.header and value.type.is_int and value.type.bits in (32, 64)
        return _Index(value, 1) if is_index else None
    moving = [each for each in value.operands if isinstance(each, Instruction) and each.block in loop.blocks]
    if len(moving) != 1:
        return None
    found = _index_of(moving[0], loop, types)
    if found is None or value.op in _SAME or value.op == "add":
        return found
    if value.op == "getelementptr" and len(value.operands) == 2:
        assert value.source_type is not None
        is_base = value.operands[0] is moving[0]
        return found if is_base else found._replace(nbytes=found.nbytes * size_of(value.source_type, types))
    return None


def _stride_of(phi: Instruction, loop: FlowLoop) -> _Stride | None:
    """The stride of a phi of the loop's header, and the bound that it or its next value is compared with."""
    following = {value for value, before in phi.incoming() if before in loop.blocks}
    add = next(iter(following))
    if len(following) != 1 or not isinstance(add, Instruction) or add.op != "add" or phi not in add.operands:
        return None
    step = add.operands[1] if add.operands[0] is phi else add.operands[0]
    if isinstance(step, Constant) or not _is_outside(step, loop):
        return None
    for block in loop.blocks:
        branch = block.terminator
        condition = branch.operands[0] if branch.op == "br" and len(branch.operands) == 3 else None
        if not isinstance(condition, Instruction) or condition.op != "icmp":
            continue
        stays = [target in loop.blocks for target in block.successors]
        left, right = condition.operands
        predicate = condition.predicate
        if right is phi or right is add:
            left, right, predicate = right, left, mirrored(predicate)
        if stays in ([True, False], [False, True]) and (left is phi or left is add) and _is_outside(right, loop):
            return _Stride(step, predicate if stays[0] else inverse(predicate), right)
    return None


def _is_outside(value: Value, loop: FlowLoop) -> bool:
    return not isinstance(value, Instruction) or value.block not in loop.blocks
