# SPDX-License-Identifier: Apache-2.0
"""Programs that nvcc takes and clang refuses, changed where clang's diagnostics point.

Before, a function that is declared for the host and defined for both sides
    int twice(int x);
    __host__ __device__ int twice(int x) { return 2 * x; }

After
    int __attribute__((host)) __attribute__((device)) twice(int x);
    __host__ __device__ int twice(int x) { return 2 * x; }

Before, an array of variable length with an initialiser, a GNU extension of host code
    int f(int n) {
        int sums[n] = {};
        return sums[0];
    }

After
    int f(int n) {
        int sums[n]     ;
        return sums[0];
    }

Host code is checked and not run, so the initialiser may go; blanks take its place. Device code has no such arrays, with
or without one.

Only the program's own text is changed, not the headers that it includes. Lines stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_PLACE: Final = re.compile(r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?P<text>.*)")
_TWO_SIDES: Final = re.compile(r"error: __host__ __device__ function '.*' cannot overload __host__ function")
_EARLIER: Final = "note: previous declaration is here"
_INITIALISED: Final = "error: variable-sized object may not be initialized"

_BOTH_SIDES: Final = "__attribute__((host)) __attribute__((device)) "
_INITIALISER: Final = re.compile(r"\s*=?\s*(?=[{\"])")
_CLOSING: Final = {"{": "}", "(": ")", "[": "]"}
_TOKEN: Final = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|.', re.DOTALL)


def mended(text: str, name: str, diagnostics: Sequence[str]) -> str | None:
    """`text`, the program called `name` in `diagnostics`, with their faults mended; None if there are none of these
    kinds."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    changes: dict[int, tuple[int, str]] = {}
    two_sides = False
    for diagnostic in diagnostics:
        place = _PLACE.match(diagnostic)
        if place is None:
            continue
        is_own = place["file"] == name and int(place["line"]) < len(starts)
        at = starts[int(place["line"]) - 1] + _characters(text, starts, place) if is_own else 0
        if is_own and place["text"].startswith(_INITIALISED):
            start, stop = _initialiser(text, at)
            changes[start] = (stop, re.sub(r"[^\n]", " ", text[start:stop]))
        elif is_own and two_sides and place["text"].startswith(_EARLIER) and not _has_body(text, at):
            changes[at] = (at, _BOTH_SIDES)
        two_sides = bool(_TWO_SIDES.match(place["text"]))
    for start, (stop, new) in sorted(changes.items(), reverse=True):
        text = text[:start] + new + text[stop:]
    return text if changes else None


def _characters(text: str, starts: Sequence[int], place: re.Match[str]) -> int:
    """The number of characters before a place in its line: clang counts bytes."""
    line = int(place["line"])
    before = text[starts[line - 1] : starts[line]].encode(errors="surrogateescape")[: int(place["column"]) - 1]
    return len(before.decode(errors="surrogateescape"))


def _has_body(text: str, at: int) -> bool:
    """True if the function whose name is at `at` is defined there, so that nvcc refuses another definition."""
    brackets = 0
    for token in _TOKEN.finditer(text, at):
        brackets += (token[0] in "([") - (token[0] in ")]")
        if brackets == 0 and token[0] in "{;":
            return token[0] == "{"
    return False


def _initialiser(text: str, within: int) -> tuple[int, int]:
    """Place of the initialiser of an array, whose name or a place within its first brackets is at `within`."""
    if not text[:within].rstrip().endswith("[") and (name := re.match(r"\w+\s*\[", text[within:])) is not None:
        within += name.end()
    end = _closed(text, within, "]")
    while (bracket := re.match(r"\s*\[", text[end:])) is not None:
        end = _closed(text, end + bracket.end(), "]")
    opening = _INITIALISER.match(text, end)
    if opening is None:
        return end, end
    if text[opening.end()] == "{":
        return end, _closed(text, opening.end() + 1, "}")
    token = _TOKEN.match(text, opening.end())
    return end, token.end() if token is not None else end


def _closed(text: str, start: int, bracket: str) -> int:
    """The end of the bracket that closes what is open at `start`."""
    expected = [bracket]
    for token in _TOKEN.finditer(text, start):
        if token[0] == expected[-1]:
            expected.pop()
            if not expected:
                return token.end()
        elif token[0] in _CLOSING:
            expected.append(_CLOSING[token[0]])
    return len(text)
