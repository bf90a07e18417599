# SPDX-License-Identifier: Apache-2.0
"""The language of a source: by the end of its file's name, or by its text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from lanewise.errors import CompileError, Error
from lanewise.frontend import table
from lanewise.frontend.source import without_comments
from lanewise.frontend.table import FrontEnd

_COMPILED: Final = {
    ".lwo": "is a saved module, compiled already: lw.load({!r})",
}

_LONGEST_NAME: Final = 4096


def language_of_text(text: str) -> FrontEnd | None:
    """The front end whose mark, such as `__global__` or `__kernel`, is in a source text; None without any, or with
    those of several."""
    code = without_comments(text)
    found = [row for row in table.FRONT_ENDS if row.mark is not None and re.search(row.mark, code)]
    return found[0] if len(found) == 1 else None


def is_text(source: str) -> bool:
    """The string is no file's name but a source text, as several lines or braces tell."""
    return "\n" in source or len(source) > _LONGEST_NAME or ("{" in source and "}" in source)


def require_language_of_text(text: str) -> FrontEnd:
    """The front end of a source text that comes without a language. Error if it can't be told."""
    found = language_of_text(text)
    if found is None:
        first = next((line.strip() for line in text.splitlines() if line.strip()), "")
        shown = first if len(first) <= 40 else f"{first[:40]}..."
        known = table.either(f'"{row.language}"' for row in table.FRONT_ENDS if row.takes_text)
        raise Error(
            f"the language of the source text ({shown!r}) can't be told by __global__ or __kernel in it: give "
            f"language={known}"
        )
    return found


def require_language_of_file(path: Path, given: str) -> FrontEnd:
    """The front end of a file by the end of its name. Error if it can't be told, CompileError for no file."""
    found = table.front_end_of_file(path.suffix)
    if found is not None:
        return found
    if path.suffix in _COMPILED:
        raise Error(f"{path} {_COMPILED[path.suffix].format(given)}")
    if not path.exists():
        raise CompileError(f"{path}: no such file")
    ending = f"'{path.suffix}'" if path.suffix else "no ending"
    known = ", ".join(row.listed for row in table.FRONT_ENDS if row.suffixes)
    raise Error(f"{path}: the end of the name ({ending}) tells no language; known are {known}; or give language=")
