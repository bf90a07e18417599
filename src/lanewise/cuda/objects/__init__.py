# SPDX-License-Identifier: Apache-2.0
"""A translation unit of CUDA C++ as an object file that any linker takes.

object_file      the whole, in the cache
compiled_unit    the two passes of clang, and what becomes of them
host_compiler    the C++ compiler whose library and linker host code uses
wheel_library    that of the ziglang wheel
openmp           the runtime of host code with OpenMP
host_code        clang's pass over the host code
launch_sizes     block sizes that host code launches kernels with
kernel_code      machine code of kernels, as objects to be linked
assumed          what code may take launches to meet
forked           the kernels shared out over processors
gpu_code         PTX of the unit, for GPUs
device_objects   the objects of all kernels, and the image that the host runtime finds them by
fat_binary       what registers a unit with the runtime
device_code      kernel IR in object files, for device code that is linked across files
device_link      such code of several files, compiled
packed_ir        kernel IR that programs carry, for the service
linked_unit      such code of several files as one unit
variable_kinds   which variables are constant, and which are managed
image            the tables of a unit's kernels and variables, as C
loaded_image     the same of a unit that is loaded while a program runs, as LLVM IR
"""
