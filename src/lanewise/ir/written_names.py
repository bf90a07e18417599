# SPDX-License-Identifier: Apache-2.0
"""Names as programs write them, read out of symbols; for messages.

    _ZN2ns3Box1fEi      ns::Box::f     a function, without its parameters
    _ZL5table           table          a variable of this file
    _ZZ1kPiE4tile       tile           a variable inside a function: a shared array
    k.tile              tile           the same in OpenCL C

Names of templates and operators stay mangled. Source: Itanium C++ ABI, 5.1.2 "General Structure" and 5.1.6 "Scope
Encoding".
"""

from __future__ import annotations

import re
from typing import Final

_MANGLED: Final = re.compile(r"_Z(?P<nested>NK?)?L?(?P<rest>\d\w*)").fullmatch
_LENGTH: Final = re.compile(r"\d+").match
_END_OF_FUNCTION: Final = re.compile(r"EL?(?=\d)")
_SAME_NAME_AGAIN: Final = re.compile(r"(_\d+|__\d+_)?").fullmatch
_INSIDE_FUNCTION: Final = re.compile(r"(?!llvm\.)[A-Za-z_]\w*\.(?P<name>[A-Za-z_]\w*)(?:\.\d+)?").fullmatch


def written_name(symbol: str) -> str:
    """The name in `symbol`, with namespaces and classes; the symbol itself if that is not simple."""
    if symbol.startswith("_ZZ"):
        return _inside_function(symbol)
    if match := _INSIDE_FUNCTION(symbol):
        return match["name"]
    match = _MANGLED(symbol)
    if match is None:
        return symbol
    names: list[str] = []
    rest = match["rest"]
    while length := _LENGTH(rest):
        end = length.end() + int(length[0])
        names.append(rest[length.end() : end])
        rest = rest[end:]
        if not match["nested"]:
            break
    is_simple = not rest.startswith("I") and (rest.startswith("E") or not match["nested"])
    return "::".join(names) if is_simple else symbol


def _inside_function(symbol: str) -> str:
    """The last name, which the function's encoding ends before. A number after it distinguishes those of one name."""
    for end in _END_OF_FUNCTION.finditer(symbol):
        rest = symbol[end.end() :]
        length = _LENGTH(rest)
        assert length is not None
        name_end = length.end() + int(length[0])
        if name_end <= len(rest) and _SAME_NAME_AGAIN(rest[name_end:]):
            return rest[length.end() : name_end]
    return symbol
