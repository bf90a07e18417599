# SPDX-License-Identifier: Apache-2.0
"""CUDA C++ whose loops the compiler leaves rolled: `#pragma unroll 1` before each loop that has no such pragma.

Loops must begin a line, as in the kernels here.
"""

from __future__ import annotations

import re
from typing import Final

_LOOP: Final = re.compile(r"\s*(?:for|while|do)\b")


def rolled(source: str) -> str:
    """The source with the pragmas."""
    lines: list[str] = []
    for line in source.split("\n"):
        if _LOOP.match(line) and not (lines and lines[-1].lstrip().startswith("#pragma unroll")):
            lines.append("#pragma unroll 1")
        lines.append(line)
    return "\n".join(lines)
