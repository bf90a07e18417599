# SPDX-License-Identifier: Apache-2.0
"""`lw.jit`: functions of Python whose loops run compiled, on any device. `lw.kernel`: kernels in Python.

decorators, annotations, ranges    what users write: lw.jit, lw.kernel, lw.f64[:, :], lw.prange
declared                           lw.type and lw.gpu, as unPython has them
work_items, atomic                 what kernels call: lw.global_id, lw.barrier, lw.atomic.add
device_function                    the class of these functions
function                           a function marked with lw.jit
driver                             its split into regions and the code that stays Python's
expressions, fused                 expressions of whole arrays in that code: found; evaluated by one loop each
function_lines                     the lines of its source
region_kernel, made_kernel         a region's kernels, one per types of a call's values, and their launches
index_fault                        the error for an index out of bounds
kernel_function                    a function marked with lw.kernel
specialised_kernel                 a kernel for types of arguments, and the report on it
kernel_arguments                   its arguments as the kernel's parameters
arguments, geometry                what is passed; grids and blocks
conflict_check                     what a call with parallel_check knows of accesses, and its error
kernel_parameters                  the layout of what a kernel of a region takes, and its outputs
overlap                            arrays of a call that overlap
fold, array_reductions             the value of a reduction from its partial results; the same of arrays
direct                             plans by which C makes calls that recur
nests, transfers, places           a call on a device with memory of its own: its loop nest; copies, tiles and addresses
tile_kernels, item_registers       kernels of tiles, by what a device offers to unrolled ones
tile_runs                          tiles copied and run, one while another is copied
lmads                              what its references touch, in words
residence                          arguments that are on a device already
built                              code of regions that was built ahead of time
inspection                         the report on what was made of a function, as facts on its lines
"""
