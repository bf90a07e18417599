# SPDX-License-Identifier: Apache-2.0
"""Meanings that options of clang have for us, beside those that they have for clang."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lanewise.errors import CompileError

_WITH_ARGUMENT: Final = (
    "-D", "-I", "-U", "-Xclang", "-idirafter", "-imacros", "-include", "-iquote", "-isystem", "-mllvm", "-x",
)  # fmt: skip


_LEVELS: Final = ("-O", "-O0", "-O1", "-O2", "-O3", "-Os", "-Oz", "-Og", "-Ofast")
_LINES: Final = ("-lineinfo", "--generate-line-info", "-gline-tables-only")


def require_arguments(options: Sequence[str]) -> None:
    """CompileError if the last of `options` lacks the argument that it needs."""
    if options and options[-1] in _WITH_ARGUMENT:
        raise CompileError(f"option '{options[-1]}' needs an argument after it")


def require_levels(options: Sequence[str]) -> None:
    """CompileError for a level of optimisation that clang doesn't have. It would warn, and take `-O3`."""
    for before, option in zip(("", *options), options, strict=False):
        if option.startswith("-O") and option not in _LEVELS and not takes_argument(before):
            known = ", ".join(_LEVELS[1:-1])
            raise CompileError(f"option '{option}': the levels of optimisation are {known} and {_LEVELS[-1]}")


def takes_argument(option: str) -> bool:
    """True if clang takes what follows `option` as its argument."""
    return option in _WITH_ARGUMENT


def wants_lines(options: Sequence[str]) -> bool:
    """True if PTX and assembly are to name lines: `-g`, or nvcc's `-lineinfo`."""
    return wants_positions(options) or any(option in _LINES for option in options)


def wants_positions(options: Sequence[str]) -> bool:
    """True if failures are to name their line of the source: by `-g`, if no later `-g0` undoes it."""
    levels = [option for option in options if option == "-g" or re.fullmatch(r"-g(gdb)?[0-3]", option)]
    return bool(levels) and not levels[-1].endswith("0")
