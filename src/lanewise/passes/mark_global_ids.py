# SPDX-License-Identifier: Apache-2.0
"""mark-global-ids: says that the sums and products of global ids don't wrap, for grids that are small enough.

Why
    `int i = blockIdx.x * blockDim.x + threadIdx.x` is unsigned arithmetic, which may wrap. Extended to the 64 bits of
    an address, neighbours in x are then not known to be neighbours in memory, and lanes gather what they could load as
    a vector. Nearly every launch has less than 2^31 work-items along each axis. The CPU device compiles for such grids
    or for others, as the launch says.

Before
    declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    define i32 @f() {
      %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
      %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
      %item = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %m = mul i32 %group, %size
      %i = add i32 %m, %item
      ret i32 %i
    }

After
    declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    define i32 @f() {
      %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
      %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
      %item = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %m = mul nuw nsw i32 %group, %size
      %i = add nuw nsw i32 %m, %item
      ret i32 %i
    }

Needs
    1. The grid's extent along the axis, in work-items, is at most 2^31 - 1.
    2. The factor of the group's index is at most the local size along the axis.

Method
    Each sum of 32 bits (or `or` without carries) of a work-item's local id and a group's index times a factor. It is at
    most the global id, and condition 1 keeps that below 2^31.

When not
    Sums with an offset between product and local id are left alone, as is linear arithmetic over several axes.

Neighbours
    Runs when LLVM has simplified the kernel, so that each id is a sum of two registers, and before the work-group
    function, whose lanes ask which addresses are neighbours. LLVM knows ranges of the registers, but not of the grid.
"""

from typing import Final, NamedTuple

from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value

_REGISTER: Final = "llvm.nvvm.read.ptx.sreg."
_NO_WRAP: Final = ("nuw", "nsw")


class GlobalIdOptions(NamedTuple):
    """`small_grid`: launches meet condition 1. `block`: the local size; None: any."""

    small_grid: bool = True
    block: tuple[int, int, int] | None = None


def run(function: Function, options: GlobalIdOptions) -> bool:
    """Mark the global ids of a kernel; see above. Returns whether anything changed."""
    if not options.small_grid:  # 1
        return False
    changed = False
    for instruction in function.instructions():
        if instruction.op not in ("add", "or") or instruction.type.bits != 32:
            continue
        for axis, extent in zip("xyz", options.block or (0, 0, 0), strict=True):
            for product, item in (instruction.operands, reversed(instruction.operands)):
                if _reads(item, f"tid.{axis}") and _is_group_offset(product, axis, extent):
                    assert isinstance(product, Instruction)
                    changed |= _mark(product)
                    if instruction.op == "add":
                        changed |= _mark(instruction)
    return changed


def _mark(instruction: Instruction) -> bool:
    before = instruction.flags
    instruction.flags = _NO_WRAP
    return before != _NO_WRAP


def _is_group_offset(value: Value, axis: str, extent: int) -> bool:
    """True if a value is ctaid times something that is at most the local size."""
    if not isinstance(value, Instruction) or value.op not in ("mul", "shl"):
        return False
    group, factor = value.operands
    if value.op == "mul" and not _reads(group, f"ctaid.{axis}"):
        group, factor = factor, group
    if not _reads(group, f"ctaid.{axis}"):
        return False
    if isinstance(factor, Constant) and factor.kind == "int":
        times = 1 << factor.integer if value.op == "shl" else factor.integer
        return 0 < times <= extent  # 2
    return value.op == "mul" and _reads(factor, f"ntid.{axis}")  # 2


def _reads(value: Value, register: str) -> bool:
    return isinstance(value, Instruction) and value.callee == _REGISTER + register
