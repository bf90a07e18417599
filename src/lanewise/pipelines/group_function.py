# SPDX-License-Identifier: Apache-2.0
"""The work-group function of a kernel, built once more if loops over work-items turn out to be better."""

from __future__ import annotations

from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.passes import load_shifted_vectors, thread_repeated_tests
from lanewise.pipelines.kernel_compilation import KernelCompilation
from lanewise.workgroup.function import WorkGroupFunction, build_work_group_function
from lanewise.workgroup.mapping import LOOP, Mapping


def _suit_loops(function: Function, module: Module) -> None:
    """Bring a kernel into the form that a loop over work-items is best made of, and lanes aren't."""
    thread_repeated_tests.run(function)
    load_shifted_vectors.run(function, module)


def group_function(module: Module, kernel: KernelCompilation) -> WorkGroupFunction:
    """The work-group function. A kernel for which loops turn out to be better is built once more if private arrays were
    laid out for lanes at the first attempt, or if it has what `_suit_loops` changes."""
    arguments = kernel.block, kernel.out_of_line
    options = kernel.explain, kernel.target.processor, kernel.assumptions.apart
    function = module.function(kernel.symbol)
    if kernel.mapping.kind == LOOP:
        _suit_loops(function, module)
    is_auto = kernel.mapping.kind == "auto"
    suits = is_auto and (thread_repeated_tests.applies(function) or load_shifted_vectors.applies(function, module))
    may_follow = suits or (is_auto and any(i.op == "alloca" for i in function.instructions()))
    text = write_module(module) if may_follow else ""
    made = build_work_group_function(module, function, *arguments, kernel.mapping, *options)
    if not text or not (made.is_for_nothing or (suits and made.is_looped)):
        return made
    again = read_module(text)
    function = again.function(kernel.symbol)
    _suit_loops(function, again)
    looped = build_work_group_function(again, function, *arguments, Mapping(LOOP), *options)
    told = made.facts
    facts = looped.facts._replace(
        remarks=told.remarks, other_mapping=told.other_mapping, is_unsure=told.is_unsure, apart=told.apart
    )
    return looped._replace(facts=facts)
