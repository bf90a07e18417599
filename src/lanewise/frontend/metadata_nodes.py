# SPDX-License-Identifier: Apache-2.0
"""The numbered metadata at the end of a module's text: dropped if nothing refers to it, and numbered anew.

Clang numbers nodes in an order that depends on what it has read besides the program. Numbered by their first use, equal
modules have equal texts.
"""

from __future__ import annotations

import re
from typing import Final, final

_FIRST: Final = re.compile(r"^!\d+ = ", re.MULTILINE)
_split_at_references: Final = re.compile(r'("[^"\n]*"|!\d+\b)').split
"""In turn, text that says nothing, and a string, in which `!5` says nothing, or a node. LLVM writes quotation marks in
strings as \\22."""
_LOCATION: Final = "!DILocation("
"""Most nodes are places in the source, and nearly all of these have one reference, at their end: `scope: !5)`."""


def with_nodes_in_order(text: str) -> str:
    """The text of a module, as clang prints it, with its nodes in the order of the first reference to each. References
    from outside of nodes come first, then those from nodes. Nodes without references are dropped."""
    first = _FIRST.search(text)
    if first is None:
        return text
    lines = [line.partition(" = ") for line in text[first.start() :].split("\n")]
    contents = {name: content for name, _, content in lines}
    numbers = _Numbers()
    pending = numbers.given
    parts = [numbers.in_text(text[: first.start()])]
    for number in pending:  # which grows
        parts.append(f"{numbers[number]} = {numbers.in_node(contents[number])}\n")
    return "".join(parts)


@final
class _Numbers(dict[str, str]):
    """New numbers of nodes, as `!5`. A string, which is no node, stands for itself."""

    def __init__(self) -> None:
        self.given: Final[list[str]] = []
        """The nodes that have a number, in order."""

    def __missing__(self, token: str) -> str:
        new = token
        if token[0] == "!":
            new = f"!{len(self.given)}"
            self.given.append(token)
        self[token] = new
        return new

    def in_node(self, content: str) -> str:
        """The content of a node with the new numbers."""
        before, _, scope = content.rpartition("!")
        if content.startswith(_LOCATION) and before.count("!") == 1 and scope[:-1].isdigit():
            return f"{before}{self['!' + scope[:-1]]})"
        return self.in_text(content)

    def in_text(self, text: str) -> str:
        """`text` with the new numbers."""
        parts = _split_at_references(text)
        parts[1::2] = [self[token] for token in parts[1::2]]
        return "".join(parts)
