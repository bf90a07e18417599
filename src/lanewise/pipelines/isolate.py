# SPDX-License-Identifier: Apache-2.0
"""Cuts a module down to one kernel and what it reaches, ready to be inlined and optimised.

Everything that the kernel calls becomes internal and always-inline: barriers and work-item queries stand in
helper functions of real programs, marked noinline or not (facts: dwt2d). What says nothing to code that runs on a
CPU goes: debug information and target attributes.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.module import Alias, GlobalVariable, Module, constants_in
from lanewise.ir.strip_debug import strip_debug_info
from lanewise.ir.values import Global, Value

_WRITTEN_ELSEWHERE: Final = "externally_initialized"
"""Other kernels and the host write to variables, internal ones too: their initial values are not to be counted on."""
_COMDAT: Final = re.compile(r", comdat(\([^)]*\))?")
_GROUP: Final = re.compile(r"#\d+")


def isolate_kernel(module: Module, symbol: str) -> Function:
    """Keep only kernel `symbol` and all that it reaches; gives the kernel."""
    kernel = module.function(symbol)
    reached = reached_from(kernel)
    for function in module.functions:
        if function not in reached:
            for instruction in function.instructions():
                instruction.drop_operands()
    module.symbols = {name: s for name, s in module.symbols.items() if s in reached}
    for function in module.functions:
        if not function.blocks:
            continue
        progresses = "mustprogress" in _attributes(module, function)
        words = ["nounwind", "mustprogress"] if progresses else ["nounwind"]
        if function is kernel:
            function.linkage = ""
            words.append("convergent")
        else:
            function.linkage = "internal"
            words.append("alwaysinline")
        function.suffix = " ".join(words)
    for variable in module.variables:
        variable.suffix = _COMDAT.sub("", variable.suffix)
        if _is_written_elsewhere(variable):
            variable.prefix = (*variable.prefix[:-1], _WRITTEN_ELSEWHERE, variable.prefix[-1])
    module.header = [line for line in module.header if not line.startswith(("$", "^", "module asm"))]
    strip_debug_info(module)
    return kernel


def _is_written_elsewhere(variable: GlobalVariable) -> bool:
    """A `__device__` or `__constant__` variable, not yet marked so. Compiler-made tables are private, and constants
    inside a function have no name that a host could use."""
    return (
        variable.type.addrspace in (1, 4)
        and not {"private", _WRITTEN_ELSEWHERE} & set(variable.prefix)
        and not (variable.is_constant and str(variable.name).startswith("_ZZ"))
        and variable.initializer is not None
    )


def reached_from(kernel: Function) -> set[Global]:
    """All symbols that `kernel` refers to, directly or through others, and the kernel itself."""
    found: set[Global] = set()
    work: list[Global] = [kernel]
    while work:
        symbol = work.pop()
        if symbol in found:
            continue
        found.add(symbol)
        values: list[Value] = []
        if isinstance(symbol, Function):
            values = [o for i in symbol.instructions() if not i.is_debug_record for o in i.operands]
        elif isinstance(symbol, GlobalVariable) and symbol.initializer is not None:
            values = [symbol.initializer]
        elif isinstance(symbol, Alias):
            values = [symbol.aliasee]
        work.extend(v for value in values for v in constants_in(value) if isinstance(v, Global))
    return found


def _attributes(module: Module, function: Function) -> str:
    """All function attributes as text, groups written out."""
    return _GROUP.sub(lambda match: module.attributes.get(match.group(), ""), function.suffix)
