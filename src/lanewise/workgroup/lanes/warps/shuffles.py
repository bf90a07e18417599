# SPDX-License-Identifier: Apache-2.0
"""shfl.sync: each lane gets the value of another lane of its segment.

Operands are (member mask, value, b, c): b is the distance or the number of the other lane. c has the clamp in bits 0
to 4, and in bits 8 to 12 the mask of the bits that are the segment's number. A lane whose source is outside of its
segment keeps its own value, and its predicate is false. Source: PTX ISA, "shfl.sync".

From a lane that takes no part the hardware reads an undefined value; here it is the value of the lane's register.

b and c constant             one shufflevector
the same lane for all        that lane's element, a scalar
the same in each segment     the warp's values in memory, one loaded for each segment
else                         the same, gathered (vpgatherdd if that is fast, else 32 loads)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.values import Constant, Value, i32, int_constant, poison
from lanewise.workgroup.lanes.warps.warp import FLAGS, WARP_SIZE, Warp, words

MODES: Final = ("up", "down", "bfly", "idx")

_LANES: Final = range(WARP_SIZE)
_WHOLE_WARP: Final = 31
"""The operand c with all of the warp as one segment, and no lane out of range."""


def shuffle(mode: str) -> Callable[[Warp, Value, Value, Value, Value], Value]:
    return lambda warp, mask, value, b, c: _shuffle(warp, mode, value, b, c)[0]


def shuffle_with_predicate(mode: str) -> Callable[[Warp, Value, Value, Value, Value], tuple[Value, Value]]:
    return lambda warp, mask, value, b, c: _shuffle(warp, mode, value, b, c)


def _shuffle(warp: Warp, mode: str, value: Value, b: Value, c: Value) -> tuple[Value, Value]:
    """The value, and whether its source is in range."""
    b_known, c_known = constant_integer(b), constant_integer(c)
    if b_known is not None and c_known is not None:
        return _by_constants(warp, mode, value, b_known, c_known)
    if mode == "idx" and c_known == _WHOLE_WARP and not b.type.is_vector:
        return _of_lane(warp, value, warp.binary("and", b, i32(31))), int_constant(ty.I1, 1)
    if mode == "idx" and c_known is not None and c_known & 31 == 31 and not b.type.is_vector:
        return _of_lane_in_segments(warp, value, b, c_known >> 8 & 31), int_constant(ty.I1, 1)
    source, in_range = _source(warp, mode, b, c)
    return of_lanes(warp, value, warp.select(in_range, source, words(_LANES))), in_range


def constant_integer(value: Value) -> int | None:
    """The integer that a value is known to be."""
    return value.integer if isinstance(value, Constant) and value.kind in ("int", "zeroinitializer") else None


# -- which lane ----------------------------------------------------------------------------------------------------


def _by_constants(warp: Warp, mode: str, value: Value, b: int, c: int) -> tuple[Value, Value]:
    sources = [_constant_source(mode, lane, b, c) for lane in _LANES]
    kept = [lane if source is None else source for lane, source in zip(_LANES, sources, strict=True)]
    in_range = [int_constant(ty.I1, source is not None) for source in sources]
    predicate = in_range[0] if len(set(map(bool, (p.integer for p in in_range)))) == 1 else _flags(in_range)
    if not value.type.is_vector:
        return value, predicate
    if len(set(kept)) == 1:
        return warp.element(value, i32(kept[0])), predicate
    return warp.permuted(value, kept), predicate


def _constant_source(mode: str, lane: int, b: int, c: int) -> int | None:
    """The lane that a lane reads; None if that is out of range."""
    offset, clamp, segment = b & 31, c & 31, c >> 8 & 31
    first = lane & segment
    last = first | clamp & ~segment
    match mode:
        case "up":
            return lane - offset if lane - offset >= last else None
        case "down":
            source = lane + offset
        case "bfly":
            source = lane ^ offset
        case _:
            source = first | offset & ~segment
    return source if source <= last else None


def _source(warp: Warp, mode: str, b: Value, c: Value) -> tuple[Value, Value]:
    """The same for operands that are known at run time: the lane that each lane would read, and whether it may."""
    lane = words(_LANES)
    offset, clamp = warp.binary("and", b, i32(31)), warp.binary("and", c, i32(31))
    segment = warp.binary("and", warp.binary("lshr", c, i32(8)), i32(31))
    within = warp.binary("xor", segment, i32(-1))
    first = warp.binary("and", lane, segment)
    last = warp.binary("or", first, warp.binary("and", clamp, within))
    match mode:
        case "up":
            source = warp.binary("sub", lane, offset)
        case "down":
            source = warp.binary("add", lane, offset)
        case "bfly":
            source = warp.binary("xor", lane, offset)
        case _:
            source = warp.binary("or", first, warp.binary("and", offset, within))
    return source, warp.compare("sge" if mode == "up" else "sle", source, last)


def _flags(values: list[Constant]) -> Constant:
    return Constant(FLAGS, "aggregate", operands=tuple(values))


# -- and its value -------------------------------------------------------------------------------------------------


def _of_lane(warp: Warp, value: Value, lane: Value) -> Value:
    return warp.element(value, lane) if value.type.is_vector else value


def _of_lane_in_segments(warp: Warp, value: Value, lane: Value, segment: int) -> Value:
    """The value of one lane of each segment, whose number counts from the segment's first lane. `segment`: the bits of
    a lane's number that are the segment's."""
    if not value.type.is_vector:
        return value
    scalar = value.type.inner
    warp.build.store(value, warp.scratch, align=64)
    place = warp.binary("and", lane, i32(~segment & 31))
    found: Value = poison(value.type)
    for first in sorted({each & segment for each in _LANES}):
        address = warp.build.address(scalar, warp.scratch, [warp.binary("or", place, i32(first))])
        element = warp.splat(warp.build.load(scalar, address, align=scalar.bits // 8))
        own = _flags([int_constant(ty.I1, each & segment == first) for each in _LANES])
        found = warp.build.select(own, element, found)
    return found


def of_lanes(warp: Warp, value: Value, lanes: Value) -> Value:
    """The value that each lane's source has."""
    if not value.type.is_vector:
        return value
    warp.build.store(value, warp.scratch, align=64)
    return warp.gathered(value.type.inner, warp.scratch, lanes)
