# SPDX-License-Identifier: Apache-2.0
"""Headers that are texts, for clang: the `header_include_names` and `input_headers` of clCompileProgram.

They lie over the files of the current folder, so that `#include` finds them first, in quotes and in angle brackets.
"""

import json
import os
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
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
        entries = [
            {"type": "file", "name": os.path.abspath(name), "external-contents": f"/dev/fd/{descriptor}"}
            for name, descriptor in zip(headers, descriptors, strict=True)
        ]
        overlay = {"version": 0, "case-sensitive": True, "use-external-names": False, "roots": entries}
        written = files.enter_context(memory_file(json.dumps(overlay).encode()))
        yield EmbeddedHeaders(("-ivfsoverlay", f"/dev/fd/{written}", "-I."), (*descriptors, written))
