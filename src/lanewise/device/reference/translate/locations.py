# SPDX-License-Identifier: Apache-2.0
"""Lines and names of the source, from debug information. Source: LLVM, "Source Level Debugging", "DILocation"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value

_FIELD: Final = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|[^,()]+)')
_NODE: Final = re.compile(r"![0-9]+")
_DEEPEST_SCOPE: Final = 1000  # of well-formed metadata; ends a cycle in broken one


class Locations:
    """Source locations of instructions. `source_name` is the user's name for the main file."""

    def __init__(self, metadata: Mapping[str, str], source_name: str) -> None:
        self._metadata: Final = metadata
        self._source_name: Final = source_name
        self._main: Final = self._main_file()

    def _fields(self, node: str) -> dict[str, str]:
        return dict(_FIELD.findall(self._metadata.get(node, "")))

    def _main_file(self) -> str:
        units = _NODE.findall(self._metadata.get("!llvm.dbg.cu", ""))
        return self._file_name(self._fields(units[0]).get("file", "")) if units else ""

    def _file_name(self, node: str) -> str:
        return self._fields(node).get("filename", "").strip('"')

    def place(self, instruction: Instruction | None) -> str | None:
        """`file:line` of an instruction; None if the debug information lacks it."""
        node = instruction.metadata_of("!dbg") if instruction is not None else None
        if node is None:
            return None
        fields = self._fields(node)
        line = fields.get("line", "0")
        scope = fields.get("scope", "")
        for _ in range(_DEEPEST_SCOPE):
            scope_fields = self._fields(scope)
            if "file" in scope_fields:
                name = self._file_name(scope_fields["file"])
                shown = self._source_name if name == self._main else name
                return f"{shown}:{line}" if line != "0" else None
            scope = scope_fields.get("scope", "")
            if not scope:
                break
        return None

    def function_name(self, function: Function) -> str:
        """Name of a function in the source; its symbol if the debug information lacks it."""
        node = dict(function.metadata).get("!dbg", "")
        return self._fields(node).get("name", "").strip('"') or function.symbol

    def variable_names(self, function: Function) -> dict[Value, str]:
        """Name in the source of each local variable that has memory of its own."""
        names: dict[Value, str] = {}
        for instruction in function.instructions():
            if instruction.op == "#dbg_declare" and instruction.operands:
                nodes = _NODE.findall(instruction.predicate)
                name = self._fields(nodes[0]).get("name", "").strip('"') if nodes else ""
                if name:
                    names[instruction.operands[0]] = name
        return names
