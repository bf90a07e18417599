# SPDX-License-Identifier: Apache-2.0
"""Python functions over NumPy arrays as kernel IR: kernels and loops, as written, with the types of one call.

unit                          a region with the types of its inputs, as the interface of front ends has it
trees                         walks over syntax trees, and copies of them
region, names                 parts of a function that become kernels; what they read and assign to
reductions, private_copies    variables in which iterations add up; copies of those that are arrays
views                         parts of arrays by other names
parallel                      the loops of a nest that become axes of a grid
shared_elements               arrays, such as histograms, whose elements several iterations add to
callees                       statements with the functions that they call put in, for analyses
tiling                        nests whose work-items do several rows at a time
unrolling                     the same for GPUs: work-items that do several iterations in registers of their own
translate, kernel             a region as a module; its kernel with parameters and outputs
references                    accesses to arrays in a parallel loop, as far as the source tells
work_items                    the iterations that each work-item does
device_functions              what the work-items of a kernel call: their places, shared arrays, barriers, atomics
printing                      print in kernels
outputs                       the room of numbers that a region leaves behind
read_only                     the arrays that a kernel doesn't write to
statements, expressions       Python's syntax tree, a function per kind of node
arithmetic, mathematics       operators; functions of math, NumPy and Python
complex_numbers               the same of complex numbers
primitives                    calls of LLVM's functions and of C's mathematical library
numbers_in_memory             loads and stores of numbers
elementwise, temporaries      expressions of whole arrays as loops; memory of arrays that code makes
array_functions               functions and methods of whole arrays
whole_arrays                  which statements have such expressions, by the syntax tree
arrays, bounds                elements and slices; checks of indices
records                       elements that are records, and their fields
conflicts                     iterations that access one element, as far as the source proves it
watching, checked_items       the same tested while iterations run one after the other
code                          the code of a function while it is made: blocks, variables, conversions
python_types, values          types of numbers, arrays and tuples; values in terms of IR
refusal                       the error for what isn't compiled

Source: Garg and Amaral, "A Compilation Framework to Execute Python Numerical-Intensive Applications in a Hybrid CPU-GPU
Execution Environment", sections 2 and 3.
"""
