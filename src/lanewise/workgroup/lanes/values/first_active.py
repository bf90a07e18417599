# SPDX-License-Identifier: Apache-2.0
"""The first lane that is switched on, whose address others are compared with, and the last one."""

from __future__ import annotations

from lanewise.analysis.shapes import Shape
from lanewise.ir import types as ty
from lanewise.ir.values import Value, int_constant
from lanewise.workgroup.lanes.values.lane_code import LaneCode
from lanewise.workgroup.lanes.values.lane_values import LaneValue


def first_active(code: LaneCode, mask: LaneValue, chunk: int, shared: bool = False) -> Value | None:
    """The first active lane of a chunk (`shared`: of any chunk), i32; some lane if none is active; None if all lanes
    are or none is."""
    bits = _bits(code, mask, chunk, shared)
    if bits is None:
        return None
    function = ty.function(ty.I32, (ty.I32, ty.I1))
    zeros = code.build.call_function(code.external("llvm.cttz.i32", function), [bits, int_constant(ty.I1, 0)])
    return code.build.binary("and", zeros, int_constant(ty.I32, code.extent.width - 1))


def last_active(code: LaneCode, mask: LaneValue, chunk: int) -> Value | None:
    """The last active lane of a chunk, as `first_active` returns the first one."""
    bits = _bits(code, mask, chunk, False)
    if bits is None:
        return None
    function = ty.function(ty.I32, (ty.I32, ty.I1))
    zeros = code.build.call_function(code.external("llvm.ctlz.i32", function), [bits, int_constant(ty.I1, 0)])
    place = code.build.binary("sub", int_constant(ty.I32, 31), zeros)
    return code.build.binary("and", place, int_constant(ty.I32, code.extent.width - 1))


def _bits(code: LaneCode, mask: LaneValue, chunk: int, shared: bool) -> Value | None:
    """The mask of a chunk as the bits of an i32; None if all lanes have the same."""
    if mask.shape.lane == 0:
        return None
    merged = code.mask_of(mask, Shape(None, None, 0)) if shared else mask
    assert merged is not None
    width = code.extent.width
    bits = code.build.cast("bitcast", code.vector(merged, chunk), ty.integer(width))
    return code.build.cast("zext", bits, ty.I32) if width < 32 else bits
