# SPDX-License-Identifier: Apache-2.0
"""From the front end's kernel IR to the IR of a work-group function: the CPU's pipeline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule, Machine, run_passes
from lanewise.pipelines.byval import copy_byval_parameters
from lanewise.pipelines.contraction import forbid_contraction
from lanewise.pipelines.isolate import isolate_kernel
from lanewise.workgroup.function import WorkGroupFunction, build_work_group_function

Watch = Callable[[str, Callable[[], str]], None]
"""Told the name of each stage when it is done, and how to get its IR as text."""

STAGES: Final = ("isolate", "simplify", "work-group")
"""Stages that a watcher hears of, in order."""

INLINE: Final = ("always-inline", "globaldce")
THREAD: Final = ("sroa", "jump-threading")
"""An early return out of a scope with variables shares that scope's clean-up with those that stay, and a flag tells
afterwards who returns. Threading gives each a way of its own, so that who returns is seen to meet no barrier. LLVM
threads jumps only for targets without divergent branches, hence it is asked for the host."""

_ANY_GPU: Final = Machine.nvptx("sm_80", 78)
"""The target that simplification asks for costs: the IR is still a GPU's."""


def compile_for_cpu(
    text: str,
    symbol: str,
    block: tuple[int, int, int],
    watch: Watch = lambda stage, ir: None,
    small_grid: bool = True,
) -> WorkGroupFunction:
    """The work-group function of kernel `symbol` for a local size of `block`, from kernel IR as text.

    `small_grid`: only for grids of at most 2^31 - 1 work-items along each axis.

    CompileError where the kernel does what the CPU device can't.
    """
    module = read_module(text)
    kernel = isolate_kernel(module, symbol)
    forbid_contraction(module)
    copy_byval_parameters(module, kernel)
    watch("isolate", lambda: write_module(module))
    module, kernel = simplify(module, kernel)
    watch("simplify", lambda: write_module(module))
    function = build_work_group_function(module, kernel, block, small_grid)
    watch("work-group", lambda: write_module(function.module))
    return function


def simplify(module: Module, kernel: Function) -> tuple[Module, Function]:
    """LLVM's general simplification: all calls inlined, memory in registers, constants folded, loops in order."""
    llvm = LlvmModule.parse(write_module(module))
    run_passes(llvm, INLINE, _ANY_GPU)
    run_passes(llvm, THREAD, Machine.host())
    _ANY_GPU.simplify(llvm)
    simplified = read_module(llvm.text())
    return simplified, simplified.function(kernel.symbol)
