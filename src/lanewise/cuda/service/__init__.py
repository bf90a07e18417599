# SPDX-License-Identifier: Apache-2.0
"""The compile service of a CUDA or OpenCL program that runs: compiles the program's OpenCL C and PTX, and makes machine
code for the block sizes that kernels are launched with, while code for any size runs.

request         what the program asks
answer          what it gets
opencl_programs  programs in OpenCL C compiled and linked, for the OpenCL platform
known_images    single kernels of these, for the images of a launch
included_files  the files that these include, for programs that keep answers
ptx_library     PTX compiled for `ptx_run` and for modules of the driver API
serving         one after the other, until the program ends
__main__        the process
tried_mappings  code by two mappings, and the choices of launches
checked_kernels  kernels with checks, and what these have found in words
"""
