# SPDX-License-Identifier: Apache-2.0
"""Loading of shared objects into this process, from a file or from memory."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
from pathlib import Path
from typing import TypeVar

from lanewise.errors import Error
from lanewise.toolchain import fill

L = TypeVar("L", bound=ctypes.CDLL)


def load(source: Path | bytes) -> ctypes.CDLL:
    """The shared object at a path, or with these bytes; it stays loaded for the life of the process.

    It can refer to libm's functions. Its own run without Python's lock. Raises `OSError` if the loader refuses the
    object: a file of the cache that another process has just evicted, or an undefined symbol. Raises `Error` if there
    is no place for its bytes.
    """
    _load_libm()
    return ctypes.CDLL(str(source)) if isinstance(source, Path) else _load_bytes(source, ctypes.CDLL)


def load_for_python(source: Path | bytes) -> ctypes.PyDLL:
    """A shared object whose functions hold Python's lock and may raise Python's exceptions. Otherwise as `load`."""
    return ctypes.PyDLL(str(source)) if isinstance(source, Path) else _load_bytes(source, ctypes.PyDLL)


@functools.cache
def _load_libm() -> ctypes.CDLL:
    return ctypes.CDLL("libm.so.6", mode=ctypes.RTLD_GLOBAL)


def _load_bytes(data: bytes, library: type[L]) -> L:
    import tempfile  # 2 ms, and only for objects that the cache doesn't hold

    try:
        descriptor, name = tempfile.mkstemp(prefix="lanewise-", suffix=".so")
    except OSError:
        return _load_memory(data, library)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        return library(name)
    except OSError:
        return _load_memory(data, library)  # The disk is full, or mounted so that nothing on it can be executed.
    finally:
        with contextlib.suppress(OSError):
            os.unlink(name)


def _load_memory(data: bytes, library: type[L]) -> L:
    # The descriptor stays open: the loader takes two objects of the same path for one, and a closed number
    # is reused.
    descriptor = os.memfd_create("lanewise")
    fill(descriptor, data)
    return library(f"/proc/self/fd/{descriptor}")


def address_of(library: ctypes.CDLL, symbol: str) -> int:
    """Address of the function `symbol`. Raises `Error` if the library doesn't define it."""
    try:
        function = library[symbol]
    except AttributeError:
        raise Error(f"the shared object defines no function {symbol!r}") from None
    return ctypes.cast(function, ctypes.c_void_p).value or 0
