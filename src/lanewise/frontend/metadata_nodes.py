# SPDX-License-Identifier: Apache-2.0
"""The numbered metadata at the end of a module's text: dropped if nothing refers to it, and numbered anew.

Clang numbers nodes in an order that depends on what it has read besides the program. Numbered by their first use, equal
modules have equal texts.
"""

from __future__ import annotations

import re
from typing import Final

_FIRST: Final = re.compile(r"^!\d+ = ", re.MULTILINE)
_REFERENCE: Final = re.compile(r'"[^"\n]*"|!(\d+)\b')
"""A string, in which `!5` says nothing, or the number of a node. LLVM writes quotation marks in strings as \\22."""


def with_nodes_in_order(text: str) -> str:
    """The text of a module, as clang prints it, with its nodes in the order of the first reference to each. References
    from outside of nodes come first, then those from nodes. Nodes without references are dropped."""
    first = _FIRST.search(text)
    if first is None:
        return text
    lines = [line.partition(" = ") for line in text[first.start() :].split("\n")]
    contents = {name[1:]: content for name, _, content in lines}
    numbers: dict[str, str] = {}

    def renumbered(part: str) -> str:
        return _REFERENCE.sub(reference, part)

    def reference(match: re.Match[str]) -> str:
        old = match[1]
        if old is None:
            return match[0]
        new = numbers.get(old)
        if new is None:
            new = numbers[old] = f"!{len(numbers)}"
            pending.append(old)
        return new

    pending: list[str] = []
    parts = [renumbered(text[: first.start()])]
    for number in pending:  # which grows
        parts.append(f"{numbers[number]} = {renumbered(contents[number])}\n")
    return "".join(parts)
