# SPDX-License-Identifier: Apache-2.0
"""The run of a program: work-items, and where they meet.

work_item             a work-item's indices
services              memory, printing and traps, for the program
matrices              products of matrices that a warp holds
group, warp, grid     work-items as coroutines; barriers and other meetings
named_barriers        barriers of some warps
progress, stuck       order of divergent work-items, detection of endless waiting
checked_meetings      what checked kernels tell of barriers
meets                 the protocol of meetings, which order accesses
races, watched        unordered accesses to the same shared memory
checked_races, noted  what checked kernels tell of races
access_records        the accesses that later ones are compared with
happens_before        the order that synchronisation makes
clocks                vector clocks
printing              printf
time_limit            the end of a launch that takes too long
"""
