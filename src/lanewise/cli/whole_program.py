# SPDX-License-Identifier: Apache-2.0
"""Command lines of `lanewise run` that name a whole CUDA program rather than a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lanewise.frontend.cuda.host_main import line_of_main

_OF_A_LAUNCH = ("-k", "--kernel")


def split_program(words: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """The command line of nvcc and the arguments of the program, if `words` are to run one: the first file in them
    defines main(), and nothing after it names a kernel. Words after the file are the program's; `--` before them says
    so as well."""
    for place, word in enumerate(words):
        if not word.endswith(".cu") or not Path(word).is_file():
            continue
        before, after = [*words[: place + 1]], [*words[place + 1 :]]
        if after[:1] == ["--"]:
            return before, after[1:]
        if any(option.partition("=")[0] in _OF_A_LAUNCH for option in (*before, *after)) or _has_no_main(word):
            return None
        return before, after
    return None


def _has_no_main(path: str) -> bool:
    try:
        return line_of_main(Path(path).read_text(errors="surrogateescape")) is None
    except OSError:
        return True
