# SPDX-License-Identifier: Apache-2.0
"""Declarations of OpenCL C on a kernel's parameters beside their types: address spaces, access, type qualifiers.

Clang writes it down as `kernel_arg_*` metadata. Source: the SPIR specification 1.2, 3.5.1 "Kernel argument metadata".
"""

import re
from typing import Final, NamedTuple

from lanewise.ir.function import Function
from lanewise.ir.module import Module

HIDDEN: Final = "lw."
"""Prefix of the names of parameters that the source's kernel doesn't have."""

ARRAY_ALIGNMENT: Final = 16
"""The most that kernels in OpenCL C ask of an array, in bytes: NumPy promises no more, and no instruction needs it."""

_ADDRESS_SPACES: Final = {"0": "private", "1": "global", "2": "constant", "3": "local"}
_WORD: Final = re.compile(r'!"([^"]*)"')
_NUMBER: Final = re.compile(r"i32 (\d+)")


class Qualifiers(NamedTuple):
    """See `signature.Parameter`."""

    address: str = ""
    access: str = ""
    qualifiers: str = ""


NO_QUALIFIERS: Final = Qualifiers()


def kernel_qualifiers(module: Module, kernel: Function) -> list[Qualifiers]:
    """Qualifiers of each parameter in order; an empty list for kernels of other languages."""
    spaces = (_ADDRESS_SPACES.get(number, "") for number in _words(module, kernel, "addr_space", _NUMBER))
    rows = zip(
        spaces, _words(module, kernel, "access_qual", _WORD), _words(module, kernel, "type_qual", _WORD), strict=False
    )
    return [Qualifiers(*row) for row in rows]


def kernel_types_and_names(module: Module, kernel: Function) -> tuple[list[str], list[str]]:
    """Types and names of the parameters as the source has them; empty lists where nothing says them."""
    return _words(module, kernel, "type", _WORD), _words(module, kernel, "name", _WORD)


def _words(module: Module, kernel: Function, kind: str, pattern: re.Pattern[str]) -> list[str]:
    return pattern.findall(module.metadata.get(dict(kernel.metadata).get(f"!kernel_arg_{kind}", ""), ""))
