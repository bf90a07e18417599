# SPDX-License-Identifier: Apache-2.0
"""OpenCL C 1.2 and 3.0, and C++ for OpenCL, to kernel IR, by clang, a header of our own and the library in library/.

unit, options               named by the table of front ends; they load the rest when they compile
compile                     a run of clang, and the passes after it
cplusplus                   what kernels can't have of C++
embedded_headers            headers that are texts
held_files                  programs with the files that they included
linked_program, spir        programs of several parts; programs in LLVM bitcode
kernels, refused_kernels    kernels in the form of kernel IR; those with pipes are left out
known_images                kernels for images of known formats
constant_memory             global memory, if kernels take pointers to it
global_memory               the size of variables in it
own_functions, library      functions of the program; the built-in ones
relaxed_roots               reciprocal roots that may be approximate
printf, sub_groups          printf as devices have it; sizes of sub-groups
later_functions             the version or extension that has an unknown name
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.frontend.opencl.options import OpenClOptions

if TYPE_CHECKING:
    from lanewise.frontend.opencl.compile import compile_opencl

__all__ = ["OpenClOptions", "compile_opencl"]


def __getattr__(name: str) -> object:
    """The module that needs clang, loaded when named: a warm start makes units and compiles none."""
    if name == "compile_opencl":
        from lanewise.frontend.opencl.compile import compile_opencl

        return compile_opencl
    raise AttributeError(f"module 'lanewise.frontend.opencl' has no attribute {name!r}")
