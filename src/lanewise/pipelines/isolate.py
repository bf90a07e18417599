# SPDX-License-Identifier: Apache-2.0
"""Cuts a module down to one kernel, or to some functions, and what they reach, ready to be inlined and optimised.

Everything that they call becomes internal and always-inline: barriers and work-item queries stand in
helper functions of real programs, marked noinline or not (facts: dwt2d). What says nothing to code that runs on a
CPU goes: debug information and target attributes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lanewise.analysis.references import reached_from
from lanewise.ir.address_spaces import CONSTANT, GLOBAL
from lanewise.ir.function import Function
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.symbol_words import with_linkage
from lanewise.ir.values import Global
from lanewise.pipelines.lines import keep_lines

_WRITTEN_ELSEWHERE: Final = "externally_initialized"
"""Other kernels and the host write to variables, internal ones too: their initial values are not to be counted on."""
_SPACE_QUERY: Final = "llvm.nvvm.isspacep."
_COMDAT: Final = re.compile(r", comdat(\([^)]*\))?")
_GROUP: Final = re.compile(r"#\d+")
_NODES: Final = re.compile(r"!\d+").findall


def isolate_kernel(module: Module, symbol: str) -> Function:
    """Keep only kernel `symbol` and all that it reaches; gives the kernel."""
    kernel = module.function(symbol)
    isolate(module, [kernel])
    return kernel


def isolate(module: Module, roots: Sequence[Function]) -> None:
    """Keep only `roots` and all that they reach. Other functions become internal, to be inlined."""
    reached = set(reached_from(roots))
    if any(str(symbol.name).startswith(_SPACE_QUERY) for symbol in reached):
        reached |= _constant_variables(module)
    for function in module.functions:
        if function not in reached:
            for instruction in function.instructions():
                instruction.drop_operands()
    module.symbols = {name: s for name, s in module.symbols.items() if s in reached}
    for function in module.functions:
        if not function.blocks:
            continue
        function.prefix = with_linkage(function.prefix, "")
        progresses = "mustprogress" in _attributes(module, function)
        words = ["nounwind", "mustprogress"] if progresses else ["nounwind"]
        if function in roots:
            function.linkage = ""
            words += ["convergent"] if function.is_kernel else []
        else:
            function.linkage = "internal"
            words.append("alwaysinline")
        function.suffix = " ".join(words)
    for variable in module.variables:
        variable.suffix = _COMDAT.sub("", variable.suffix)
        if _is_written_elsewhere(variable):
            variable.prefix = (*variable.prefix[:-1], _WRITTEN_ELSEWHERE, variable.prefix[-1])
    module.header = [line for line in module.header if not line.startswith(("$", "^", "module asm"))]
    keep_lines(module)
    _strip_annotations(module)


def _strip_annotations(module: Module) -> None:
    """Drop what is said of symbols for GPUs alone, such as which variables are textures: it names symbols that may be
    gone."""
    nodes = _NODES(module.metadata.pop("!nvvm.annotations", ""))
    for node in nodes:
        module.metadata.pop(node, None)


def _constant_variables(module: Module) -> set[Global]:
    """All variables in constant memory, which a query of an address's memory must know; made external, so that they
    stay where nothing else refers to them."""
    found: set[Global] = set()
    for variable in module.variables:
        if variable.type.addrspace == CONSTANT and "llvm.metadata" not in variable.suffix:
            variable.prefix = tuple(word for word in variable.prefix if word not in ("internal", "private"))
            found.add(variable)
    return found


def _is_written_elsewhere(variable: GlobalVariable) -> bool:
    """A `__device__` or `__constant__` variable, not yet marked so. Compiler-made tables are private, and constants
    inside a function have no name that a host could use."""
    return (
        variable.type.addrspace in (GLOBAL, CONSTANT)
        and not {"private", _WRITTEN_ELSEWHERE} & set(variable.prefix)
        and not (variable.is_constant and str(variable.name).startswith("_ZZ"))
        and variable.initializer is not None
    )


def declare(function: Function) -> None:
    """Take away the body of a function that another object holds."""
    for instruction in function.instructions():
        instruction.drop_operands()
    function.blocks = []
    function.linkage = ""
    function.prefix = with_linkage(function.prefix, "")
    function.suffix = "nounwind"
    function.metadata = ()


def _attributes(module: Module, function: Function) -> str:
    """All function attributes as text, groups written out."""
    return _GROUP.sub(lambda match: module.attributes.get(match.group(), ""), function.suffix)
