# SPDX-License-Identifier: Apache-2.0
"""Brings kernels into the form that accesses are checked in."""

from __future__ import annotations

from typing import Final

from lanewise.analysis.call_graph import CallGraph
from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.symbol_words import with_linkage
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule, Machine, run_passes

_TARGET: Final = Machine.nvptx("sm_80", 78)


def with_calls_inlined(module: Module) -> Module:
    """The module with all functions inlined that can be. Nothing is optimised: addresses are computed as the front end
    has written it."""
    graph = CallGraph(module)
    kept = set(graph.out_of_line)
    for function in module.functions:
        if not function.blocks or function.is_kernel:
            continue
        if function not in kept:
            function.linkage = "internal"
            function.prefix = with_linkage(function.prefix, "")
            words = " ".join(module.attributes.get(word, word) for word in function.suffix.split())
            function.suffix = "alwaysinline convergent nounwind" + (" mustprogress" if "mustprogress" in words else "")
    llvm = LlvmModule.parse(write_module(module))
    return _after(llvm, "always-inline", "globaldce")


def with_variables_in_registers(module: Module) -> Module:
    """The module with variables of kernels in registers, and nothing else optimised."""
    for kernel in module.kernels:
        _move_variables_to_entry(kernel)
    return _after(LlvmModule.parse(write_module(module)), "sroa")


def _move_variables_to_entry(kernel: Function) -> None:
    """LLVM brings variables into registers that are made in the entry block alone."""
    entry = kernel.entry
    for block in kernel.blocks:
        for instruction in list(block.instructions):
            if block is not entry and instruction.op == "alloca" and not instruction.operands:
                block.instructions.remove(instruction)
                entry.insert(0, instruction)


def _after(llvm: LlvmModule, *passes: str) -> Module:
    run_passes(llvm, passes, _TARGET)
    return read_module(llvm.text())
