# SPDX-License-Identifier: Apache-2.0
"""Passes, checks and targets of PTX; `pipelines/gpu.py` has the passes in order.

targets                 architectures and versions of PTX
capabilities, selection checks of what a target can, before LLVM would end the process
prepare                 symbols, debug information and attributes as PTX has them
grid_sync               a barrier of the whole grid
warp_waits              waits of warps for one another, which a GPU needs no call for
atomics, textures       instructions that LLVM's back end doesn't write
assembly                inline assembly that it would end the process on
"""

from lanewise.backend.nvptx.targets import ARCHITECTURES, PTX_VERSIONS, Target, target

__all__ = ["ARCHITECTURES", "PTX_VERSIONS", "Target", "target"]
