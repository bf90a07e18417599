# SPDX-License-Identifier: Apache-2.0
"""Launches of kernels from device code, which there are none of: clang's errors without its advice to use an option
that would not help, and without the function that such launches would call."""

from __future__ import annotations

import re
from typing import Final

from lanewise.errors import CompileError

_CLANGS: Final = (
    "kernel launch from __device__ or __global__ function requires relocatable device code (i.e. requires -fgpu-rdc)",
    "use of undeclared identifier cudaLaunchDevice",
)
_OURS: Final = "kernels can't be launched from device code"
_TWICE: Final = re.compile(rf"([^\n]*{_OURS}\n(?: [^\n]*\n)*)\1")


def explained(error: CompileError) -> CompileError:
    """`error` in our words, if it is about such a launch."""
    if not any(text in str(error) for text in _CLANGS):
        return error

    def plain(text: str) -> str:
        for clangs in _CLANGS:
            text = text.replace(clangs, _OURS)
        return text

    message = _TWICE.sub(r"\1", plain(str(error)) + "\n").removesuffix("\n")
    return CompileError(message, tuple(dict.fromkeys(map(plain, error.diagnostics))))
