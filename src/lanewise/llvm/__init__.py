# SPDX-License-Identifier: Apache-2.0
"""The typed interface to LLVM: the only package that imports llvmlite, at first use.

binding, preload   llvmlite, loaded and initialised; its library, loaded ahead by a thread
module, machine    a module in LLVM's memory; targets, pipelines and code generation
tuning             options of LLVM's pipelines
passes, options    single passes by name; LLVM's switches
objects, errors    the sections of an object file; errors from LLVM
"""

from lanewise.llvm.errors import LlvmError
from lanewise.llvm.machine import NVPTX_TRIPLE, Machine
from lanewise.llvm.module import FunctionInfo, LlvmModule, text_of_bitcode, verify
from lanewise.llvm.objects import code_of
from lanewise.llvm.options import set_option
from lanewise.llvm.passes import PASSES, run_passes

__all__ = [
    "NVPTX_TRIPLE",
    "PASSES",
    "FunctionInfo",
    "LlvmError",
    "LlvmModule",
    "Machine",
    "code_of",
    "run_passes",
    "set_option",
    "text_of_bitcode",
    "verify",
]
