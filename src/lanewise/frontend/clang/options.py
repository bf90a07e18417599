# SPDX-License-Identifier: Apache-2.0
"""Options whose mistakes clang itself would blame on what stands behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanewise.errors import CompileError

_WITH_ARGUMENT: Final = (
    "-D", "-I", "-U", "-Xclang", "-idirafter", "-imacros", "-include", "-iquote", "-isystem", "-mllvm", "-x",
)  # fmt: skip


def require_arguments(options: Sequence[str]) -> None:
    """CompileError where the last of `options` lacks the argument that it needs."""
    if options and options[-1] in _WITH_ARGUMENT:
        raise CompileError(f"option '{options[-1]}' needs an argument after it")
