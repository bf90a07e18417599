# SPDX-License-Identifier: Apache-2.0
"""The mathematical functions of the host's C library, by name: fma, and the functions behind intrinsics in half
precision. The CPU device uses the same ones, so that both return the same bits."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

_NAMES: Final = ("libm.so.6", "libm.so")  # glibc's name, musl's link
_TYPES: Final[dict[str, Any]] = {"float": ctypes.c_float, "double": ctypes.c_double}


def function(name: str, result: str, parameters: Sequence[str]) -> Callable[..., Any]:
    """The library's function `name` with types spelled as in the IR.

    The function raises a TypeError for arguments that aren't numbers."""
    types = [_TYPES[t] for t in (result, *parameters)]
    call = ctypes.CFUNCTYPE(*types)((name, _library()))

    def checked(*arguments: Any) -> Any:
        try:
            return call(*arguments)
        except ctypes.ArgumentError as error:
            raise TypeError(name) from error

    return checked


@cache
def _library() -> ctypes.CDLL:
    for name in _NAMES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return ctypes.CDLL(None)  # a C library that holds the mathematical functions itself
