# SPDX-License-Identifier: Apache-2.0
"""Headers that are texts, for clang: the `header_include_names` and `input_headers` of clCompileProgram.

They lie over the files of the current folder, so that `#include` finds them first, in quotes and in angle brackets.
"""

import json
import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from lanewise.toolchain import memory_file


class EmbeddedHeaders(NamedTuple):
    """Clang's arguments, and the open files that they name."""

    arguments: tuple[str, ...] = ()
    descriptors: tuple[int, ...] = ()


@contextmanager
def embedded_headers(headers: Mapping[str, str]) -> Generator[EmbeddedHeaders]:
    """The headers, by the names that sources include them by, as long as the context lasts."""
    with ExitStack() as files:
        if not headers:
            yield EmbeddedHeaders()
            return
        descriptors = [
            files.enter_context(memory_file(text.encode(errors="surrogateescape"))) for text in headers.values()
        ]
        places = {
            os.path.abspath(name): f"/dev/fd/{descriptor}"
            for name, descriptor in zip(headers, descriptors, strict=True)
        }
        written = files.enter_context(overlay_file(places))
        yield EmbeddedHeaders(("-ivfsoverlay", f"/dev/fd/{written}", "-I."), (*descriptors, written))


@contextmanager
def overlay_file(places: Mapping[str, str], only: Sequence[Path] | None = None) -> Generator[int]:
    """An overlay file system of clang, open as long as the context lasts: files by their paths, and the files that have
    their contents. With `only`, clang sees no others but those in these folders."""
    roots = [{"type": "file", "name": name, "external-contents": contents} for name, contents in places.items()]
    overlay: dict[str, object] = {"version": 0, "case-sensitive": True, "use-external-names": False, "roots": roots}
    if only is not None:
        overlay["redirecting-with"] = "redirect-only"
        roots += ({"type": "directory-remap", "name": f"{each}", "external-contents": f"{each}"} for each in only)
    with memory_file(json.dumps(overlay).encode()) as file:
        yield file
