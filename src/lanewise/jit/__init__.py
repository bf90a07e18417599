# SPDX-License-Identifier: Apache-2.0
"""`lw.jit`: functions of Python whose loops run compiled, on any device.

decorators, annotations, ranges    what users write: lw.jit, lw.f64[:, :], lw.prange
function                           a function marked with lw.jit
driver                             its split into regions and the code that stays Python's
expressions, fused                 expressions of whole arrays in that code: found; evaluated by one loop each
region_kernel                      a region's kernels, one per types of a call's values, and their launches
arguments, geometry                what is passed; grids and blocks
fold                               the value of a reduction from its partial results
direct                             plans by which C makes calls that recur
nests, transfers                   a call on a device with memory of its own: its loop nest; copies and tiles
inspection                         the report on what was made of a function
"""
