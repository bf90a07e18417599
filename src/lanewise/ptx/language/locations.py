# SPDX-License-Identifier: Apache-2.0
"""Places in the program that the statements of PTX come from.

Source: PTX ISA 9.0, 11.5.2 `.file`, 11.5.3 `.loc`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final, final

from lanewise.ptx.language.statements import Directive


@final
class Locations:
    """The places that `.loc` directives name. `directives` are in order; `functions`: offsets of the functions' starts,
    in order.

    Inlined code is at the place where it is written.
    """

    def __init__(self, directives: Iterable[Directive], functions: Sequence[int]) -> None:
        self._files: Final[dict[int, str]] = {}
        self._starts: Final[list[int]] = []
        self._places: Final[list[tuple[int, int]]] = []
        self._functions: Final = functions
        for directive in directives:
            words = directive.words
            if words[0] == ".loc":
                self._starts.append(directive.start)
                self._places.append((_number(words[1]), _number(words[2])))
            elif words[0] == ".file":
                self._files[_number(words[1])] = words[2][1:-1]

    def at(self, start: int) -> tuple[str, int] | None:
        """File and line by the last directive before the character at `start`, in the same function. None without one,
        and if it names no file that there is, or line 0, which stands for no line."""
        function = bisect_right(self._functions, start) - 1
        last = bisect_right(self._starts, start) - 1
        if last < 0 or (function >= 0 and self._starts[last] < self._functions[function]):
            return None
        file, line = self._places[last]
        return (self._files[file], line) if line and file in self._files else None


def _number(token: str) -> int:
    """A whole number as PTX writes it: `7`, `0x7`, `07U`."""
    digits = token.rstrip("U")
    return int(digits, 8 if digits[0] == "0" and digits[1:].isdigit() else 0)
