# SPDX-License-Identifier: Apache-2.0
"""Front ends: from a source to kernel IR, with what a launch must know of it.

cuda, opencl, clang             CUDA C++, OpenCL C, and the compiler that both run
unreached, metadata_nodes       text that no kernel reaches, dropped before anything reads it
declarations, signature         signatures and bounds of kernels, types of variables
source_types, dtypes            types as the source has them, and as NumPy has them
kernel_qualifiers,
launch_bounds                   what declarations demand of arguments and launches
texture_references              variables that a host binds textures to
"""
