# SPDX-License-Identifier: Apache-2.0
"""Static variables of device code that is linked across files: one variable, of which clang makes two.

Host code that names such a variable, as cudaMemcpyToSymbol does, makes clang give it a name that only its file has:
`_ZL1v__static__` and an id. A kernel before that place uses the name without the id, which is then declared and defined
nowhere.
"""

from __future__ import annotations

import re
from typing import Final

MARK: Final = "__static__"
"""Part of the names; a text without it needs no change."""
_DECLARED: Final = re.compile(r"^@([\w$.]+) = external [^\n]*\n", re.MULTILINE)


def joined(ir: str) -> str:
    """The module with such declarations replaced by the definitions."""
    for match in _DECLARED.finditer(ir):
        name = re.escape(match[1])
        defined = re.search(rf"^@({name}{MARK}\w+) = (?!external )", ir, re.MULTILINE)
        if defined is not None:
            ir = re.sub(rf"@{name}(?![\w$.])", f"@{defined[1]}", ir.replace(match[0], "", 1))
    return ir
