# SPDX-License-Identifier: Apache-2.0
"""Values in lane code, and instructions that don't touch memory.

lane_values     a value of all work-items: scalars and vectors
lane_code       the state that all emitters share: the current block, values, masks
first_active    the first lane that is switched on
operations      instructions that each work-item does for itself
division        integer division and remainder, by floating-point numbers
wide_division   the same of 64 bits, if the numbers are small
scaling         products with powers of two
lane_by_lane    instructions that no vector does
opaque          masks that LLVM must not compute
"""
