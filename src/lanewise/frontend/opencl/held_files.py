# SPDX-License-Identifier: Apache-2.0
"""Programs that include files, in one text with these: later compilations have the contents of the first one, wherever
they run, and whatever has become of the files.

The text is a line that tells it from a source, and then JSON, which has the source and the folder of its compilation,
and the contents of each file with the names, from the root on, that it was read by. Clang sees these files by the same
names, and by those from the current folder on; and no other file, so that `__has_include` says what it said. All is as
it was for options, positions, `#pragma once` and names of files.
"""

import json
import os
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.errors import CompileError
from lanewise.frontend.opencl.embedded_headers import EmbeddedHeaders, overlay_file
from lanewise.toolchain import memory_file

FIRST_LINE: Final = "lanewise: a program with its files\n"
"""`runtime/host/loaded_library.c` knows it, too."""
_TIME_STEP_S: Final = 0.05
"""Times of files are those of a clock that ticks; more than a tick."""


class HeldFile(NamedTuple):
    """A file that was read. Bytes that aren't UTF-8 are surrogates."""

    names: tuple[str, ...]
    text: str


class HeldFiles(NamedTuple):
    """The files that a source included, and the folder that was current then."""

    folder: str
    files: tuple[HeldFile, ...]


def read_files(paths: Iterable[str]) -> HeldFiles | None:
    """The present contents of files, which are named from the root on. None if one can't be read."""
    names: dict[tuple[int, int], list[str]] = {}
    try:
        for path in paths:
            status = os.stat(path)
            names.setdefault((status.st_dev, status.st_ino), []).append(path)
        files = [HeldFile(tuple(each), _decoded(Path(each[0]).read_bytes())) for each in names.values()]
    except OSError:
        return None
    return HeldFiles(os.getcwd(), tuple(files))


def may_have_changed(held: HeldFiles, since: float) -> bool:
    """Return whether others may have written files since a time, in seconds since the epoch."""
    latest = since - _TIME_STEP_S
    try:
        return any(
            max(os.stat(name).st_mtime, os.stat(name).st_ctime, os.lstat(name).st_ctime) >= latest
            for file in held.files
            for name in file.names
        )
    except OSError:
        return True


def with_files(source: str, held: HeldFiles) -> str:
    """The text of a program with its files: ASCII."""
    return FIRST_LINE + json.dumps([source, *held])


def without_files(text: str) -> tuple[str, HeldFiles | None]:
    """The source of a text, and the files in it, or None if it is a source alone. CompileError if it is damaged."""
    if not text.startswith(FIRST_LINE):
        return text, None
    try:
        source, folder, files = json.loads(text.removeprefix(FIRST_LINE))
        held = HeldFiles(folder, tuple(HeldFile(tuple(names), each) for names, each in files))
    except (ValueError, TypeError, RecursionError):
        raise _damaged() from None
    names = (folder, *(name for file in held.files for name in file.names))
    are_texts = all(isinstance(each, str) for each in (source, *names, *(file.text for file in held.files)))
    if not are_texts or not all(name.startswith("/") and "\0" not in name for name in names):
        raise _damaged()
    return source, held


@contextmanager
def files_for_clang(held: HeldFiles, own: Sequence[Path]) -> Generator[EmbeddedHeaders]:
    """Arguments by which clang sees these files and the folders `own`, and no others, as long as the context lasts."""
    with ExitStack() as open_files:
        descriptors: list[int] = []
        places: dict[str, str] = {}
        for file in held.files:
            descriptor = open_files.enter_context(memory_file(file.text.encode(errors="surrogateescape")))
            descriptors.append(descriptor)
            for name in file.names:
                places[os.path.normpath(name)] = f"/dev/fd/{descriptor}"
                places[os.path.abspath(os.path.relpath(name, held.folder))] = f"/dev/fd/{descriptor}"
        overlay = open_files.enter_context(overlay_file(places, only=own))
        yield EmbeddedHeaders(("-ivfsoverlay", f"/dev/fd/{overlay}"), (*descriptors, overlay))


def _damaged() -> CompileError:
    return CompileError("the program with its files has been damaged")


def _decoded(data: bytes) -> str:
    return data.decode(errors="surrogateescape")
