# SPDX-License-Identifier: Apache-2.0
"""Source texts, with the files that they were read from."""

import re
from pathlib import Path
from typing import Final, NamedTuple

IN_MEMORY: Final = "<source>"
"""Name of a text that came from no file."""

_NOT_CODE: Final = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


class Source(NamedTuple):
    """A source text and the file that it was read from; without a path, diagnostics call it `<source>`."""

    text: str
    path: Path | None = None

    @property
    def name(self) -> str:
        """The path, as the user gave it."""
        return IN_MEMORY if self.path is None else str(self.path)


def without_comments(text: str) -> str:
    """The text with comments and strings blanked out, at its old length. C, C++ and CUDA write them alike."""
    return _NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
