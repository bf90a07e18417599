# SPDX-License-Identifier: Apache-2.0
"""Spelling of names in the text.

A name is kept as it is between its quotes, escapes included, and written bare if it can be. Digits alone are not a name
but the number of an unnamed symbol, block, value or type. A real name of digits keeps its quotes ('"0"'), so that the
two stay apart.

Source: LLVM Language Reference, "Identifiers".
"""

from __future__ import annotations

import re
from typing import Final

_BARE: Final = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*|[0-9]+").fullmatch
_SYMBOLS: Final = re.compile(r'@("[^"\n]*"|[-\w$.]+)|"[^"\n]*"|;[^\n]*').findall
"""Symbols as they are written after @, and "" for other strings and for comments, which may have any character."""
_ESCAPE: Final = re.compile(r"\\([0-9a-fA-F]{2})")


def quoted(name: str) -> str:
    """`name` as it is written after %, @, $ or !."""
    return name if _BARE(name) or name[:1] == '"' else f'"{name}"'


def unquoted(text: str) -> str:
    """The name that is written as `text` after %, @ or $."""
    if text[:1] != '"':
        return text
    name = text[1:-1]
    if "\\" in name:
        name = _ESCAPE.sub(_plain_where_printable, name)
    return text if name.isdigit() else name


def symbols_in(text: str) -> list[str]:
    """The symbols that a piece of a module's text names, in order, those that it defines included."""
    return [unquoted(name) for name in _SYMBOLS(text) if name]


def is_number(name: str) -> bool:
    """True if `name` is the number of something without a name of its own."""
    return name.isascii() and name.isdigit()


def _plain_where_printable(escape: re.Match[str]) -> str:
    """LLVM escapes quotes, backslashes and what can't be printed; anything else is the same name unescaped."""
    character = chr(int(escape.group(1), 16))
    return character if " " <= character <= "~" and character not in '"\\' else escape.group().upper()
