# SPDX-License-Identifier: Apache-2.0
"""Front ends: from a source to kernel IR and the facts that launches need.

table                           the front ends, one row each
unit, given_options             the interface of a front end, and the options that it gets
cuda, opencl, ptx, kernel_ir    CUDA C++, OpenCL C, PTX, kernel IR as text
spirv                           SPIR-V of OpenCL, translated to what clang makes of OpenCL C
python                          loops of Python functions
text_unit                       units of PTX and kernel IR, which are read as they are
clang                           the compiler that CUDA C++ and OpenCL C need
source                          source texts, and the files that they come from
info, signature                 records of a program, of its kernels and variables
description, declarations       the same, read out of kernel IR
kernel_names                    kernels by the names that programs write
unreached, metadata_nodes       text that no kernel reaches, dropped before anything reads it
source_types, dtypes            types as the source has them, and as NumPy has them
group_queries                   kernels that can't tell how their work-items are put into groups
memory_order                    kernels whose neighbours in memory are work-items along y
kernel_qualifiers,
kernel_attributes               attributes of OpenCL C in declarations, in words
launch_bounds                   what declarations demand of arguments and launches
texture_references              variables that a host binds textures to
checked_places                  places where a program is checked
"""
