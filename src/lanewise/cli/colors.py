# SPDX-License-Identifier: Apache-2.0
"""Colours for diagnostics, as clang has them on a terminal."""

from __future__ import annotations

import re
from typing import Final

_RESET: Final = "\x1b[0m"
_BOLD: Final = "\x1b[1m"
_SEVERITIES: Final = {
    "fatal error": "\x1b[1;31m",
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;35m",
    "note": "\x1b[1;36m",
    "remark": "\x1b[1;34m",
}
_CARET: Final = "\x1b[1;32m"

_DIAGNOSTIC: Final = re.compile(
    r"(?P<place>(?:\S.*?:\d+:\d+|lanewise|clang): )(?P<kind>(?:fatal )?[a-z]+)(?P<text>: .*)"
)
_CARETS: Final = re.compile(r"(?P<bar> +\| )(?P<marks>[ ~^]*[~^][ ~^]*)")


def coloured_diagnostics(text: str) -> str:
    """`text` with places in bold, severities and carets in colour. Other lines stay as they are."""
    return "\n".join(map(_coloured, text.split("\n")))


def _coloured(line: str) -> str:
    match = _DIAGNOSTIC.fullmatch(line)
    if match and match["kind"] in _SEVERITIES:
        return (
            f"{_BOLD}{match['place']}{_SEVERITIES[match['kind']]}{match['kind']}{_RESET}{_BOLD}{match['text']}{_RESET}"
        )
    if match := _CARETS.fullmatch(line):
        return f"{match['bar']}{_CARET}{match['marks']}{_RESET}"
    return line
