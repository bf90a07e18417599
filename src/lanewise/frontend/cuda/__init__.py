# SPDX-License-Identifier: Apache-2.0
"""The CUDA C++ front end: source text to kernel IR.

compile                             a run of clang with the headers in include/, and the passes after it
prologue, macros, architectures     what every translation unit begins with; how programs tell the compiler
nvcc_options                        options of nvcc and NVRTC
leniency, launch_brackets,
inline_assembly                     programs that nvcc takes and clang refuses
missing_headers, host_misuse        clearer messages
names, instances                    kernels and template instances as programs name them
scopes, computed_goto, tidying      kernel IR as devices expect it
coverage                            tables of CUDA's headers, and the document made from them
"""

from lanewise.frontend.cuda.compile import CudaOptions, KernelIR, Source, compile_cuda
from lanewise.frontend.cuda.names import KernelName

__all__ = ["CudaOptions", "KernelIR", "KernelName", "Source", "compile_cuda"]
