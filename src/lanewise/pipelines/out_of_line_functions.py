# SPDX-License-Identifier: Apache-2.0
"""Objects of functions that stay out of line: those that can't be inlined, and the repeated ones of a large program
(`analysis/repeated_functions.py`)."""

from __future__ import annotations

from lanewise.analysis.call_graph import CallGraph
from lanewise.ir.debug_info import DebugInfo
from lanewise.ir.module import Module
from lanewise.passes import copy_byval, drop_noalias
from lanewise.pipelines.cpu import FRONT, OUT_OF_LINE, REPEATED
from lanewise.pipelines.drive import Drive
from lanewise.pipelines.isolate import isolate
from lanewise.pipelines.kernel_compilation import KernelCompilation
from lanewise.pipelines.source import Source, read
from lanewise.pipelines.split_program import SplitProgram
from lanewise.pipelines.step import Table
from lanewise.pipelines.target import CpuTarget
from lanewise.workgroup.launch_assumptions import LaunchAssumptions
from lanewise.workgroup.layout.out_of_line import out_of_line_functions
from lanewise.workgroup.out_of_line_object import OutOfLineObject, build_out_of_line_object


def compile_out_of_line(source: Source, fused: bool = True, target: CpuTarget | None = None) -> OutOfLineObject:
    """The object of all functions of a program that can't be inlined, from its kernel IR. `fused` and `target`: as in
    `compile_for_cpu`."""
    program = KernelCompilation("", assumptions=LaunchAssumptions(small_grid=False), fused=fused, target=target)
    return _out_of_line_object(read(source), program, OUT_OF_LINE)


def compile_repeated(split: SplitProgram, fused: bool = True) -> OutOfLineObject:
    """The object of the repeated functions of a program. `fused`: as in `compile_for_cpu`."""
    program = KernelCompilation("", assumptions=LaunchAssumptions(small_grid=False), fused=fused)
    return _out_of_line_object(split.whole, program, REPEATED, split.repeated)


def _out_of_line_object(
    module: Module,
    program: KernelCompilation,
    table: Table[KernelCompilation],
    repeated: frozenset[str] = frozenset(),
) -> OutOfLineObject:
    functions = DebugInfo(module.metadata).function_names(module.functions)
    Drive(module, program, "the functions that kernels call").run(FRONT[:2])
    graph = CallGraph(module, repeated)
    out_of_line = out_of_line_functions(graph)
    roots = graph.out_of_line
    isolate(module, roots)
    for function in module.functions:
        drop_noalias.run(function)
    for function in roots:
        copy_byval.run(function, module)
    program.is_large = bool(repeated)
    simplified = Drive(module, program, "the functions that kernels call").run(table).module
    return build_out_of_line_object(simplified, [simplified.function(f.symbol) for f in roots], out_of_line, functions)
