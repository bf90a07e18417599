# SPDX-License-Identifier: Apache-2.0
"""Regions: the code of a kernel between barriers.

barriers            the form of a kernel that regions are made from: barriers at the ends of blocks
computed_goto       the refusal of computed goto
cuts                the places where regions start
regions             the regions themselves, and their destinations
live_values         values that live from one region to another
slot_coalescing     values that share their place in memory
warp_waits          kernels without regions, since their warps wait for one another
in_step             regions whose warps run in step, since their work-items exchange values
"""
