# SPDX-License-Identifier: Apache-2.0
"""define-grid-sync: defines what the headers call to wait for the whole grid, as a barrier in global memory.

Why
    PTX has barriers of blocks and clusters, none of grids.

Before
    define ptx_kernel void @k() {
    entry:
      %c = call i1 @__lw_grid_is_cooperative()
      ret void
    }
    declare i1 @__lw_grid_is_cooperative()

After
    define ptx_kernel void @k() {
    entry:
      %c = call i1 @__lw_grid_is_cooperative()
      ret void
    }
    define internal i1 @__lw_grid_is_cooperative() nounwind {
      ret i1 true
    }

Needs
    1. The module calls such a function and doesn't define it.

Method
    One work-item of each block adds to a counter of the module: 1, but in the first block what brings the sum to 2^31.
    So the counter's highest bit changes when all have come, and only then; each waits for that, and the counter is
    ready for the next meeting. The blocks must all be resident, as in a launch by cuLaunchCooperativeKernel, and no two
    grids of one module may meet at the same time.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.reader import read_into

_REGISTERS: Final = "".join(
    f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}.{axis}()\n" for name in ("nctaid", "ctaid") for axis in "xyz"
)
_SYNC: Final = """\
@__lw_grid_arrivals = private addrspace(1) global i32 0, align 4

define internal void @__lw_grid_sync() noinline nounwind convergent {
entry:
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %nxy = mul i32 %nx, %ny
  %blocks = mul i32 %nxy, %nz
  %xy = or i32 %x, %y
  %xyz = or i32 %xy, %z
  %first = icmp eq i32 %xyz, 0
  %rest = sub i32 -2147483647, %blocks
  %share = select i1 %first, i32 %rest, i32 1
  fence syncscope("device") acq_rel
  %before = atomicrmw add ptr addrspace(1) @__lw_grid_arrivals, i32 %share syncscope("device") monotonic, align 4
  br label %wait

wait:
  %now = load atomic i32, ptr addrspace(1) @__lw_grid_arrivals syncscope("device") monotonic, align 4
  %changed = xor i32 %before, %now
  %over = icmp slt i32 %changed, 0
  br i1 %over, label %done, label %wait

done:
  fence syncscope("device") acq_rel
  ret void
}
"""
_IS_COOPERATIVE: Final = """\
define internal i1 @__lw_grid_is_cooperative() nounwind {
  ret i1 true
}
"""
_DEFINITIONS: Final = {"__lw_grid_sync": _REGISTERS + _SYNC, "__lw_grid_is_cooperative": _IS_COOPERATIVE}


def run(module: Module) -> bool:
    """Define what the module calls of that; returns whether it calls any."""
    missing = [name for name in _DEFINITIONS if _is_missing(module, name)]
    for name in missing:
        read_into(module, _DEFINITIONS[name])
    return bool(missing)


def _is_missing(module: Module, name: str) -> bool:
    function = module.symbols.get(name)
    return isinstance(function, Function) and function.is_declaration  # 1
