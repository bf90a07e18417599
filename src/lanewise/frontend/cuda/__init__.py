# SPDX-License-Identifier: Apache-2.0
"""The CUDA C++ front end: source text to kernel IR."""

from lanewise.frontend.cuda.compile import CudaOptions, KernelIR, Source, compile_cuda
from lanewise.frontend.cuda.names import KernelName

__all__ = ["CudaOptions", "KernelIR", "KernelName", "Source", "compile_cuda"]
