# SPDX-License-Identifier: Apache-2.0
"""The document of CUDA's headers, docs/cuda-headers.md, written from the tables of this folder.

python -m lanewise.frontend.cuda.coverage.document > docs/cuda-headers.md
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Final

from lanewise.frontend.cuda.coverage.tables import WHOLE, Chapter, Header, chapters

_HEAD: Final = """\
# CUDA's headers

Every translation unit begins with `cuda_runtime.h`. The headers are Lanewise's own; `#include` finds them without a
CUDA SDK. What they have is listed here, by header:

* *supported*: as CUDA 12 has it, in device code for the CPU, for PTX and on the reference device;
* *different*: compiles and works, with the difference that is named;
* *refused*: a use is an error, which says what is quoted here.

Device code may use the C++ library, too, by its own names. It has complex numbers and everything that is constexpr up
to C++23, even in C++17. `cuda::std` has the same types under another name: a function can't be overloaded for both, and
templates are specialised in `std`. Functions that would throw or allocate are refused.

This file is made by `make docs` from `src/lanewise/frontend/cuda/coverage/`, and each name of it is compiled by the
tests.
"""


def document() -> str:
    """The whole document."""
    return _HEAD + "".join(part for chapter in chapters() for part in _chapter(chapter))


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield f"\n## {chapter.title}\n"
    for header in chapter.headers:
        yield f"\n### `{header.name}`\n"
        if header.summary:
            yield "\n" + _wrapped(header.summary)
        if header.supported:
            where = f" (namespace `{header.scope}`)" if header.scope else ""
            listed = ", ".join(f"`{name}`" for name in header.supported)
            yield "\n" + _wrapped(f"*Supported*{where}: {listed}.")
        yield _rows(header, "different", header.different)
        yield _rows(header, "refused", header.refused)


def _rows(header: Header, heading: str, rows: Mapping[str, str]) -> str:
    if not rows:
        return ""
    lines = [f"| {heading} | {'how' if heading == 'different' else 'message'} |", "| --- | --- |"]
    for name, text in rows.items():
        shown = "the header" if name == WHOLE else f"`{name}`"
        lines.append(f"| {shown} | {text.replace('|', chr(92) + '|')} |")
    return "\n" + "\n".join(lines) + "\n"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"


if __name__ == "__main__":
    print(document(), end="")
