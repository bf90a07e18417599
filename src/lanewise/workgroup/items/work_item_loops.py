# SPDX-License-Identifier: Apache-2.0
"""The code of all regions. Without lanes, each region becomes a loop over the group's work-items.

Before
    @tile = internal addrspace(3) global [32 x float] undef, align 4
    define ptx_kernel void @k(ptr %out, ptr %in) {
      %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %p = getelementptr float, ptr %in, i32 %i
      %v = load float, ptr %p, align 4
      %q = getelementptr float, ptr addrspace(3) @tile, i32 %i
      store float %v, ptr addrspace(3) %q, align 4
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %j = sub i32 31, %i
      %r = getelementptr float, ptr addrspace(3) @tile, i32 %j
      %w = load float, ptr addrspace(3) %r, align 4
      %s = getelementptr float, ptr %out, i32 %i
      store float %w, ptr %s, align 4
      ret void
    }
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

After, for groups of 32
    region.0:
      br label %x.loop.0
    x.loop.0:
      %x = phi i32 [ 0, %region.0 ], [ %3, %x.next.0 ]
    ...
      %p = getelementptr float, ptr %in, i64 %2
      %v = load float, ptr %p, align 4
      %q = getelementptr float, ptr %arena, i64 %2
      store float %v, ptr %q, align 4
      br label %x.next.0
    x.next.0:
      %3 = add nuw nsw i32 %x, 1
      %4 = icmp ult i32 %3, 32
      br i1 %4, label %x.loop.0, label %region.0.done
    region.0.done:
      br label %region.1
    region.1:
      br label %x.loop.1
    ...
      %j = sub nsw i32 31, %x.1
    ...
      %w = load float, ptr %r, align 4
    ...
      store float %w, ptr %s, align 4

The loops are marked parallel (`llvm.loop.parallel_accesses`): between barriers, work-items of a program without
data races don't depend on each other, so LLVM's vectoriser may take the x loop without testing for overlaps.
A partial group, some of whose work-items have returned early, goes on in a second version of the regions. There, each
work-item first tests whether it is still live. Most groups never get there, and need no test.

Uniform values are computed before the loop if that is allowed: pure ones anywhere, loads at the start of the region as
long as nothing has been written.
"""

from __future__ import annotations

from lanewise.ir.function import Block
from lanewise.workgroup.items.emission import Emission
from lanewise.workgroup.items.region_code import RegionCode


def emit_regions(emission: Emission) -> Block:
    """Make the code of all regions that the first one leads to. Returns the start of the first one."""
    graph = emission.regions.graph
    first = emission.heads.head(graph.regions[graph.kernel.entry], False)
    while (following := emission.heads.next()) is not None:
        RegionCode(emission, *following).emit()
    return first
