# SPDX-License-Identifier: Apache-2.0
"""Finds the host program's `main` in a CUDA source, which isn't run."""

from __future__ import annotations

import re
from typing import Final

from lanewise.frontend.source import without_comments

_MAIN: Final = re.compile(r"\b(?:int|void|auto)\s+main\s*\([^;{]*\)[^;{]*\{")


def line_of_main(text: str) -> int | None:
    """The line on which a CUDA source defines `main`; None if it doesn't."""
    found = _MAIN.search(without_comments(text))
    return None if found is None else text.count("\n", 0, found.start()) + 1
