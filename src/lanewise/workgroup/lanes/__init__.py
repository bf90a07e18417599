# SPDX-License-Identifier: Apache-2.0
"""Work-items as lanes: explicit vector code for the code of one work-item in a region.

mapper      maps the regions of one kernel
analysis/   which vectors, how many of them, along which axis; facts about the code, and loops unrolled along rows
values/     scalars and vectors for values, and the instructions that each work-item does for itself
memory/     loads and stores by what is known of their addresses
control/    loops over units, and control flow under masks
warps/      operations of a warp
"""
