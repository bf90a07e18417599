# SPDX-License-Identifier: Apache-2.0
"""Names and places of a program's source, from its debug information, as messages show them."""

from __future__ import annotations

from pathlib import Path
from typing import Final, final

from lanewise.ir.debug_info import DebugInfo, Location
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.values import Value
from lanewise.toolchain import zig_library

_OURS: Final = str(Path(__file__).parents[1])


@final
class SourceNames:
    """Names and places as the debug information of a module has them."""

    def __init__(self, module: Module) -> None:
        self._info: Final = DebugInfo(module.metadata)
        self._hidden: Final = (_OURS, str(zig_library()))

    def place(self, value: Value) -> Location | None:
        """The place of an instruction: that of the call, in the user's code, for what our own headers do. None for
        other values."""
        if not isinstance(value, Instruction):
            return None
        node = value.metadata_of("!dbg")
        while node:
            location = self._info.location(node)
            if location is None:
                return None
            outer = self._info.node(node)
            node = outer.get("inlinedAt") if outer is not None else ""
            if not node or not location.file.startswith(self._hidden):
                return location
        return None

    def is_users(self, instruction: Instruction) -> bool:
        """True for an instruction that has a place in the user's code, rather than in our headers."""
        place = self.place(instruction)
        return place is not None and not place.file.startswith(self._hidden)

    def of_variable(self, variable: GlobalVariable) -> str:
        """The name of a variable of the module."""
        node = self._info.node(dict(variable.metadata).get("!dbg", ""))
        if node is not None and node.kind == "DIGlobalVariableExpression":
            node = self._info.node(node.get("var"))
        return node.get("name") if node is not None else str(variable.name)

    def of_local(self, variable: Instruction) -> str:
        """The name of a variable of the work-item, as clang calls it; "" for one that clang has made up."""
        name = (variable.name or "").split(".")[0]
        return "" if name in ("", "ref", "agg", "tmp", "retval", "saved") else name
