# SPDX-License-Identifier: Apache-2.0
"""Defines what the headers call to wait for the whole grid, as a barrier in global memory.

One work-item of each block adds to a counter of the module: 1, but in the first block what brings the sum to 2^31. So
the counter's highest bit changes when all have come, and only then; each waits for that, and the counter is ready for
the next meeting. The blocks must all be resident, as in a launch by cuLaunchCooperativeKernel, and no two grids of one
module may meet at the same time.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module

_CALLED: Final = frozenset({"__lw_grid_sync", "__lw_grid_is_cooperative"})
_SYNC: Final = re.compile(r"^declare [^\n]*@__lw_grid_sync\(\)[^\n]*\n", re.MULTILINE)
_IS_COOPERATIVE: Final = re.compile(r"^declare [^\n]*@__lw_grid_is_cooperative\(\)[^\n]*\n", re.MULTILINE)

_REGISTERS: Final = tuple(f"{name}.{axis}" for name in ("nctaid", "ctaid") for axis in "xyz")
_DEFINITION: Final = """\
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


def define_grid_sync(module: Module) -> bool | Module:
    """The module with definitions of what the headers call for grids; False if it calls none of that."""
    if not _CALLED.intersection(module.symbols):
        return False
    text = write_module(module)
    if _SYNC.search(text):
        symbols = (f"@llvm.nvvm.read.ptx.sreg.{register}()" for register in _REGISTERS)
        missing = "".join(f"declare i32 {symbol}\n" for symbol in symbols if symbol not in text)
        text = _SYNC.sub(lambda _: f"{missing}\n{_DEFINITION}\n", text)
    text = _IS_COOPERATIVE.sub("define internal i1 @__lw_grid_is_cooperative() nounwind {\n  ret i1 true\n}\n\n", text)
    return read_module(text)
