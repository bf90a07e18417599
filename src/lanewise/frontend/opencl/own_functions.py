# SPDX-License-Identifier: Apache-2.0
"""Gives the functions that a program defines names that no function of a library has.

A program in OpenCL C may define a `sinf`, which its language doesn't have, while the built-in `sin` calls that of our
mathematical library:

    Before   define dso_local float @sinf(float noundef %x) #0 !dbg !9 {
    After    define internal float @sinf.own(float noundef %x) #0 !dbg !9 {

Kernels keep their names, and so do overloaded functions, whose mangled names no library function has.
"""

from __future__ import annotations

import re
from typing import Final

_DEFINED: Final = re.compile(
    r"^define (?![^\n@]*\bptx_kernel )(?:(?:dso_local|internal|available_externally) )*"
    r"(?=[^\n@]*@(?!_Z|__clang_ocl_)([\w.$-]+)\()",
    re.MULTILINE,
)
_SYMBOL: Final = re.compile(r'"[^"\n]*"|@([\w.$-]+)')


def with_own_functions(text: str) -> str:
    """The text of a module, as clang gives it, with its functions renamed as said above."""
    own: set[str] = set()

    def internal(head: re.Match[str]) -> str:
        own.add(head[1])
        return "define internal "

    text = _DEFINED.sub(internal, text)
    return _SYMBOL.sub(lambda match: f"@{match[1]}.own" if match[1] in own else match[0], text) if own else text
