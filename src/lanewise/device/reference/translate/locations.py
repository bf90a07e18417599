# SPDX-License-Identifier: Apache-2.0
"""Lines and names of the source, from debug information. Source: LLVM, "Source Level Debugging", "DILocation"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from lanewise.ir.debug_info import DebugInfo, Location
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value
from lanewise.toolchain import zig_library

_FIELD: Final = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|[^,()]+)')
_NODE: Final = re.compile(r"![0-9]+")
_OURS: Final = str(Path(__file__).parents[3])
_DEEPEST_SCOPE: Final = 1000  # of well-formed metadata; ends a cycle in broken one


class Locations:
    """Source locations of instructions. `source_name` is the user's name for the main file."""

    def __init__(self, metadata: Mapping[str, str], source_name: str) -> None:
        self._metadata: Final = metadata
        self._source_name: Final = source_name
        self._main: Final = self._main_file()
        self._info: Final = DebugInfo(metadata)

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

    def position(self, access: Instruction, pointer: Value) -> Location | None:
        """The place of an access: that of `p[i]` in `p[i] = 1`, and that of the call, in the user's code, for what our
        own headers do. None if the debug information lacks it."""
        place = self._in_users_code(access)
        if isinstance(pointer, Instruction) and pointer.op == "getelementptr":
            start = self._in_users_code(pointer)
            if start is not None and (place is None or (start.file, start.line) == (place.file, place.line)):
                return start
        return place

    def _in_users_code(self, instruction: Instruction) -> Location | None:
        hidden = (_OURS, str(zig_library()))
        node = instruction.metadata_of("!dbg")
        while node:
            location, outer = self._info.location(node), self._info.node(node)
            node = outer.get("inlinedAt") if outer is not None else ""
            if location is None or not node or not location.file.startswith(hidden):
                return location
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
