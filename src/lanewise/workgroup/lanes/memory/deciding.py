# SPDX-License-Identifier: Apache-2.0
"""The value that decides whether lanes are neighbours: an address without what is known of its steps.

Why
    Addresses are vectors of 64 bits, two of AVX-512 for 16 lanes, and the left and right elements of a butterfly, each
    loaded and stored, took four tests. All are decided by one value of 32 bits, so LLVM finds the four tests equal.

Example
    %place = and i32 %own, %mask                          varying
    %left = sub i64 %twice, (zext nneg i32 %place)        %twice has step 2 from lane to lane
    %p = getelementptr <2 x float>, ptr %values, i64 %left
    %q = getelementptr <2 x float>, ptr %p, i64 %uniform

    are addresses of neighbours, 8 bytes apart, if %place has step 1.

Needs
    1. One operand is varying, and the steps of the others are known where they are used: then the varying one has to
       make up for the rest. An index narrower than 64 bits, which is extended, is a constant or has steps as a signed
       number.
    2. Of an address, the bytes that are to be made up are a whole number of the index's elements.
    3. A number is extended that isn't negative (`nneg`) in any lane, so all are active. The steps of all lanes together
       are less than the numbers that are negative: the sequence that is wanted then can't wrap.
    4. No operand is a value of a loop that lanes have left at different times. It may be the same in all lanes in each
       iteration, or have known steps, and yet vary after the loop.

Neighbours
    `neighbours.py` compares the value with that of lane 0.
"""

from lanewise.analysis.shapes import SIGNED, strides
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value
from lanewise.workgroup.lanes.values.lane_code import LaneCode


def deciding_value(code: LaneCode, pointer: Value, distance: int, masked: bool) -> tuple[Value, int]:
    """A value, and its step from lane to lane if lanes are neighbours at `distance` bytes, but not otherwise.
    `pointer` itself if there is no simpler one. `masked`: some lanes may be switched off."""
    value, step = pointer, distance
    while (operand := _operand(code, value, step, masked)) is not None:
        value, step = operand
    return value, step


def _operand(code: LaneCode, value: Value, step: int, masked: bool) -> tuple[Value, int] | None:
    if not isinstance(value, Instruction) or value in code.left:
        return None
    match value.op:
        case "getelementptr":
            if any(_may_wrap(code, index, value.parent) for index in value.operands[1:]):  # 1
                return None
            scaled = [(value.operands[0], 1), *strides(value, code.divergence.types)]
        case "add":
            scaled = [(operand, 1) for operand in value.operands]
        case "sub":
            scaled = [(value.operands[0], 1), (value.operands[1], -1)]
        case "zext" if (
            not masked and "nneg" in value.flags and _spans_less(code, step, value.operands[0].type.bits)
        ):  # 3
            scaled = [(value.operands[0], 1)]
        case _:
            return None
    if any(operand in code.left for operand, _ in scaled):  # 4
        return None
    varying: list[tuple[Value, int]] = []
    for operand, scale in scaled:
        known = code.divergence.at_use(operand, value.parent).lane
        if known is None:
            varying.append((operand, scale))
        else:
            step -= scale * known
    if len(varying) != 1:  # 1
        return None
    ((operand, scale),) = varying
    if not scale or step % scale or operand not in code.known:  # 2
        return None
    return operand, step // scale


def _may_wrap(code: LaneCode, index: Value, block: Block) -> bool:
    """Return whether the extension of an index may have other steps than the index."""
    if index.type.scalar.bits >= 64 or isinstance(index, Constant):
        return False
    shape = code.divergence.at_use(index, block)
    return shape.is_varying or not shape.exact & SIGNED


def _spans_less(code: LaneCode, step: int, bits: int) -> bool:
    """Return whether the steps of all lanes are less than half of the numbers of so many bits."""
    return abs(step) * code.extent.width < 1 << (bits - 1)
