# SPDX-License-Identifier: Apache-2.0
"""Takes the debug information out of a module, or its records of variables alone."""

from __future__ import annotations

import re
from typing import Final

from lanewise.ir.function import Block, Function
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


def strip_debug_records(module: Module) -> None:
    """Drop debug records, which say where variables are, and keep all else."""
    for function in module.functions:
        for block in function.blocks:
            _strip_records(block)


def _strip_body(function: Function) -> None:
    for block in function.blocks:
        _strip_records(block)
        for instruction in block.instructions:
            if instruction.metadata:
                instruction.metadata = tuple(m for m in instruction.metadata if m[0] not in _DEBUG_ATTACHMENTS)


def _strip_records(block: Block) -> None:
    records = [each for each in block.instructions if each.is_debug_record]
    for record in records:
        record.drop_operands()
    if records:
        block.instructions = [each for each in block.instructions if not each.is_debug_record]


def _without(body: str, names: set[str]) -> str:
    """A list node without the elements that are in `names`, any other node as it is."""
    match = _TUPLE(body)
    if match is None:
        return body
    left = [element for element in map(str.strip, _ELEMENTS(match[2])) if element not in names]
    return f"{match[1]}{', '.join(left)}}}"
