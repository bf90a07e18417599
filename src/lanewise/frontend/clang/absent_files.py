# SPDX-License-Identifier: Apache-2.0
"""Files that clang would have read if they were there: headers of the same names in other folders.

Each name in a directive is looked for beside the file that has it and in all folders that arguments name, and so is
what is left of the path of each file that was read, from one of these folders on: a macro may have made the name. Where
in their order a header was found is not asked: a file that appears in a later folder makes one compilation too many.
"""

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.cache import absolute
from lanewise.toolchain import package_folder

_DIRECTIVE: Final = re.compile(
    rb"(?:(?:#|%:)[^\S\n]*(?:include_next|include|import)|__has_include(?:_next)?[^\S\n]*\()[^\S\n]*"
    rb'(?:"([^"\n]+)"|<([^>\n]+)>)'
)
_FOLDER: Final = re.compile(
    r"(?:-(?:I|isystem|iquote|idirafter|iwithprefixbefore|iwithprefix|cxx-isystem)|--include-directory(?:=|$))(.*)",
    re.DOTALL,
)
_FILE: Final = re.compile(r"(?:--?include(?:=|$)|-include(?!-)|--?imacros=?)(.*)", re.DOTALL)
_PREFIX: Final = re.compile(r"-iprefix(.*)", re.DOTALL)
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
    dependencies = tuple(dependencies)
    beside = os.getcwd() if searched.path is None else os.path.dirname(absolute(searched.path))
    named = [name for name in given if not _is_own(name, folders)]
    places = {os.path.join(folder, name) for folder in (os.getcwd(), *folders) for name in named}
    for folder, content in _contents(searched.text, beside, dependencies):
        for quoted, angled in _DIRECTIVE.findall(_CONTINUED.sub(b"", content)):
            name = os.fsdecode(quoted or angled)
            places.update(os.path.join(each, name) for each in (folder, *folders))
    for name in _names_from(folders, dependencies):
        places.update(os.path.join(each, name) for each in (beside, *folders))
    return tuple(sorted(place for place in places if "\0" not in place and not os.path.isfile(place)))


def _is_own(name: str, folders: Sequence[str]) -> bool:
    """Return whether a name is that of one of Lanewise's headers, which may come in a precompiled form."""
    own = f"{package_folder('lanewise')}{os.sep}"
    return any(folder.startswith(own) and os.path.isfile(os.path.join(folder, name)) for folder in folders)


def _names_from(folders: Sequence[str], paths: Sequence[str]) -> set[str]:
    """The names of the files at `paths`, seen from each folder that they are in."""
    within = [f"{folder.rstrip(os.sep)}{os.sep}" for folder in folders]
    return {path.removeprefix(folder) for path in paths for folder in within if path.startswith(folder)}


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
    prefix = ""
    rest = iter(arguments)
    for word in rest:
        if given := _PREFIX.fullmatch(word):
            prefix = given[1] or next(rest, "")
        elif given := _FOLDER.fullmatch(word):
            start = prefix if word.startswith("-iwithprefix") else ""
            folders.append(absolute(start + (given[1] or next(rest, ""))))
        elif given := _FILE.fullmatch(word):
            files.append(given[1] or next(rest, ""))
    return list(dict.fromkeys(folders)), files
