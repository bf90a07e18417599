# SPDX-License-Identifier: Apache-2.0
"""Launches whose brackets a formatter has taken apart: `k<< <grid, block>> >(x)`, which nvcc accepts and clang doesn't.

Rodinia's particlefilter is written so. The brackets are put together in place, with the blank after them, so that
lines and columns stay what they were.
"""

from __future__ import annotations

import re
from typing import Final

_LAUNCH: Final = re.compile(
    r"(?<!\boperator)(?P<open><<<|<<[ \t]+<)(?P<configuration>[^;{}]*?)(?P<close>>>>|>>[ \t]+>)(?=\s*\()"
)


def joined_launches(text: str) -> str:
    """`text` with whole launch brackets; of the same length."""
    return _LAUNCH.sub(_joined, text)


def _joined(match: re.Match[str]) -> str:
    opening, closing = match["open"], match["close"]
    return f"{'<<<':{len(opening)}}{match['configuration']}{'>>>':>{len(closing)}}"
