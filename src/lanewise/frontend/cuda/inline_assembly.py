# SPDX-License-Identifier: Apache-2.0
"""Percent signs in inline assembly, which nvcc takes as they are unless an operand follows.

Before
    asm("{ .reg .u32 %t; mov.u32 %t, %laneid; mov.u32 %0, %t; }" : "=r"(lane));

After
    asm("{ .reg .u32 %%t; mov.u32 %%t, %%laneid; mov.u32 %0, %%t; }" : "=r"(lane));

Clang wants two of them before a name, as GCC does. nvcc takes both. A statement without operands, which has no escapes
for clang either, stays as it is. Lines stay what they were; columns move in such statements only.
"""

from __future__ import annotations

import re
from typing import Final

_STATEMENT: Final = re.compile(
    r"\b(?:asm|__asm|__asm__)\b(?:\s*\b(?:volatile|__volatile|__volatile__|inline|goto)\b)*\s*\("
)
_PIECE: Final = re.compile(
    r'(?P<string>R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*")'
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<sign>[():])",
    re.DOTALL,
)
_PERCENT: Final = re.compile(r"%(%|[A-Za-z_])")


def escaped(text: str) -> str:
    """`text` with two percent signs before each name in the templates of inline assembly."""
    if "asm" not in text:
        return text
    done: list[str] = []
    end = 0
    for statement in _STATEMENT.finditer(text):
        if statement.start() < end:
            continue
        templates = _templates(text, statement.end())
        for start, stop in templates:
            done += text[end:start], _PERCENT.sub(_doubled, text[start:stop])
            end = stop
    return "".join(done) + text[end:]


def _templates(text: str, start: int) -> list[tuple[int, int]]:
    """Places of the strings before the first colon of a statement, whose bracket opens before `start`. A statement
    without operands has no such strings."""
    found: list[tuple[int, int]] = []
    depth = 1
    for piece in _PIECE.finditer(text, start):
        if piece["string"]:
            found.append(piece.span())
        elif piece["sign"] == ":" and depth == 1:
            return found
        elif piece["sign"] == "(":
            depth += 1
        elif piece["sign"] == ")":
            depth -= 1
            if depth == 0:
                break
    return []


def _doubled(match: re.Match[str]) -> str:
    return "%%" if match[1] == "%" else f"%%{match[1]}"
