# SPDX-License-Identifier: Apache-2.0
"""Checks that are woven into kernel IR: a kernel tells of what it does wrong, on any device.

parts      the names of checks that users choose from
unit       a translation unit with checks
weave      all checks of a module
prepare    kernels with all that they call inlined and variables in registers
accesses   the accesses of a kernel, its further parameters, and the places of its checks
objects    the object that a pointer points into, and its size
pointers   the same for pointers that come from memory, found when the kernel runs
subscripts the offset of an address in its object, and the indices of arrays on the way there
names      names and places of the source
inserting  instructions that are put before or behind another one
guard      an instruction under a test
memory     accesses out of bounds, and at addresses that aren't aligned
unwritten  reads of memory that nobody has written
components  loads of vectors that clang makes to write some of their components
shadows    whether bytes have been written
values     operations whose results are undefined
casts      casts that saturate, made plain conversions, so that their ranges are tested
races      accesses to shared and global memory that race
own_elements   addresses that no two work-items have in common
ordering   instructions that order accesses of work-items, in a group and of two groups
epochs     accesses that may come between the same two barriers
barriers   barriers that work-items don't come to together, and masks that name absent lanes
fault      the report of a launch: its layout, and the function that writes to it
"""
