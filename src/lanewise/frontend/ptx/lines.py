# SPDX-License-Identifier: Apache-2.0
"""Places of a module's functions and instructions as debug information.

A place is a line of the program, by `.loc` and `.file`, or the PTX's own line where there are none.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.frontend.ptx.kernels import plain_name
from lanewise.ir.debug_info import Location
from lanewise.ir.line_nodes import LineNodes
from lanewise.ptx.language import module as ptx


@final
class PtxLines:
    """The places of one module of PTX."""

    def __init__(self, source: ptx.Module, nodes: LineNodes) -> None:
        self._source: Final = source
        self._nodes: Final = nodes
        self._known: Final[dict[tuple[Location, str], str]] = {}

    def program(self, function: ptx.Function) -> str:
        """The node of a function."""
        start = next(function.instructions(), function).start
        return self._nodes.program(plain_name(function.name), self._location(start))

    def place(self, start: int, program: str) -> str:
        """The node of the statement that starts there, in the function of the node `program`."""
        key = self._location(start), program
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._nodes.location(*key)
        return known

    def _location(self, start: int) -> Location:
        file, line = self._source.program_place(start) or (self._source.source.file, self._source.source.line(start))
        return Location(file, line, 0)
