# SPDX-License-Identifier: Apache-2.0
"""The code of all regions. Without lanes, each region becomes a loop over the group's work-items.

    Before (kernel)                       After (work-group function)
    b0:                                   region.0:            ; once per group: uniform values
      %i = tid.x                            br x.loop
      %v = load %in[%i]                   x.loop:              ; %x from 0 to the local size
      store %v, @tile[%i]                   %v = load %in[%x]
      barrier                               store %v, arena[%x]
      %w = load @tile[31 - %i]              br x.loop or region.1
      store %w, %out[%i]                  region.1:
      ret                                   br x.loop.1
                                          x.loop.1:
                                            ...

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
