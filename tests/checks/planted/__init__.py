# SPDX-License-Identifier: Apache-2.0
"""Kernels with one planted fault each, in CUDA C++ and OpenCL C, and how they are read: `files`, `arrays`."""
