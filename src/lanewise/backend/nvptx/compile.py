# SPDX-License-Identifier: Apache-2.0
"""Kernel IR to PTX text, by LLVM's optimiser and its NVPTX back end."""

from __future__ import annotations

from lanewise.backend.nvptx.atomics import write_scoped_atomics
from lanewise.backend.nvptx.capabilities import check
from lanewise.backend.nvptx.grid_sync import with_grid_sync
from lanewise.backend.nvptx.prepare import prepare
from lanewise.backend.nvptx.targets import target
from lanewise.backend.nvptx.textures import write_texture_calls
from lanewise.ir.debug_info import directives_only
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule, Machine
from lanewise.log import step


def compile_ptx(ir_text: str, arch: str, ptx_version: int | None = None, kernel: str | None = None) -> str:
    """PTX of all kernels in a module, or of the one with the symbol `kernel`, for `arch` (`sm_80`, `sm_90a`); equal
    input gives equal text.

    `ptx_version` is the version to state, 78 for 7.8; by default the least that has the architecture, from 7.8 on.
    Kernels and the `__device__` and `__constant__` variables that a host can name are visible, nothing else; no symbol
    is left unresolved but CUDA's own system calls. Inline assembly is passed on unread.

    Raises `CompileError` for an unknown architecture, and for what it can't have: it names the function, the kernel
    and the reason.
    """
    goal = target(arch, ptx_version)
    with step("read and prepare for PTX"):
        module = read_module(with_grid_sync(ir_text))
        prepare(module, kernel)
    machine = Machine.nvptx(goal.name, goal.ptx)
    llvm = LlvmModule.parse(directives_only(write_module(module)))
    machine.claim(llvm)
    with step("optimise by LLVM"):
        machine.optimise(llvm)
    optimised = read_module(llvm.text())
    check(optimised, goal, lambda: read_module(ir_text))
    atomics, textures = write_scoped_atomics(optimised, goal), write_texture_calls(optimised)
    if atomics or textures:
        llvm = LlvmModule.parse(write_module(optimised))
        machine.claim(llvm)
    with step("generate PTX by LLVM"):
        return machine.assembly(llvm)
