# SPDX-License-Identifier: Apache-2.0
"""Marks global ids as sums that don't overflow, if the launch is small enough.

    Before                                      After, for grids whose extent in work-items fits 31 bits
    %m = mul i32 %ctaid.x, %ntid.x              %m = mul nuw nsw i32 %ctaid.x, %ntid.x
    %i = add i32 %m, %tid.x                     %i = add nuw nsw i32 %m, %tid.x

Why: `int i = blockIdx.x * blockDim.x + threadIdx.x` is unsigned arithmetic that may wrap. Extended to the 64 bits of
an address, neighbours in x are then not known to be neighbours in memory, and LLVM's vectoriser gathers instead of
loading a vector. Nearly every launch has less than 2^31 work-items along each axis; the machine code is made for such
grids or for others, as the launch says.

Needs: 1. the grid's extent along the axis, in work-items, to be at most 2^31 - 1;
       2. the factor of the group's index to be at most the local size along the axis.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value
from lanewise.workgroup.layout.local_size import Extent

_REGISTER: Final = "llvm.nvvm.read.ptx.sreg."
_NO_WRAP: Final = ("nuw", "nsw")


def mark_global_ids(kernel: Function, block: Extent | None) -> bool:
    """Mark the sums that make global ids, and the products in them, for a grid that meets condition 1. `block` is None
    for any local size. Returns whether there were any."""
    changed = False
    for instruction in kernel.instructions():
        if instruction.op not in ("add", "or") or instruction.type.bits != 32:
            continue
        for axis, extent in zip("xyz", block or (0, 0, 0), strict=True):
            for product, item in (instruction.operands, reversed(instruction.operands)):
                if _reads(item, f"tid.{axis}") and _is_group_offset(product, axis, extent):
                    if instruction.op == "add":
                        instruction.flags = _NO_WRAP
                    assert isinstance(product, Instruction)
                    product.flags = _NO_WRAP
                    changed = True
    return changed


def _is_group_offset(value: Value, axis: str, extent: int) -> bool:
    """Return whether a value is ctaid times something that is at most the local size (2)."""
    if not isinstance(value, Instruction) or value.op not in ("mul", "shl"):
        return False
    group, factor = value.operands
    if value.op == "mul" and not _reads(group, f"ctaid.{axis}"):
        group, factor = factor, group
    if not _reads(group, f"ctaid.{axis}"):
        return False
    if isinstance(factor, Constant) and factor.kind == "int":
        times = 1 << factor.integer if value.op == "shl" else factor.integer
        return 0 < times <= extent
    return value.op == "mul" and _reads(factor, f"ntid.{axis}")


def _reads(value: Value, register: str) -> bool:
    return isinstance(value, Instruction) and value.callee == _REGISTER + register
