# SPDX-License-Identifier: Apache-2.0
"""Dropping debug information that describes using-declarations.

C++ headers say `using ::sin;` hundreds of times, and clang describes each with the whole function: a module whose file
includes <cmath> would carry 40 kB of it, <iostream> 130 kB, read and written by every later stage.
"""

from __future__ import annotations

import re

_IMPORTS = re.compile(r"^(!\d+ = distinct !DICompileUnit\(.*), imports: !\d+", re.MULTILINE)
_NODE = re.compile(r"^!(\d+) = .*$", re.MULTILINE)
_REFERENCE = re.compile(r"!(\d+)\b")


def without_imports(text: str) -> str:
    """`text` without the compile unit's list of imported entities and what only that list refers to."""
    text, found = _IMPORTS.subn(r"\1", text)
    if not found:
        return text
    first = _NODE.search(text)
    if first is None:
        return text
    body, nodes_text = text[: first.start()], text[first.start() :]
    nodes = {match[1]: match[0] for match in _NODE.finditer(nodes_text)}
    reached: set[str] = set()
    pending = _REFERENCE.findall(body)
    while pending:
        number = pending.pop()
        if number not in reached:
            reached.add(number)
            pending.extend(_REFERENCE.findall(nodes[number].partition(" = ")[2]))
    return body + "".join(f"{line}\n" for number, line in nodes.items() if number in reached)
