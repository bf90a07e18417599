# SPDX-License-Identifier: Apache-2.0
"""Kernels that only threads with stacks of their own run as CUDA says."""

from __future__ import annotations

from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.sub_groups import required_sub_group_size
from lanewise.workgroup.lanes.warps.warp import WARP_SIZE
from lanewise.workgroup.lanes.warps.warp_calls import has_warp_operations, is_warp_synchronous
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.threads.parting import computes_masks, may_part
from lanewise.workgroup.threads.wait_decision import WaitDecision
from lanewise.workgroup.threads.waiting_threads import waiting


def needs_threads(module: Module, kernel: Function, block: Extent | None, apart: bool) -> WaitDecision:
    """Decide whether a kernel has to be mapped to threads, in groups of `block` work-items or any, since it would be
    `too_late` else. `apart`: launches may be asked for arrays that don't overlap. For waiting, kernels that count on
    lock-step are not mapped so: those with volatile shared memory, or with masks computed from `activemask`."""
    if not _has_parts_of_warps(module, kernel) and may_part(kernel, block):
        return WaitDecision(True)
    if is_warp_synchronous(kernel) or computes_masks(kernel):
        return WaitDecision(False)
    return waiting(kernel, block, has_warp_operations(kernel), apart)


def _has_parts_of_warps(module: Module, kernel: Function) -> bool:
    """Return whether a kernel requires sub-groups that are parts of a warp. OpenCL C's functions of sub-groups never
    meet at different instructions: all work-items of a sub-group come to one together, or those that do are all that
    take part. Sub-groups that went another way are named by none of their masks."""
    size = required_sub_group_size(module, kernel)
    return size is not None and size < WARP_SIZE
