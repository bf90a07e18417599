# SPDX-License-Identifier: Apache-2.0
"""Functions of the host's C library that device code may call without defining them.

A process has thousands of functions, and a kernel that calls one of them by mistake (a host function that it declares
and nobody defines) must be told so, rather than run it. Source: ISO C, clause 7.12; glibc's additions to it.
"""

from __future__ import annotations

import re
from typing import Final

_MANGLED: Final = re.compile(r"_Z(N?)K?(?=\d)")
_LENGTH: Final = re.compile(r"\d+")

_MATHEMATICS: Final = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "erf",
    "erfc", "exp", "exp10", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "frexp", "hypot",
    "ilogb", "j0", "j1", "jn", "ldexp", "lgamma", "llrint", "llround", "log", "log10", "log1p", "log2", "logb",
    "lrint", "lround", "modf", "nearbyint", "nextafter", "pow", "remainder", "remquo", "rint", "round", "roundeven",
    "scalbln", "scalbn", "sin", "sincos", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc", "y0", "y1", "yn",
)  # fmt: skip

LIBRARY_FUNCTIONS: Final = frozenset({
    *_MATHEMATICS, *(f"{name}f" for name in _MATHEMATICS), "memcmp", "memcpy", "memmove", "memset",
})  # fmt: skip
"""Their names."""


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
