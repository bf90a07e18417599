# SPDX-License-Identifier: Apache-2.0
"""The checks of `lanewise doctor`: what an installation has, and what it lacks.

finding   what one check found
machine   the machine: system, Python, processor, threads, GPU driver
tools     the programs and packages: NumPy, LLVM, clang, the linker, C++, Z3, ptxas
stores    what is built and kept: the cache, precompiled headers, the runtime
settings  the environment
report    the table of checks, run and shown
"""
