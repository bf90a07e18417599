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
from lanewise.ir.values import Global, Value

_DEBUG_NODE: Final = re.compile(r"(distinct )?!DI")
_COMDAT: Final = re.compile(r", comdat(\([^)]*\))?")
_GROUP: Final = re.compile(r"#\d+")


def isolate_kernel(module: Module, symbol: str) -> Function:
    """Keep only kernel `symbol` and all that it reaches; gives the kernel."""
    kernel = module.function(symbol)
    reached = reached_from(kernel)
    module.symbols = {name: s for name, s in module.symbols.items() if s in reached}
    for function in module.functions:
        _strip_debug(function)
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
        variable.metadata = ()
        variable.suffix = _COMDAT.sub("", variable.suffix)
    module.header = [line for line in module.header if not line.startswith(("$", "^", "module asm"))]
    module.metadata = _without_debug_nodes(module.metadata)
    return kernel


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


def _strip_debug(function: Function) -> None:
    function.metadata = ()
    for block in function.blocks:
        for instruction in block.instructions:
            if instruction.is_debug_record:
                instruction.drop_operands()
            elif instruction.metadata:
                instruction.metadata = tuple(m for m in instruction.metadata if m[0] != "!dbg")
        block.instructions = [i for i in block.instructions if not i.is_debug_record]


def _without_debug_nodes(metadata: dict[str, str]) -> dict[str, str]:
    """Metadata without debug nodes; the lists that name some (a loop's places in the source) lose them."""
    debug = {name for name, body in metadata.items() if _DEBUG_NODE.match(body)}
    kept: dict[str, str] = {}
    for name, body in metadata.items():
        if name in debug or name.startswith("!llvm.dbg"):
            continue
        if body.endswith("}"):
            opening, _, elements = body.rstrip("}").partition("{")
            left = [e for e in elements.split(", ") if e not in debug]
            body = f"{opening}{{{', '.join(left)}}}"
        kept[name] = body
    return kept


def _attributes(module: Module, function: Function) -> str:
    """All function attributes as text, groups written out."""
    return _GROUP.sub(lambda match: module.attributes.get(match.group(), ""), function.suffix)
