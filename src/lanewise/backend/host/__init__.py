# SPDX-License-Identifier: Apache-2.0
"""Machine code for the processor that this process runs on, or for another one that is named.

compile     host IR in, a shared object or assembly out
cut_blocks  long basic blocks in pieces, for which code is generated in linear time
wide_masks  masks between blocks, for processors without registers for them
divisions   quotients of vectors by the processor's division rather than by LLVM's estimates
load_masks  an error of LLVM's code generator in masked loads, and how code is kept away from it
mask_moves  another one in moves of masks, and how code is kept away from it
cleared_masks  a third one in masks of which some lanes are off, and how code is kept away from it
scalings    products with powers of two without AVX-512's instruction for them
plain_link  shared objects of plain objects, without a process of a linker
elf         relocatable objects, read for it
features    which processor this is, told without loading LLVM
sections    sections and symbols of object files
arithmetic  functions that generated code calls for what the processor lacks
"""
