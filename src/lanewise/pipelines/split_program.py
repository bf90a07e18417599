# SPDX-License-Identifier: Apache-2.0
"""A large program in two parts: its kernels, and its repeated functions, which stay out of line.

Why: see `analysis/repeated_functions.py`. Code for a local size has all calls inlined, lanes need that; code for any
local size is a loop over work-items, to which a call is one instruction more.
"""

from typing import NamedTuple

from lanewise.analysis.call_graph import CallGraph
from lanewise.analysis.repeated_functions import has_too_many_copies, repeated_functions
from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.symbol_words import with_linkage
from lanewise.ir.values import Argument
from lanewise.ir.writer import write_module
from lanewise.pipelines.open_cl_limits import has_limits_of_open_cl
from lanewise.pipelines.source import Source, read
from lanewise.workgroup.layout.out_of_line import OutOfLine, out_of_line_functions


class SplitProgram(NamedTuple):
    """The parts of a program, from which its code is made."""

    kernels: str
    """Kernel IR in which repeated functions are declared only."""
    whole: Module
    """The module with all functions, for one user, who may change it."""
    repeated: frozenset[str]
    """Symbols of the repeated functions."""
    out_of_line: OutOfLine
    """The facts about them that callers need."""


def split_program(source: Source) -> SplitProgram | None:
    """The parts of a program; None if it has no repeated functions."""
    module = read(source)
    repeated = repeated_functions(module)
    if not repeated:
        return None
    out_of_line = out_of_line_functions(CallGraph(module, repeated))
    return SplitProgram(_without_bodies(module, repeated), module, repeated, out_of_line)


def is_too_large_to_inline(source: Source, symbol: str) -> bool:
    """Return whether a program is one that is split, in OpenCL C, and a kernel of it too large to be compiled with all
    calls inlined, while it runs by the code of the two parts."""
    module = read(source)
    return has_limits_of_open_cl(module) and has_too_many_copies(module, symbol)


def _without_bodies(module: Module, symbols: frozenset[str]) -> str:
    """The module as text, with some of its functions as declarations."""
    whole = dict(module.symbols)
    for symbol in symbols:
        function = module.function(symbol)
        parameters = [Argument(a.type, a.name, a.attributes) for a in function.arguments]
        declared = Function(symbol, function.value_type, parameters, suffix="nounwind")
        declared.prefix = with_linkage(function.prefix, "")
        module.symbols[symbol] = declared
    text = write_module(module)
    module.symbols = whole
    return text
