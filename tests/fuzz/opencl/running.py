# SPDX-License-Identifier: Apache-2.0
"""Compiles random kernels in OpenCL C."""

import functools
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from lanewise.cache import Cache
from lanewise.config import default_mapping, from_environment
from lanewise.frontend.opencl import OpenClOptions, compile_opencl
from lanewise.frontend.opencl.compile import HEADERS, ClangIR, kernel_ir
from lanewise.frontend.spirv.translate import spirv_program
from lanewise.program.kernel import Kernel
from lanewise.toolchain import clang_command

from ..mappings import THROUGH_SPIRV
from ..opening import Opener, kernel_info, opener
from .kernel import OpenClKernel

_OPTIONS: Final = ("-w",)


@functools.cache
def _cache() -> Cache:
    """The user's, which holds the built-in and the mathematical functions; random kernels don't go there."""
    return Cache(from_environment().cache_dir)


def opened(kernel: OpenClKernel) -> Opener:
    """The kernel, in the form that its range needs."""
    options = OpenClOptions(options=_OPTIONS, general=not kernel.is_plain)
    text = compile_opencl(kernel.source, None, options, _cache()).text
    plain = opener(text, kernel.name, kernel.name, kernel.block, _cache())

    def make(mapping: str) -> Kernel:
        if mapping != THROUGH_SPIRV:
            return plain(mapping)
        compiled = ClangIR(spirv_program(spirv(kernel.source)))
        translated = kernel_ir(compiled, kernel.name, options, _cache()).text
        through = opener(translated, kernel.name, kernel.name, kernel.block, _cache(), kernel_info(text))
        return through(default_mapping())

    return make


def spirv(source: str, *options: str) -> bytes:
    """A program in OpenCL C as SPIR-V, by clang. CalledProcessError where clang can't."""
    words = ["-x", "cl", "-target", "spirv64", "-nogpulib", "-nostdinc", "-cl-no-stdinc", "-O1", "-w", "-c"]
    words += ["-Xclang", "-fdeclare-opencl-builtins", "-include", str(HEADERS / "opencl-c-base.h")]
    words += ["-Xclang", "-cl-ext=+cl_khr_fp16", "-fno-strict-float-cast-overflow", *options]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.spv"
        command = [*clang_command(), *words, "-", "-o", str(made)]
        subprocess.run(command, input=source.encode(), check=True, capture_output=True)
        return made.read_bytes()
