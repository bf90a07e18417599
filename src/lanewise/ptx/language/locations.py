# SPDX-License-Identifier: Apache-2.0
"""Places in the program that the statements of PTX come from.

Source: PTX ISA 9.0, 11.5.2 `.file`, 11.5.3 `.loc`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, final

from lanewise.ptx.language.statements import Directive

_OF_A_TOOLKIT: Final = re.compile(r"/targets/[^/]+/include/").search
"""Part of the names of CUDA's own headers."""

_DEEPEST: Final = 100
"""Calls within calls of well-formed places; ends a cycle in others."""

_Place: TypeAlias = tuple[int, int, int]
"""The number of a file, a line and a column."""


@final
class Locations:
    """The places that `.loc` directives name. `directives` are in order; `functions`: offsets of the functions' starts,
    in order.

    Inlined code is at the place where it is written, or, if it is CUDA's own, where the program calls it.
    """

    def __init__(self, directives: Iterable[Directive], functions: Sequence[int]) -> None:
        found = list(directives)
        self._files: Final = {_number(each.words[1]): each.words[2][1:-1] for each in found if each.words[0] == ".file"}
        self._starts: Final[list[int]] = []
        self._places: Final[list[tuple[int, int]]] = []
        self._functions: Final = functions
        callers: dict[_Place, _Place] = {}
        for directive in found:
            if directive.words[0] == ".loc":
                self._starts.append(directive.start)
                self._places.append(self._place(directive.words, callers)[:2])

    def _place(self, words: Sequence[str], callers: dict[_Place, _Place]) -> _Place:
        """The place that a directive names. `callers`: where code of earlier ones is inlined, by its place there."""
        place = _place_in(words, 1)
        if "inlined_at" not in words:
            return place
        callers[place] = _place_in(words, words.index("inlined_at") + 1)
        for _ in range(_DEEPEST):
            if place not in callers or not _OF_A_TOOLKIT(self._files.get(place[0], "")):
                break
            place = callers[place]
        return place

    def at(self, start: int) -> tuple[str, int] | None:
        """File and line by the last directive before the character at `start`, in the same function. None without one,
        and if it names no file that there is, or line 0, which stands for no line."""
        function = bisect_right(self._functions, start) - 1
        last = bisect_right(self._starts, start) - 1
        if last < 0 or (function >= 0 and self._starts[last] < self._functions[function]):
            return None
        file, line = self._places[last]
        return (self._files[file], line) if line and file in self._files else None


def _place_in(words: Sequence[str], at: int) -> _Place:
    return _number(words[at]), _number(words[at + 1]), _number(words[at + 2])


def _number(token: str) -> int:
    """A whole number as PTX writes it: `7`, `0x7`, `07U`."""
    digits = token.rstrip("U")
    return int(digits, 8 if digits[0] == "0" and digits[1:].isdigit() else 0)
