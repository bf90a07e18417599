# SPDX-License-Identifier: Apache-2.0
"""Clang as a front end: the compiler inside the ziglang wheel, run on sources, its diagnostics read.

toolchain             clang and its headers, and whether its LLVM is llvmlite's
run, diagnostics      one run of it; its messages
absent_files          files that a run would have read if they were there
options               what options of clang mean to us beside what they mean to clang
precompiled           the header that every program includes first, precompiled
deferred_diagnostics  a list in it that takes long to read: each program makes its own as it is compiled
"""

from lanewise.frontend.clang.diagnostics import Diagnostic, compile_error
from lanewise.frontend.clang.options import (
    require_arguments,
    require_levels,
    takes_argument,
    wants_lines,
    wants_positions,
)
from lanewise.frontend.clang.precompiled import PrecompiledHeader, kept_forms, precompiled, with_form
from lanewise.frontend.clang.run import ClangOutput, run_clang
from lanewise.frontend.clang.toolchain import Toolchain, find_toolchain

__all__ = [
    "ClangOutput",
    "Diagnostic",
    "PrecompiledHeader",
    "Toolchain",
    "compile_error",
    "find_toolchain",
    "kept_forms",
    "precompiled",
    "require_arguments",
    "require_levels",
    "run_clang",
    "takes_argument",
    "wants_lines",
    "wants_positions",
    "with_form",
]
