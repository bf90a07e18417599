# SPDX-License-Identifier: Apache-2.0
"""Functions of the host's C library that device code may call without defining them.

A process has thousands of functions, and a kernel that calls one of them by mistake (a host function that it declares
but that is not defined) must be refused, rather than run it. Source: ISO C, clause 7.24.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir.written_names import written_name

LIBRARY_FUNCTIONS: Final = frozenset({"memcmp", "memcpy", "memmove", "memset"})
"""Names of functions that may be called. Mathematical functions are not among them: they are linked in as kernel IR."""


def what_is_missing(symbol: str) -> str:
    """The mistake of a caller of the undefined function `symbol`, as the rest of a sentence."""
    if symbol == "__dynamic_cast":
        return "uses dynamic_cast, which needs type information at run time: device code has none, as in CUDA"
    return f"calls {written_name(symbol)}(), which is declared but defined nowhere"
