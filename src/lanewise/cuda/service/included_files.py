# SPDX-License-Identifier: Apache-2.0
"""Files that the answer to a build in OpenCL C depends on: a head of the answer, for programs that keep it.

    files NUMBER
    +PATH                     that many lines: a file that was included,
    -PATH                     or one that isn't there, and would be included if it were

All paths are absolute. `runtime/host/included_files.c` reads the lines, and compares the files before it uses an answer
that was kept. There is no head where the files can't be told: where a program asks whether there is a file, includes
one by a name that it computes, or embeds one; and with options by which clang may look for files in other ways.
"""

import os
import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from lanewise.cache import absolute
from lanewise.frontend.opencl.held_files import HeldFiles, read_files

_DIRECTIVE: Final = re.compile(
    rb'(?:#|%:)[^\S\n]*(?:include_next|include|import)\b[^\S\n]*(?:"([^"\n]+)"|<([^>\n]+)>)?'
)
_UNCLEAR: Final = re.compile(rb"__has_include|__has_embed|\bembed\b|(?:#|%:)[^\S\n]*/\*")
_FOLDER: Final = re.compile(r"-(?:I|isystem|iquote|idirafter)(.*)", re.DOTALL)
_FILE: Final = re.compile(r"--?(?:include|imacros)")
_NO_FOLDER: Final = re.compile(
    r"-[DU](.*)|-cl-.*|-(?:[wOgm]|W(?!p,)|f(?:no|fast|unsafe|finite)|kernel-arg-info|nv-|qcom-).*", re.DOTALL
)
"""Options by which clang looks for no file; a definition's may be the next word."""
_ASKS: Final = "__has_"
"""Words that a program asks by whether there are files begin so."""
_CONTINUED: Final = re.compile(rb"\\\r?\n")


def files_head(text: str, options: str, dependencies: Iterable[str]) -> str:
    """The head of an answer for a source and the files that it included, relative to the current directory; empty if
    they can't be told."""
    included = sorted(set(map(absolute, dependencies)))
    try:
        found = _folders_and_names(shlex.split(options))
        contents = [text.encode(errors="surrogateescape"), *(Path(path).read_bytes() for path in included)]
    except (OSError, ValueError):
        return ""
    if found is None or _UNCLEAR.search(options.encode(errors="surrogateescape")):
        return ""
    folders, names = found
    for content in contents:
        more = _names_in(_CONTINUED.sub(b"", content))
        if more is None:
            return ""
        names |= more
    folders |= {os.getcwd(), *map(os.path.dirname, included)}
    places = {os.path.join(folder, name) for folder in folders for name in names}
    absent = sorted(place for place in places if not os.path.isfile(place))
    lines = [*(f"+{path}" for path in included), *(f"-{path}" for path in absent)]
    if any("\n" in line or "\0" in line for line in lines):
        return ""
    return "\n".join([f"files {len(lines)}", *lines, ""])


def files_to_hold(text: str, options: str, dependencies: Iterable[str]) -> HeldFiles | None:
    """The files that a source has included, as they are. None if it depends on no files, or if they can't be told: with
    options by which clang may read others."""
    included = sorted(set(map(absolute, dependencies)))
    try:
        is_known = _folders_and_names(shlex.split(options)) is not None
    except ValueError:
        return None
    depends = included or _ASKS in text or _ASKS in options
    return read_files(included) if is_known and depends else None


def _folders_and_names(words: list[str]) -> tuple[set[str], set[str]] | None:
    """The folders in which options have clang look, absolute, and the files that they include. None for options that
    aren't known."""
    folders: set[str] = set()
    names: set[str] = set()
    rest = iter(words)
    for word in rest:
        if folder := _FOLDER.fullmatch(word):
            folders.add(absolute(folder[1] or next(rest, "")))
        elif _FILE.fullmatch(word):
            names.add(next(rest, ""))
        elif known := _NO_FOLDER.fullmatch(word):
            if known[1] == "":
                next(rest, "")
        else:
            return None
    return folders, names


def _names_in(content: bytes) -> set[str] | None:
    """The names of files in directives. None if there may be others."""
    if _UNCLEAR.search(content):
        return None
    names: set[str] = set()
    for quoted, angled in _DIRECTIVE.findall(content):
        if not quoted and not angled:
            return None
        names.add(os.fsdecode(quoted or angled))
    return names
