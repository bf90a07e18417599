# SPDX-License-Identifier: Apache-2.0
"""Makes the debug information that line tables need: the place of each function, and of instructions in it.

Source: LLVM, "Source Level Debugging with LLVM"; Language Reference, "Specialized Metadata Nodes".
"""

from typing import Final, final

from lanewise.ir.debug_info import UNITS, Location
from lanewise.ir.module import Module

_FLAGS: Final = "!llvm.module.flags"
_VERSION: Final = '!{i32 2, !"Debug Info Version", i32 3}'
"""The flag of a module without which LLVM drops its debug information."""


@final
class LineNodes:
    """Makes nodes of debug information in a module, each once. `main`: the file of the compile unit; that of the first
    function if there is none."""

    def __init__(self, module: Module, main: str | None = None) -> None:
        self._metadata: Final = module.metadata
        self._main: Final = main
        self._known: Final[dict[str, str]] = {}
        self._next = 1 + max((int(name[1:]) for name in module.metadata if name[1:].isdigit()), default=-1)
        self._unit = ""

    def program(self, name: str, start: Location) -> str:
        """The node of a function."""
        file = self._file(start.file)
        if not self._unit:
            main = file if self._main is None else self._file(self._main)
            self._unit = self._node(
                f"distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: {main}, isOptimized: true, "
                "emissionKind: LineTablesOnly, nameTableKind: None)"
            )
            self._metadata[UNITS] = f"!{{{self._unit}}}"
            if _FLAGS not in self._metadata:
                self._metadata[_FLAGS] = f"!{{{self._node(_VERSION)}}}"
        type_ = self._node("!DISubroutineType(types: !{})")
        return self._node(
            f'distinct !DISubprogram(name: "{_escaped(name)}", scope: {file}, file: {file}, line: {start.line}, '
            f"type: {type_}, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: {self._unit})"
        )

    def location(self, place: Location, program: str) -> str:
        """The node of a place in the function of the node `program`."""
        file = self._file(place.file)
        scope = program
        if f"file: {file}," not in self._metadata[program]:
            scope = self._node(f"!DILexicalBlockFile(scope: {program}, file: {file}, discriminator: 0)")
        return self._node(f"!DILocation(line: {place.line}, scope: {scope})")

    def _file(self, name: str) -> str:
        return self._node(f'!DIFile(filename: "{_escaped(name)}", directory: "")')

    def _node(self, body: str) -> str:
        known = self._known.get(body)
        if known is None:
            known = self._known[body] = f"!{self._next}"
            self._metadata[known] = body
            self._next += 1
        return known


def _escaped(text: str) -> str:
    """Text for between quotes: as it is, or each byte of UTF-8 as a backslash and two hexadecimal digits."""
    plain = text.isascii() and text.isprintable() and not {'"', "\\"} & set(text)
    return text if plain else "".join(f"\\{byte:02X}" for byte in text.encode(errors="surrogateescape"))
