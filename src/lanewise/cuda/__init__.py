# SPDX-License-Identifier: Apache-2.0
"""Whole CUDA programs: host and device code of a file, compiled together, and NVIDIA's runtime interface.

objects       a translation unit as an object file: its host code, and the machine code of its kernels
nvcc          the command line of nvcc
runtime       the sources of libcudart, over the host runtime
service       machine code for the block sizes of a program that runs
libraries     libcudart, built
entry_points  its functions, as jumps into the copy that a process uses
driver_versions  names of the driver's functions with a version
ptx_run       a C library that runs PTX, for programs with a mock GPU
foreground    programs that this process waits for, and that get its signals
run           a program built into the cache, and run
version       the version of CUDA whose interfaces these are

Source: gpucc (CGO 2016), section 2.
"""
