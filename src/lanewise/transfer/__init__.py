# SPDX-License-Identifier: Apache-2.0
"""Transfers between host and device memory for loop nests, worked out from the addresses of their array references.

nest, affine      loops, arrays and references, the plain data that comes in; affine functions of loop counters
lmad              linear memory access descriptors, the conditions of Theorems 1 and 2, the overlap graph
layout            packed layouts of a group of references, and the address of each reference in them (Algorithm 1)
integer_program   the layout of a group whose bases lie far apart, by SciPy's solver
boxes, touched    the exact union of the elements that references touch
copies, costs     strided copies and the fastest method for each; the model of their time; a device's limits
views             arrays in a packed buffer as a start and strides, by which a kernel finds its elements
plan              the plan of a nest: buffers, copies in and out
tiling            splits of the parallel loops until the buffers fit
pipelining        tiles whose copies overlap with each other's work
perform           a plan's copies on NumPy arrays

Source: Garg and Amaral, "A Compilation Framework to Execute Python Numerical-Intensive Applications in a Hybrid CPU-GPU
Execution Environment", section 4.
"""
