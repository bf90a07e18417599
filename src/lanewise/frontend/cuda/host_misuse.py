# SPDX-License-Identifier: Apache-2.0
"""Host code that uses what only device code has: `threadIdx`, `__syncthreads()`.

Clang compiles device code only, and checks calls in host functions by overloads that our headers declare for them, with
a warning. In the program's own file such a warning is an error, as with nvcc. But nvcc reads host code without
`__CUDA_ARCH__`, and a program that tests it may hide such calls from the host: there, and in libraries, warnings say
nothing and are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lanewise.frontend.clang import Diagnostic, compile_error

_MISUSE: Final = re.compile(r"(\w+ can be used in device code only) \[-Wuser-defined-warnings\]")
_TESTS_THE_SIDE: Final = re.compile(r"\b(__CUDA_ARCH__|NV_IF_(ELSE_)?TARGET|NV_IS_DEVICE)\b")


def checked(warnings: Sequence[Diagnostic], name: str, text: str) -> tuple[Diagnostic, ...]:
    """The other warnings. CompileError if host code of the program, called `name` in diagnostics, is wrong so."""
    found = {warning: match for warning in warnings if (match := _MISUSE.fullmatch(warning.text))}
    if not _TESTS_THE_SIDE.search(text):
        errors = [w._replace(severity="error", text=match[1]) for w, match in found.items() if w.file == name]
        if errors:
            raise compile_error(errors)
    return tuple(warning for warning in warnings if warning not in found)


def unchecked(warnings: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The other warnings of a pass over host code, which takes a lambda in a kernel for code of both sides. The
    device's pass checks."""
    return tuple(warning for warning in warnings if not _MISUSE.fullmatch(warning.text))
