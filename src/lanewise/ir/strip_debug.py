# SPDX-License-Identifier: Apache-2.0
"""Takes the debug information out of a module."""

from __future__ import annotations

import re
from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.module import Module

_DEBUG_ATTACHMENTS: Final = frozenset({"!dbg", "!DIAssignID", "!heapallocsite"})
_DEBUG_NODE: Final = re.compile(r"(?:distinct )?!DI").match
_TUPLE: Final = re.compile(r"((?:distinct )?!\{)(.*)\}", re.DOTALL).fullmatch
_ELEMENTS: Final = re.compile(r'(?:[^,"]|"[^"]*")+').findall


def strip_debug_info(module: Module) -> None:
    """Drop debug records, locations and debug nodes; lists that name some (a loop's places in the source) lose them."""
    for function in module.functions:
        function.metadata = tuple(m for m in function.metadata if m[0] not in _DEBUG_ATTACHMENTS)
        _strip_body(function)
    for variable in module.variables:
        variable.metadata = tuple(m for m in variable.metadata if m[0] not in _DEBUG_ATTACHMENTS)
    debug = {name for name, body in module.metadata.items() if _DEBUG_NODE(body)}
    module.metadata = {
        name: _without(body, debug)
        for name, body in module.metadata.items()
        if name not in debug and not name.startswith("!llvm.dbg")
    }


def _strip_body(function: Function) -> None:
    for block in function.blocks:
        records = False
        for instruction in block.instructions:
            if instruction.is_debug_record:
                instruction.drop_operands()
                records = True
            elif instruction.metadata:
                instruction.metadata = tuple(m for m in instruction.metadata if m[0] not in _DEBUG_ATTACHMENTS)
        if records:
            block.instructions = [i for i in block.instructions if not i.is_debug_record]


def _without(body: str, names: set[str]) -> str:
    """A list node without the elements that are in `names`, any other node as it is."""
    match = _TUPLE(body)
    if match is None:
        return body
    left = [element for element in map(str.strip, _ELEMENTS(match[2])) if element not in names]
    return f"{match[1]}{', '.join(left)}}}"
