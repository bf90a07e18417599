# SPDX-License-Identifier: Apache-2.0
"""A translation unit of CUDA C++ as an object file that any linker takes.

object_file      the whole: host code, kernels, and the image that the host runtime finds them by
host_compiler    the system's C++ library and linker
host_code        clang's pass over the host code
kernel_code      machine code of kernels, as objects to be linked
image            the tables of a unit's kernels and variables, as C
"""
