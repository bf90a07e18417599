# SPDX-License-Identifier: Apache-2.0
"""Places in the program that the statements of PTX come from.

Source: PTX ISA 9.0, 11.5.2 `.file`, 11.5.3 `.loc`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, final

_FILE: Final = re.compile(r'^[ \t]*\.file\s+(\d+)\s+"([^"]*)"', re.MULTILINE)
_LOCATION: Final = re.compile(r"^[ \t]*\.loc\s+(\d+)\s+(\d+)", re.MULTILINE)


@final
class Locations:
    """The `.loc` directives of a text, found once. `functions`: offsets of the functions' starts, in order."""

    def __init__(self, text: str, functions: Sequence[int]) -> None:
        files: dict[str, str] = dict(_FILE.findall(text))
        found = [(match.start(), f"{files.get(match[1], '?')}:{match[2]}") for match in _LOCATION.finditer(text)]
        self._starts = [start for start, _ in found]
        self._places = [place for _, place in found]
        self._functions = functions

    def at(self, start: int) -> str | None:
        """`file:line` by the last directive before the character at `start`, in the same function."""
        function = bisect_right(self._functions, start) - 1
        last = bisect_right(self._starts, start) - 1
        if last < 0 or (function >= 0 and self._starts[last] < self._functions[function]):
            return None
        return self._places[last]
