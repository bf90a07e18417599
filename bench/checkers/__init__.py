# SPDX-License-Identifier: Apache-2.0
"""Checked mode beside other tools that find errors of kernels without a GPU: the same kernels on the same data.

sizes         the size of each kernel that an interpreter can bear
ours          Lanewise, all checks
oclgrind      Oclgrind, with its detectors of races and of uninitialised values
simulator     the CUDA simulator of Numba, which checks no accesses but indices of NumPy
cuda_kernels  kernels in Python, for the simulator
"""
