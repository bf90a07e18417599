# SPDX-License-Identifier: Apache-2.0
"""Arguments of a launch, checked against the kernel's parameters and packed; and its extents.

packer             all arguments of a kernel
numbers, structs   values
foreign_arrays     arrays of other libraries
array_address      the address of an array
local_memory       local memory that an argument provides
dtypes, bfloat16   types of elements
geometry, ndrange  grids and blocks, in CUDA's terms and in OpenCL's
"""
