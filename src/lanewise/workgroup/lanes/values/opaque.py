# SPDX-License-Identifier: Apache-2.0
"""Masks hidden from LLVM by an optimisation barrier.

LLVM 22 goes wrong on a masked store of truncated whole numbers if just one lane of the mask is known to be set. It
stores that lane *before* truncation: a char's store writes four bytes, an int's eight. A mask is known if a block
has one work-item more than the vectors hold, or after `if (threadIdx.x == 0)`. Passed through an empty piece of
assembly, it is not.

Only processors whose masked stores can truncate are affected, such as those with AVX-512. There a mask has a register
of its own, from which it comes and goes in one instruction. With AVX2 the same takes twenty for eight lanes.
"""

from __future__ import annotations

from lanewise.ir import types as ty
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value
from lanewise.workgroup.lanes.values.lane_code import LaneCode


def may_be_truncated(type_: Type) -> bool:
    """Return whether vectors of `type_` can be the result of a truncation: whole numbers of less than 64 bits."""
    return type_.inner.kind == "int" and type_.inner.bits < 64


def opaque(code: LaneCode, bits: Value) -> Value:
    """The same mask, about which LLVM knows nothing."""
    build = code.build
    count = bits.type.count
    packed = build.cast("bitcast", bits, ty.integer(count))
    wide = ty.integer(max(32, count))
    if count < 32:
        packed = build.cast("zext", packed, wide)
    assembly = Constant(ty.PTR, "asm", 'asm "", "=r,0"')
    passed: Value = build.call(assembly, ty.function(wide, (wide,)), [packed])
    if count < 32:
        passed = build.cast("trunc", passed, ty.integer(count))
    return build.cast("bitcast", passed, bits.type)
