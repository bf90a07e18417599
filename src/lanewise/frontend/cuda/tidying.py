# SPDX-License-Identifier: Apache-2.0
"""Dropping what clang writes into every module though nothing in it is used.

Debug information describes each `using ::sin;` with the whole function, and C++ headers have hundreds: a module whose
file includes <cmath> would carry 40 kB of it, <iostream> 130 kB, read and written by every later stage. The built-in
variables, whose members are registers, stand there too.
"""

from __future__ import annotations

import re

_IMPORTS = re.compile(r"^(!\d+ = distinct !DICompileUnit\(.*), imports: !\d+", re.MULTILINE)
_NODE = re.compile(r"^!(\d+) = .*$", re.MULTILINE)
_REFERENCE = re.compile(r"!(\d+)\b")
_BUILT_IN_VARIABLE = re.compile(r"^(@_ZL(?:9threadIdx|8blockIdx|8blockDim|7gridDim)) = .*\n", re.MULTILINE)


def tidied(ir: str) -> str:
    """The module without unused built-in variables and without imported names in its debug information."""
    for match in _BUILT_IN_VARIABLE.finditer(ir):
        if ir.count(match[1]) == 1:
            ir = ir.replace(match[0], "")
    return without_imports(ir)


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
