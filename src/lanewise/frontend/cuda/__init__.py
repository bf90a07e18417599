# SPDX-License-Identifier: Apache-2.0
"""The CUDA C++ front end: source text to kernel IR.

unit, options                       named by the table of front ends; they load the rest when they compile
compile                             a run of clang with the headers in include/, and the passes after it
prologue, macros, architectures     headers before each program; macros by which programs recognise a compiler
nvcc_options                        options of nvcc and NVRTC
leniency, launch_brackets,
inline_assembly                     programs that nvcc takes and clang refuses
missing_headers, host_misuse,
device_launches, thread_locals      clearer messages
host_main                           the host program's main, which isn't run
names, instances                    kernels and template instances as programs name them
scope_atomics, limit_registers,
tidying, static_variables           kernel IR as devices expect it
coverage                            tables of CUDA's headers, and the document made from them
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.frontend.cuda.options import CudaOptions
from lanewise.frontend.source import Source

if TYPE_CHECKING:
    from lanewise.frontend.cuda.compile import KernelIR, compile_cuda
    from lanewise.frontend.kernel_names import KernelName

__all__ = ["CudaOptions", "KernelIR", "KernelName", "Source", "compile_cuda"]


def __getattr__(name: str) -> object:
    """The module that needs clang, loaded when named: a warm start makes units and compiles none."""
    if name in ("KernelIR", "KernelName", "compile_cuda"):
        from importlib import import_module

        return getattr(import_module("lanewise.frontend.cuda.compile"), name)
    raise AttributeError(f"module 'lanewise.frontend.cuda' has no attribute {name!r}")
