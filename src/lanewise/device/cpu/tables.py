# SPDX-License-Identifier: Apache-2.0
"""Loading of shared objects that have a table of addresses to be filled in."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from lanewise import locks
from lanewise.runtime import load
from lanewise.workgroup.layout import abi

_FILLING: Final = locks.lock()
"""Held while testing whether a table of addresses is free and filling it in. A file that is loaded twice is in memory
once, so that its table belongs to the process."""


def load_with_addresses(
    shared_object: Path | bytes, symbols: Sequence[str], address: Callable[[ctypes.CDLL, str], int]
) -> ctypes.CDLL:
    """Load code, and store the addresses of variables and functions in its table. `address` returns them, given the
    library and the symbol. OSError if the loader refuses the object."""
    library = load(shared_object)
    if symbols:
        addresses = [address(library, symbol) for symbol in symbols]
        with _FILLING:
            table = _table(library, len(symbols))
            if not any(table) or list(table) == addresses:
                table[:] = addresses
                return library
        # Another module of this process has the same code, with variables of its own.
        assert isinstance(shared_object, Path)
        library = load(shared_object.read_bytes())
        _table(library, len(symbols))[:] = [address(library, symbol) for symbol in symbols]
    return library


def _table(library: ctypes.CDLL, count: int) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * count).in_dll(library, abi.VARIABLES_SYMBOL)
