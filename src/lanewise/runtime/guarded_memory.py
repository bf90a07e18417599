# SPDX-License-Identifier: Apache-2.0
"""Memory for arrays, between pages that can't be accessed: the Python side of `core/guarded.c`."""

from __future__ import annotations

import ctypes
import sys
import warnings
from typing import Any, Final, final


def declare(library: ctypes.CDLL) -> None:
    """Declare argument and result types of the core's functions."""
    library.lw_allocate.restype = ctypes.c_void_p
    library.lw_allocate.argtypes = (ctypes.c_uint64, ctypes.c_int32)
    library.lw_free.restype = ctypes.c_void_p
    library.lw_free.argtypes = (ctypes.c_void_p,)


@final
class GuardedMemory:
    """Memory that starts at a multiple of 256 bytes. NumPy arrays on it keep it alive.

    An access past either end is a fault. In the slack left by rounding, a write is detected later: at the end of a
    launch with a pointer to this memory, or when the memory is freed, as a RuntimeWarning.
    """

    __slots__ = ("_library", "address", "nbytes")

    def __init__(self, library: ctypes.CDLL, nbytes: int, zeroed: bool) -> None:
        """Allocate. MemoryError if memory is short."""
        self.address: int = 0
        self._library: Final = library
        self.nbytes: Final = nbytes
        self.address = library.lw_allocate(nbytes, zeroed) or 0
        if not self.address:
            raise MemoryError(f"no memory for {nbytes} bytes")

    def __del__(self) -> None:
        if not self.address or sys.is_finalizing():
            return
        changed: int | None = self._library.lw_free(self.address)
        if changed is not None:
            distance = changed - self.address
            where = f"{distance - self.nbytes} bytes past its end" if distance >= 0 else f"{-distance} bytes before it"
            warnings.warn(
                f"memory next to a buffer of {self.nbytes} bytes was written, {where}: a kernel has written outside of "
                "its arrays",
                RuntimeWarning,
                stacklevel=2,
            )

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return {"shape": (self.nbytes,), "typestr": "|u1", "data": (self.address, False), "version": 3}
