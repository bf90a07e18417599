# SPDX-License-Identifier: Apache-2.0
"""Loads of neighbours in one of two arrays, which each lane chooses: `y[i] = c[i] > 0 ? a[i] : b[i]`.

Why
    LLVM makes one load of both, whose base is chosen in each lane. As a gather it takes an access per lane, whose
    address is known only after the condition, and of which nothing is prefetched (`prefetch_strides.py`). 2^20 numbers
    by 8,192 work-items of pyopencl's `if_positive` took 1.1 to 2.1 ms of CPU time on an EPYC 9005, and take 0.3 ms.

Method
    %base = select i1 %c, ptr %a, ptr %b        where %a and %b are the same for all lanes
    %p = getelementptr float, ptr %base, i64 %i
    %v = load float, ptr %p

becomes two loads of vectors, under the masks of %c and of its opposite, and a select.

Needs
    See `analysis/chosen_bases.py`.

When not
    Where processors have no masked vectors for all types.
"""

from typing import NamedTuple

from lanewise.analysis.shapes import Shape, normal
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import size_of
from lanewise.ir.values import Value
from lanewise.workgroup.lanes.analysis.chosen_bases import are_chosen_neighbours, chosen_base
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue


class Arm(NamedTuple):
    """The address of a load in one of the arrays, and the lanes in which that is chosen."""

    address: LaneValue
    mask: Mask


class ChosenLoad(NamedTuple):
    """A load in one of two arrays."""

    condition: LaneValue
    arms: tuple[Arm, Arm]


def choice_of(code: LaneCode, load: Instruction, block: Block, mask: Mask) -> ChosenLoad | None:
    """The choice by which a load's addresses are those of neighbours; None if it is not of this kind."""
    if not code.processor.masked_stores or not are_chosen_neighbours(code.divergence, load):
        return None
    pointer = load.operands[0]
    base = chosen_base(pointer)
    assert base is not None
    assert isinstance(pointer, Instruction)
    assert pointer.source_type is not None
    size = size_of(pointer.source_type, code.divergence.types)
    index = code.use(pointer.operands[1], block)
    lane, chunk = index.shape.lane, index.shape.chunk
    assert lane is not None
    assert chunk is not None
    shape = normal(Shape(lane * size, 0, chunk * size), code.extent)
    condition, first = code.use(base.operands[0], block), code.scalar(index)

    def arm(chosen: Value, wanted: bool) -> Arm:
        operands = (code.scalar(code.use(chosen, block)), first)
        address = code.build.emit(Instruction("getelementptr", pointer.type, operands, source_type=pointer.source_type))
        return Arm(LaneValue(pointer.type, shape, [address]), code.both(mask, condition, wanted))

    return ChosenLoad(condition, (arm(base.operands[1], True), arm(base.operands[2], False)))
