# SPDX-License-Identifier: Apache-2.0
"""Tokens of PTX, with their positions.

A token is a plain string whose first character determines its kind. A letter, `%`, `$` or `_` starts a name, a register
or a whole opcode with its modifiers (`ld.global.nc.f32`, `%tid.x`). `.` starts a directive or a type, a digit a number,
`"` a string; any other token is one sign. One regular expression over the whole text keeps the cost at microseconds per
line. Each of its repetitions is possessive or ends with its token, so that no text makes it backtrack. Source: PTX ISA
9.0, 4.4 "Identifiers", 4.5 "Constants".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from lanewise.errors import CompileError

_TOKENS: Final = re.compile(
    r"""(?:\s++|//[^\n]*+|/\*(?s:.*?)\*/)*+          # white space and comments
    (
      [a-zA-Z%$_][\w$]*+(?:(?:\.|::)[\w$]++)*+      # name, register, opcode with its modifiers
    | \.[a-zA-Z_]\w*+(?:::\w++)*+                   # directive, type, state space
    | (?:\d+\.\d*+|\.\d++)(?:[eE][-+]?\d++)?+ | \d+[eE][-+]\d++
    | \d[\w$]*+                                     # other numbers, which whoever reads them checks
    | "(?:[^"\\\n]|\\.)*+" | "[^\n]*+               # a string; one that isn't closed
    | <<|>>|<=|>=|==|!=|&&|\|\||@@
    | /\*(?s:.*+)                                   # a comment that isn't closed
    | \S                                            # one sign, or an error for whoever meets it
    | \Z
    )""",
    re.VERBOSE | re.ASCII,
)
_SHOWN: Final = 40
"""Limit on the characters of a wrong token that a message shows."""


class Source:
    """A text with its tokens. `tokens[i]` starts at `starts[i]`; a last empty token marks the end.

    Raises CompileError for a comment that isn't closed.
    """

    __slots__ = ("_newlines", "file", "starts", "text", "tokens")

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        found = [(match[1], match.start(1)) for match in _TOKENS.finditer(text)]
        self.tokens = [token for token, _ in found]
        self.starts = [start for _, start in found]
        if not self.tokens or self.tokens[-1]:
            self.tokens.append("")
            self.starts.append(len(text))
        self._newlines = [match.start() for match in re.finditer("\n", text)]
        if len(self.tokens) > 1 and self.tokens[-2].startswith("/*"):
            raise self.error(self.starts[-2], "the comment that begins here has no '*/'")

    def line(self, offset: int) -> int:
        """The line, from 1, that holds the character at `offset`."""
        return bisect_right(self._newlines, offset - 1) + 1

    def shown(self, index: int) -> str:
        """The token at `index` for messages: in quotes, and truncated if it is long."""
        token = self.tokens[index]
        return repr(token if len(token) <= _SHOWN else token[:_SHOWN] + "...")

    def error(self, offset: int, message: str) -> CompileError:
        """`file:line:column: error: message`, with the line itself below."""
        line = self.line(offset)
        begin = self._newlines[line - 2] + 1 if line > 1 else 0
        end = self._newlines[line - 1] if line <= len(self._newlines) else len(self.text)
        column = offset - begin + 1
        place = f"{self.file}:{line}:{column}: error: {message}"
        excerpt = _excerpt(self.text[begin:end].rstrip(), column)
        return CompileError(f"{place}\n{excerpt}" if excerpt else place, (place,))


def _excerpt(line: str, column: int) -> str:
    """A line of the source with a caret below its `column`; for a long line, the part around it."""
    if not line:
        return ""
    begin = max(0, column - 61) if len(line) > 120 else 0
    shown = "".join(c if c.isprintable() else " " for c in line[begin : begin + 120])
    return f"  {shown}\n  {' ' * (column - 1 - begin)}^"
