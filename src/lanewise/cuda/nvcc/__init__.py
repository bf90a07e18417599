# SPDX-License-Identifier: Apache-2.0
"""The command line of nvcc: `lanewise nvcc`, and `bin/nvcc` of the folder that `lanewise cuda-home` makes.

options      the table of its options
command      a command line, read
driver       carries a command out: compile, link
steps        one step each: a compilation, a host compilation, a link
dependencies  rules for make
architectures  those that it names
gpu_here     the architecture of this machine's GPU
messages     its help and version
__main__     python -m lanewise.cuda.nvcc
home         the folder that stands in for a CUDA toolkit

Source: NVIDIA CUDA Compiler Driver NVCC 12.8.
"""
