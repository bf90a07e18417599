# SPDX-License-Identifier: Apache-2.0
"""Functions of the host's C library that device code may call without defining them.

A process has thousands of functions, and a kernel that calls one of them by mistake (a host function that it declares
and nobody defines) must be told so, rather than run it. Source: ISO C, clause 7.24.
"""

from __future__ import annotations

import re
from typing import Final

_MANGLED: Final = re.compile(r"_Z(N?)K?(?=\d)")
_LENGTH: Final = re.compile(r"\d+")

LIBRARY_FUNCTIONS: Final = frozenset({"memcmp", "memcpy", "memmove", "memset"})
"""Their names. Mathematical functions are linked in as kernel IR, and no calls by then."""


def what_is_missing(symbol: str) -> str:
    """What a caller of the undefined function `symbol` does wrong, as the rest of a sentence."""
    if symbol == "__dynamic_cast":
        return "uses dynamic_cast, which needs type information at run time: device code has none, as in CUDA"
    return f"calls {written_name(symbol)}(), which is declared but defined nowhere"


def written_name(symbol: str) -> str:
    """The name in a mangled symbol, with namespaces and classes; the symbol itself where that is not simple. Source:
    Itanium C++ ABI, 5.1.2 "General Structure"."""
    match = _MANGLED.match(symbol)
    if match is None:
        return symbol
    names: list[str] = []
    rest = symbol[match.end() :]
    while (length := _LENGTH.match(rest)) is not None:
        end = length.end() + int(length[0])
        names.append(rest[length.end() : end])
        rest = rest[end:]
        if match[1] != "N":
            break
    return "::".join(names) or symbol
