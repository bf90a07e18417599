# SPDX-License-Identifier: Apache-2.0
"""Tokens of LLVM's textual IR.

A token is a plain string, whose first character says what it is: `%x` and `@x` names, `!x` metadata, `"..."` and
`c"..."` strings, `#0` attribute groups, digits or a sign a number, a letter a word, else one sign. Lists of
strings made by one regular expression are what keeps reading at microseconds an instruction.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.errors import CompileError

_NAME: Final = r'(?:"[^"]*"|[-a-zA-Z$._0-9]+)'

TOKENS: Final = re.compile(
    rf"""[ \t]*(
      [%@$]{_NAME}                         # %local @global $comdat
    | c?"[^"]*"                            # string
    | [a-zA-Z_$.][-\w$.]*:?                # word, or key of a specialised node
    | [,()\[\]{{}}<>=*|]                   # one sign
    | [-+]?\d[\w.]*(?:(?<=[eE])[-+]\d+)?   # number: decimal, hexadecimal, exponent
    | [!#^](?:"[^"]*"|[-a-zA-Z$._0-9\\]+)? # metadata, attribute group, summary entry
    | ;.*                                  # comment
    | [^ \t]                               # anything else: an error for whoever meets it
    )""",
    re.VERBOSE,
).findall

_ATTACHMENT: Final = r",\s*!([-\w$.\\]+)\s+(!\d+|!\{[^}]*\}|!DI\w+\([^)]*\))"
_ATTACHMENTS_AT_END: Final = re.compile(rf"(?:{_ATTACHMENT})+\s*$")
_EACH_ATTACHMENT: Final = re.compile(_ATTACHMENT)
_COMMENT: Final = re.compile(r"^((?:[^\";]|\"[^\"]*\")*);.*$")


def tokens(text: str) -> list[str]:
    """The tokens of one line, or of several joined; comments are gone."""
    found: list[str] = TOKENS(text)
    if found and found[-1][0] == ";":
        found.pop()
    return found


def without_comment(line: str) -> str:
    """`line` up to a comment. A semicolon inside a string starts none."""
    if ";" not in line:
        return line
    match = _COMMENT.match(line)
    return match.group(1) if match else line


def split_attachments(line: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A line without comment -> the instruction, and the metadata hung on it: (("!dbg", "!5"), ...)."""
    at = line.find(", !")
    if at < 0:
        return line, ()
    match = _ATTACHMENTS_AT_END.search(line, at)
    if match is None:
        return line, ()
    return line[: match.start()], tuple((f"!{kind}", node) for kind, node in _EACH_ATTACHMENT.findall(match.group()))


def joined(parts: list[str]) -> str:
    """Tokens put together again as LLVM spaces them. The result has the same tokens."""
    out: list[str] = []
    last = ""
    for token in parts:
        tight = not last or last in "([<{=" or token in ")]>},=*" or (token == "(" and last != "," and last[0] != "[")
        out.append(token if tight else " " + token)
        last = token
    return "".join(out)


class IRSyntaxError(CompileError):
    """Text that is not LLVM 22 IR as this package reads it: names the line and what was expected."""

    def __init__(self, line: int, found: str, expected: str) -> None:
        super().__init__(f"IR line {line}: expected {expected}, found {found!r}")
        self.line = line
