# SPDX-License-Identifier: Apache-2.0
"""OpenCL C 1.2 to kernel IR, by clang, a header of our own and the built-in library in library/.

compile                     a run of clang, and the passes after it
kernels, refused_kernels    kernels in the form of kernel IR; those with images or pipes are left out
own_functions, library      functions of the program; the built-in ones
printf, sub_groups          printf as devices have it; sizes of sub-groups
later_functions             the version or extension that has an unknown name
"""

from lanewise.frontend.opencl.compile import OpenClOptions, compile_opencl

__all__ = ["OpenClOptions", "compile_opencl"]
