# SPDX-License-Identifier: Apache-2.0
"""Checks that are woven into kernel IR: a kernel tells of what it does wrong, on any device.

parts      the names of checks that users choose from
prepare    kernels with all that they call inlined and variables in registers
objects    the object that a pointer points into, and its size
subscripts the offset of an address in its object, and the indices of arrays on the way there
memory     the pass that checks accesses
fault      the report of a launch: its layout, and the function that writes to it
unit       a translation unit with checks
"""
