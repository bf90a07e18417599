# SPDX-License-Identifier: Apache-2.0
"""Programs of several parts, each compiled by clang: one module of LLVM IR, before any transformation of ours."""

import re
from collections.abc import Sequence
from typing import Final

from lanewise.errors import CompileError
from lanewise.llvm import LlvmModule
from lanewise.llvm.errors import LlvmError

_UNDEFINED: Final = re.compile(r"^declare [^\n@]*@(?!_Z|llvm\.|printf\b)([\w.$]+)\(", re.MULTILINE).findall


def linked_program(parts: Sequence[str], *, is_library: bool) -> str:
    """The parts as one. A program that is no library defines all functions that it calls, but for the built-in ones.
    CompileError names a function that is defined twice or not at all."""
    try:
        module = LlvmModule.linked(parts)
    except LlvmError as error:
        raise CompileError(f"error: {error}") from None
    text = module.text()
    if not is_library and (missing := _UNDEFINED(text)):
        raise CompileError(
            "\n".join(f"error: function '{name}' is declared, and no program defines it" for name in missing)
        )
    return text
