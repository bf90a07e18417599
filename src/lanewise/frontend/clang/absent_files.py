# SPDX-License-Identifier: Apache-2.0
"""Files that clang would have read if they were there: headers of the same names in other folders.

Each name in a directive is looked for beside the file that has it and in all folders that arguments name. Where in
their order a header was found is not asked: a file that appears in a later folder makes one compilation too many. Names
that macros make are not known.
"""

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.cache import absolute

_DIRECTIVE: Final = re.compile(
    rb"(?:(?:#|%:)[^\S\n]*(?:include_next|include|import)|__has_include(?:_next)?[^\S\n]*\()[^\S\n]*"
    rb'(?:"([^"\n]+)"|<([^>\n]+)>)'
)
_FOLDER: Final = re.compile(r"-(?:I|isystem|iquote|idirafter)(.*)", re.DOTALL)
_CONTINUED: Final = re.compile(rb"\\\r?\n")


class Searched(NamedTuple):
    """A source text, the file that it is from, and the arguments of clang."""

    text: str
    path: Path | None
    arguments: tuple[str, ...]


def absent_files(searched: Searched, dependencies: Iterable[str]) -> tuple[str, ...]:
    """The absolute paths of files that clang would read if they were there. `dependencies`: the files that it has read,
    absolute."""
    folders, given = _folders_and_files(searched.arguments)
    beside = os.getcwd() if searched.path is None else os.path.dirname(absolute(searched.path))
    places = {os.path.join(folder, name) for folder in (os.getcwd(), *folders) for name in given}
    for folder, content in _contents(searched.text, beside, dependencies):
        for quoted, angled in _DIRECTIVE.findall(_CONTINUED.sub(b"", content)):
            name = os.fsdecode(quoted or angled)
            places.update(os.path.join(each, name) for each in (folder, *folders))
    return tuple(sorted(place for place in places if "\0" not in place and not os.path.lexists(place)))


def _contents(text: str, beside: str, dependencies: Iterable[str]) -> Iterable[tuple[str, bytes]]:
    """The folders of files, and what they have in them."""
    yield beside, text.encode(errors="surrogateescape")
    for path in dependencies:
        with suppress(OSError):
            yield os.path.dirname(path), Path(path).read_bytes()


def _folders_and_files(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The folders in which arguments have clang look, absolute, and the names of files that they include."""
    folders: list[str] = []
    files: list[str] = []
    rest = iter(arguments)
    for word in rest:
        if folder := _FOLDER.fullmatch(word):
            folders.append(absolute(folder[1] or next(rest, "")))
        elif word in ("-include", "-imacros"):
            files.append(next(rest, ""))
    return list(dict.fromkeys(folders)), files
